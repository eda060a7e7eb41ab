// Arithmetic on wide integers.
#include "runtime/cnrt/exact.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace mluop::cnrt {
namespace {

using Kind = Exact::Kind;

int bit_length(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(value));
}

/// value >> shift, with a last bit of 1 if a bit was lost; any shift.
Wide cut(Wide value, std::int64_t shift) {
  if (shift >= 128) return value != 0 ? 1 : 0;
  const Wide kept = value >> shift;
  return kept | ((kept << shift) != value ? 1 : 0);
}

/// The same number with at most `bits` bits.
Exact shortened(Exact value, int bits) {
  const int excess = bit_length(value.magnitude) - bits;
  if (excess > 0) {
    value.magnitude = cut(value.magnitude, excess);
    value.exponent += excess;
  }
  return value;
}

/// Whether the rest of a division by 2^n, compared with a half of that, rounds the magnitude up.
bool rounds_up(cnrtRoundingMode_t mode, bool negative, bool odd, Wide rest, Wide half) {
  switch (mode) {
    case cnrtRounding_rn:
      return rest > half || (rest == half && odd);
    case cnrtRounding_rd:
      return negative && rest != 0;
    case cnrtRounding_ru:
      return !negative && rest != 0;
    case cnrtRounding_ro:
      return rest != 0;
    case cnrtRounding_rm:
      return rest >= half;
    default:
      return false;
  }
}

/// The magnitude as a multiple of 2^unit, rounded; it fits.
Wide multiple_of(const Exact& value, std::int64_t unit, cnrtRoundingMode_t mode) {
  const std::int64_t shift = unit - value.exponent;
  if (shift <= 0) return value.magnitude << -shift;
  // Below 2^113, so that far to the right it is less than a half whatever the shift.
  const std::int64_t bounded = std::min<std::int64_t>(shift, 120);
  const Wide whole = value.magnitude >> bounded;
  const Wide rest = value.magnitude - (whole << bounded);
  const bool up = rounds_up(mode, value.negative, (whole & 1) != 0, rest, Wide{1} << (bounded - 1));
  return whole + (up ? 1 : 0);
}

std::uint64_t encode_boolean(const Exact& value) {
  return value.kind != Kind::finite || value.magnitude != 0 ? 1 : 0;
}

std::uint64_t encode_integer(const ElementType& type, const Exact& value, cnrtRoundingMode_t mode) {
  if (value.kind == Kind::nan) return 0;
  const auto bits = static_cast<int>(8 * type.bytes);
  const Wide beyond = Wide{1} << (type.is_signed ? bits - 1 : bits);
  const Wide largest = !value.negative ? beyond - 1 : (type.is_signed ? beyond : 0);
  const bool immense = value.kind == Kind::infinite ||
                       (value.magnitude != 0 && value.exponent + bit_length(value.magnitude) > 66);
  const Wide whole = immense ? largest : std::min(multiple_of(value, 0, mode), largest);
  return static_cast<std::uint64_t>(value.negative ? Wide{0} - whole : whole);
}

/// Bits of a floating type without the sign.
struct Format {
  explicit Format(const ElementType& type)
      : fraction_bits(type.precision - 1),
        infinity(((std::uint64_t{1} << (8 * type.bytes - 1)) - 1) >> fraction_bits
                                                                         << fraction_bits),
        sign(std::uint64_t{1} << (8 * type.bytes - 1)) {}
  int fraction_bits;
  std::uint64_t infinity, sign;
};

std::uint64_t overflowed(const Format& format, bool negative, cnrtRoundingMode_t mode) {
  const bool towards_zero =
      mode == cnrtRounding_rz || mode == (negative ? cnrtRounding_ru : cnrtRounding_rd);
  return towards_zero ? format.infinity - 1 : format.infinity;
}

std::uint64_t encode_finite(const ElementType& type, const Format& format, const Exact& value,
                            cnrtRoundingMode_t mode) {
  if (value.magnitude == 0) return 0;
  const std::int64_t top = value.exponent + bit_length(value.magnitude);
  std::int64_t unit = std::max<std::int64_t>(top - type.precision, type.unit);
  Wide count = multiple_of(value, unit, mode);
  if (count == Wide{1} << type.precision) {  // rounded up to the next power of two
    count >>= 1;
    ++unit;
  }
  const Wide leading = Wide{1} << format.fraction_bits;
  if (count < leading) return static_cast<std::uint64_t>(count);  // subnormal, or zero
  const std::int64_t exponent_field = unit - type.unit + 1;
  const auto largest_field = static_cast<std::int64_t>(format.infinity >> format.fraction_bits);
  if (exponent_field >= largest_field) return overflowed(format, value.negative, mode);
  return static_cast<std::uint64_t>(exponent_field) << format.fraction_bits |
         static_cast<std::uint64_t>(count - leading);
}

