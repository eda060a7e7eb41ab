// One encoder and one decoder per stored type; the dtype chooses the pair once per array.
#include "testing/compare/rounding.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace mluop::testing {
namespace {

/// A binary floating-point format of 16 bits; the bias tells the width of the exponent.
template <int mantissa, int bias>
struct Sixteen {
  static constexpr int mantissa_bits = mantissa;
  static constexpr int exponent_bias = bias;
  std::uint16_t bits;
};
using Float16 = Sixteen<10, 15>;
using Bfloat16 = Sixteen<7, 127>;

struct Boolean {
  std::uint8_t byte;
};

/// Integer arithmetic on the double's fields: going through float would round twice.
template <int mantissa, int bias>
Sixteen<mantissa, bias> sixteen_bits(double value) {
  constexpr std::uint16_t infinity = (2 * bias + 1) << mantissa;
  constexpr std::uint16_t quiet_nan = infinity | 1 << (mantissa - 1);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto with_sign = [bits](std::uint64_t magnitude) {
    return Sixteen<mantissa, bias>{static_cast<std::uint16_t>(bits >> 63 << 15 | magnitude)};
  };
  if (std::isnan(value)) return with_sign(quiet_nan);

  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - (1023 - bias);
  if (exponent > 2 * bias) return with_sign(infinity);
  if (exponent >= 1) {  // a normal number; the carry of its fraction becomes the next exponent
    constexpr int dropped = 52 - mantissa;
    const std::uint64_t magnitude = bits << 1 >> 1;
    const std::uint64_t even = magnitude >> dropped & 1;
    const std::uint64_t rounded = (magnitude + ((1ull << (dropped - 1)) - 1) + even) >> dropped;
    return with_sign(rounded - (static_cast<std::uint64_t>(1023 - bias) << mantissa));
  }

  // A double's subnormals lie so far below these formats that their missing leading bit is no
  // matter.
  const std::uint64_t significand = (bits & ((1ull << 52) - 1)) | 1ull << 52;
  const int shift = 52 - mantissa + 1 - exponent;
  if (shift > 53) return with_sign(0);  // below half of the smallest subnormal

  const std::uint64_t rest = significand & ((1ull << shift) - 1);
  const std::uint64_t half = 1ull << (shift - 1);
  std::uint64_t rounded = significand >> shift;
  if (rest > half || (rest == half && rounded % 2 == 1)) ++rounded;
  // The largest subnormal may round up to the smallest normal number, whose bits follow its own.
  return with_sign(rounded);
}

template <int mantissa, int bias>
double value_of(Sixteen<mantissa, bias> stored) {
  const int exponent = stored.bits >> mantissa & (2 * bias + 1);
  const int fraction = stored.bits & ((1 << mantissa) - 1);
  double magnitude = 0;
  if (exponent == 2 * bias + 1) {
    using Limits = std::numeric_limits<double>;
    magnitude = fraction == 0 ? Limits::infinity() : Limits::quiet_NaN();
  } else {
    const int leading = exponent == 0 ? 0 : 1 << mantissa;
    // The unit in the last place is a normal double, so its bits can be written down.
    const auto unit = static_cast<std::uint64_t>(std::max(exponent, 1) - bias - mantissa + 1023);
    magnitude = (leading + fraction) * std::bit_cast<double>(unit << 52);
  }
  return std::copysign(magnitude, stored.bits >> 15 == 0 ? 1.0 : -1.0);
}

template <class Stored>
constexpr bool is_sixteen = std::is_same_v<Stored, Float16> || std::is_same_v<Stored, Bfloat16>;

template <class Stored>
Stored encoded(double value) {
  if constexpr (is_sixteen<Stored>) {
    return sixteen_bits<Stored::mantissa_bits, Stored::exponent_bias>(value);
  } else if constexpr (std::is_same_v<Stored, Boolean>) {
    return {static_cast<std::uint8_t>(value != 0)};
  } else if constexpr (std::is_integral_v<Stored>) {
    using Limits = std::numeric_limits<Stored>;
    const double whole = std::nearbyint(value);
    // The largest 64-bit integers round up to a power of two that is itself out of range.
    const double end = std::ldexp(1.0, Limits::digits);
    if (!(whole >= static_cast<double>(Limits::min()) && whole < end)) {
      throw std::range_error(std::to_string(value) + " does not fit the integer dtype");
    }
    return static_cast<Stored>(whole);
  } else {
    return static_cast<Stored>(value);
  }
}

template <class Stored>
double decoded(Stored stored) {
  if constexpr (is_sixteen<Stored>) {
    return value_of(stored);
  } else if constexpr (std::is_same_v<Stored, Boolean>) {
    return stored.byte;
  } else {
    return static_cast<double>(stored);
  }
}

/// Calls visit(Stored{}) with the type behind a dtype.
template <class Visit>
decltype(auto) with_stored(mluOpDataType_t dtype, Visit&& visit) {
  switch (dtype) {
    case MLUOP_DTYPE_HALF:
      return visit(Float16{});
    case MLUOP_DTYPE_BFLOAT16:
      return visit(Bfloat16{});
    case MLUOP_DTYPE_FLOAT:
      return visit(float{});
    case MLUOP_DTYPE_DOUBLE:
      return visit(double{});
    case MLUOP_DTYPE_BOOL:
      return visit(Boolean{});
    case MLUOP_DTYPE_INT8:
      return visit(std::int8_t{});
    case MLUOP_DTYPE_INT16:
      return visit(std::int16_t{});
    case MLUOP_DTYPE_INT32:
      return visit(std::int32_t{});
    case MLUOP_DTYPE_INT64:
      return visit(std::int64_t{});
    case MLUOP_DTYPE_UINT8:
      return visit(std::uint8_t{});
    case MLUOP_DTYPE_UINT16:
      return visit(std::uint16_t{});
    case MLUOP_DTYPE_UINT32:
      return visit(std::uint32_t{});
    case MLUOP_DTYPE_UINT64:
      return visit(std::uint64_t{});
    default:
      throw std::invalid_argument("no encoding for dtype " + std::to_string(dtype));
  }
}

}  // namespace

