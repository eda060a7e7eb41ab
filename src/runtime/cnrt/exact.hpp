// Numbers without rounding, and their one rounding into an element type. Integer arithmetic only, so that
// results do not depend on the floating-point environment of the caller.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cnrt.h"

namespace mluop::cnrt {

__extension__ typedef unsigned __int128 Wide;

/// ±magnitude · 2^exponent, an infinity, or NaN. If `magnitude` was cut, its last bit is 1: it then lies
/// strictly between two neighbours that no rounding here tells apart.
struct Exact {
  enum class Kind { finite, infinite, nan };
  Kind kind = Kind::finite;
  bool negative = false;
  Wide magnitude = 0;  // below 2^113
  std::int64_t exponent = 0;
  std::uint64_t payload = 0;  // of a NaN, from the highest bit on
};

/// An element type. `precision` is that of a floating type, in bits with the leading one; `unit` the
/// exponent of its smallest number.
struct ElementType {
  enum class Kind { floating, integer, boolean };
  Kind kind;
  std::size_t bytes;
  bool is_signed = true;
  int precision = 0;
  int unit = 0;
};

/// The element whose bits are the low ones of `bits`.
Exact decode(const ElementType& type, std::uint64_t bits);

/// The bits of the element, rounded once. Integers saturate, and NaN becomes 0. A number beyond a floating
/// type becomes infinity, or the largest finite number if the mode rounds towards it.
std::uint64_t encode(const ElementType& type, const Exact& value, cnrtRoundingMode_t mode);

/// Arithmetic with a finite second operand; a divisor is not 0. Magnitudes of factors and terms are below
/// 2^48. Quotients and sums may be cut, far below the precision of a float.
Exact product(const Exact& left, const Exact& right);
Exact quotient(const Exact& dividend, const Exact& divisor);
Exact sum(const Exact& left, const Exact& right);

}  // namespace mluop::cnrt