std::uint64_t encode_floating(const ElementType& type, const Exact& value,
                              cnrtRoundingMode_t mode) {
  const Format format{type};
  const std::uint64_t sign = value.negative ? format.sign : 0;
  if (value.kind == Kind::finite) return sign | encode_finite(type, format, value, mode);
  if (value.kind == Kind::infinite) return sign | format.infinity;
  const std::uint64_t quiet = std::uint64_t{1} << (format.fraction_bits - 1);
  return sign | format.infinity | quiet | value.payload >> (64 - format.fraction_bits);
}

Exact decode_floating(const ElementType& type, std::uint64_t bits) {
  const Format format{type};
  const std::uint64_t absolute = bits & (format.sign - 1);
  const std::uint64_t fraction = absolute & ((std::uint64_t{1} << format.fraction_bits) - 1);
  const std::uint64_t field = absolute >> format.fraction_bits;
  Exact value;
  value.negative = (bits & format.sign) != 0;
  if (absolute > format.infinity) {
    value.kind = Kind::nan;
    value.payload = fraction << (64 - format.fraction_bits);
  } else if (absolute == format.infinity) {
    value.kind = Kind::infinite;
  } else {
    value.magnitude = field == 0 ? fraction : fraction | std::uint64_t{1} << format.fraction_bits;
    value.exponent = type.unit + std::max<std::int64_t>(static_cast<std::int64_t>(field) - 1, 0);
  }
  return value;
}

Exact decode_integer(const ElementType& type, std::uint64_t bits) {
  const auto spare = static_cast<int>(64 - 8 * type.bytes);
  const std::uint64_t raised = bits << spare;
  Exact value;
  value.negative = type.is_signed && raised >> 63 != 0;
  value.magnitude = (value.negative ? 0 - raised : raised) >> spare;
  return value;
}

}  // namespace

Exact decode(const ElementType& type, std::uint64_t bits) {
  switch (type.kind) {
    case ElementType::Kind::floating:
      return decode_floating(type, bits);
    case ElementType::Kind::integer:
      return decode_integer(type, bits);
    default: {
      Exact value;
      value.magnitude = (bits & 0xff) != 0 ? 1 : 0;
      return value;
    }
  }
}

std::uint64_t encode(const ElementType& type, const Exact& value, cnrtRoundingMode_t mode) {
  switch (type.kind) {
    case ElementType::Kind::floating:
      return encode_floating(type, value, mode);
    case ElementType::Kind::integer:
      return encode_integer(type, value, mode);
    default:
      return encode_boolean(value);
  }
}

Exact product(const Exact& left, const Exact& right) {
  if (left.kind == Kind::nan) return left;
  Exact result = left;
  result.negative = left.negative != right.negative;
  if (left.kind == Kind::infinite) return result;
  result.magnitude = left.magnitude * right.magnitude;
  result.exponent = left.exponent + right.exponent;
  return result;
}

Exact quotient(const Exact& dividend, const Exact& divisor) {
  if (dividend.kind == Kind::nan) return dividend;
  Exact result = shortened(dividend, 60);
  result.negative = dividend.negative != divisor.negative;
  if (dividend.kind == Kind::infinite) return result;
  // 60 + 64 bits, less those of the divisor: more than any precision.
  const Wide scaled = result.magnitude << 64;
  const Wide whole = scaled / divisor.magnitude;
  result.magnitude = whole | (whole * divisor.magnitude != scaled ? 1 : 0);
  result.exponent -= divisor.exponent + 64;
  return shortened(result, 99);
}

Exact sum(const Exact& left, const Exact& right) {
  if (left.kind != Kind::finite || right.magnitude == 0) return left;
  if (left.magnitude == 0) return right;
  Exact high = left, low = right;
  if (high.exponent < low.exponent) std::swap(high, low);
  // 64 bits more than a term has: if `low` is cut, it is too small to cancel anything.
  const std::int64_t distance = high.exponent - low.exponent;
  const std::int64_t up = std::min<std::int64_t>(distance, 64);
  high.magnitude <<= up;
  high.exponent -= up;
  low.magnitude = cut(low.magnitude, distance - up);
  Exact result = high;
  if (high.negative == low.negative) {
    result.magnitude += low.magnitude;
  } else if (high.magnitude >= low.magnitude) {
    result.magnitude -= low.magnitude;
  } else {
    result.magnitude = low.magnitude - high.magnitude;
    result.negative = low.negative;
  }
  if (result.magnitude == 0) result.negative = false;
  return result;
}

}  // namespace mluop::cnrt