bool is_floating(mluOpDataType_t dtype) {
  return dtype == MLUOP_DTYPE_HALF || dtype == MLUOP_DTYPE_BFLOAT16 || dtype == MLUOP_DTYPE_FLOAT ||
         dtype == MLUOP_DTYPE_DOUBLE;
}

double unit_roundoff(mluOpDataType_t dtype) {
  switch (dtype) {
    case MLUOP_DTYPE_HALF:
      return 0x1p-11;
    case MLUOP_DTYPE_BFLOAT16:
      return 0x1p-8;
    case MLUOP_DTYPE_FLOAT:
      return 0x1p-24;
    case MLUOP_DTYPE_DOUBLE:
      return 0x1p-53;
    default:
      throw std::invalid_argument("dtype " + std::to_string(dtype) + " is not floating");
  }
}

void encode(mluOpDataType_t dtype, std::span<const double> values, std::byte* elements) {
  with_stored(dtype, [&](auto type) {
    for (const double value : values) {
      const auto stored = encoded<decltype(type)>(value);
      std::memcpy(elements, &stored, sizeof stored);
      elements += sizeof stored;
    }
  });
}

void decode(mluOpDataType_t dtype, const std::byte* elements, std::span<double> values) {
  with_stored(dtype, [&](auto stored) {
    for (double& value : values) {
      std::memcpy(&stored, elements, sizeof stored);
      value = decoded(stored);
      elements += sizeof stored;
    }
  });
}

std::size_t encoded_size(mluOpDataType_t dtype) {
  return with_stored(dtype, [](auto stored) { return sizeof stored; });
}

double rounded_to(mluOpDataType_t dtype, double value) {
  return with_stored(dtype, [&](auto type) { return decoded(encoded<decltype(type)>(value)); });
}

std::vector<double> rounded_to(mluOpDataType_t dtype, std::span<const double> values) {
  std::vector<double> rounded(values.begin(), values.end());
  with_stored(dtype, [&](auto type) {
    for (double& value : rounded) value = decoded(encoded<decltype(type)>(value));
  });
  return rounded;
}

}  // namespace mluop::testing
