// How one call is to be recorded.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "recorder/description.hpp"

namespace mluop::recorder {

/// How data is written: decimal numbers or, for floating dtypes, the digits of their bits.
enum class Notation { text, bits };

struct Order {
  /// Inputs that need their contents at most this much keep them; random numbers stand for others.
  Need kept = Need::always;
  /// Inputs of at most this many elements keep them in any case.
  std::uint64_t kept_elements = 0;
  Notation notation = Notation::bits;
  /// Data of more bytes goes to a file of its own.
  std::uint64_t inline_bytes = std::numeric_limits<std::uint64_t>::max();
  /// Whether the results are written too, and how.
  std::optional<Notation> outputs = std::nullopt;

  bool operator==(const Order&) const = default;
};

}  // namespace mluop::recorder
