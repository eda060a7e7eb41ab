// Hexadecimal bit patterns, decimals and integers.
#include "recorder/text/values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/numbers/dtype.hpp"
#include "core/status/text.hpp"

namespace mluop::recorder {
namespace {

template <class Element>
Element element(const void* data, std::size_t index) {
  Element value;
  std::memcpy(&value, static_cast<const std::byte*>(data) + index * sizeof(Element),
              sizeof(Element));
  return value;
}

/// All hexadecimal digits, most significant first.
template <class Bits>
void append_bits(const void* data, std::size_t index, std::string& text) {
  const auto bits = element<Bits>(data, index);
  constexpr int digits = 2 * sizeof(Bits);
  char quoted[digits + 2];
  quoted[0] = quoted[digits + 1] = '"';
  for (int i = 0; i < digits; ++i) {
    quoted[digits - i] = "0123456789abcdef"[bits >> (4 * i) & 0xf];
  }
  text.append(quoted, sizeof(quoted));
}

template <class Integer>
void append_integer(const void* data, std::size_t index, std::string& text) {
  char digits[24];
  const auto value = element<Integer>(data, index);
  text.append(digits, std::to_chars(digits, digits + sizeof(digits), +value).ptr);
}

template <class Stored>
void append_decimals(const void* data, std::size_t index, std::string& text) {
  text += decimals_of(to_float(element<Stored>(data, index)));
}

template <class Stored>
bool has_nan(const void* data, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isnan(to_float(element<Stored>(data, i)))) return true;
  }
  return false;
}

struct Way {
  const char* field;
  void (*append)(const void* data, std::size_t index, std::string& text);
};

Way bits_of_size(std::size_t bytes) {
  switch (bytes) {
    case 1:
      return {"value_h", append_bits<std::uint8_t>};
    case 2:
      return {"value_h", append_bits<std::uint16_t>};
    case 4:
      return {"value_h", append_bits<std::uint32_t>};
    default:
      return {"value_h", append_bits<std::uint64_t>};
  }
}

template <class Stored>
Way floating_way(const void* data, std::size_t count, Notation notation) {
  if (notation == Notation::bits || has_nan<Stored>(data, count)) {
    return bits_of_size(sizeof(Stored));
  }
  return {"value_f", append_decimals<Stored>};
}

Way way_of(mluOpDataType_t dtype, const void* data, std::size_t count, Notation notation) {
  switch (dtype) {
    case MLUOP_DTYPE_HALF:
      return floating_way<Half>(data, count, notation);
    case MLUOP_DTYPE_BFLOAT16:
      return floating_way<BFloat16>(data, count, notation);
    case MLUOP_DTYPE_FLOAT:
      return floating_way<float>(data, count, notation);
    case MLUOP_DTYPE_INT8:
      return {"value_i", append_integer<std::int8_t>};
    case MLUOP_DTYPE_UINT8:
    case MLUOP_DTYPE_BOOL:
      return {"value_i", append_integer<std::uint8_t>};
    case MLUOP_DTYPE_INT16:
      return {"value_i", append_integer<std::int16_t>};
    case MLUOP_DTYPE_UINT16:
      return {"value_i", append_integer<std::uint16_t>};
    case MLUOP_DTYPE_INT32:
      return {"value_i", append_integer<std::int32_t>};
    case MLUOP_DTYPE_UINT32:
      return {"value_ui", append_integer<std::uint32_t>};
    case MLUOP_DTYPE_INT64:
      return {"value_l", append_integer<std::int64_t>};
    case MLUOP_DTYPE_UINT64:
      return {"value_ul", append_integer<std::uint64_t>};
    default:
      return bits_of_size(size_of(dtype));
  }
}

}  // namespace

Values::Values(mluOpDataType_t dtype, const void* data, std::size_t count, Notation notation)
    : data_(data) {
  const Way way = way_of(dtype, data, count, notation);
  field_ = way.field;
  append_ = way.append;
}

std::string decimals_of(float value) {
  const std::string shortest = text_of(value);
  double read = 0;
  std::from_chars(shortest.data(), shortest.data() + shortest.size(), read);
  // Narrowing from double rounds a second time and may give a neighbouring float.
  return static_cast<float>(read) == value || std::isnan(value) ? shortest : text_of(double{value});
}

}  // namespace mluop::recorder
