// The comparison of outputs, and the words for a difference.
#include "testing/compare/bits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace mluop::testing {
namespace {

/// "[1,0,3]"
std::string coordinates(const std::vector<std::int64_t>& dims, std::size_t flat) {
  auto rest = static_cast<std::int64_t>(flat);
  std::vector<std::int64_t> position(dims.size());
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    position[axis] = rest % dims[axis];
    rest /= dims[axis];
  }
  std::string text;
  for (const std::int64_t index : position) {
    text += text.empty() ? '[' : ',';
    text += std::to_string(index);
  }
  return text + "]";
}

/// Value and bits: numbers that print alike may still differ.
std::string element(mluOpDataType_t dtype, const std::byte* bytes) {
  double value = 0;
  decode(dtype, bytes, {&value, 1});
  char text[32];
  std::snprintf(text, sizeof text, "%.17g (0x", value);
  std::string result = text;
  for (std::size_t i = encoded_size(dtype); i-- > 0;) {
    std::snprintf(text, sizeof text, "%02x", std::to_integer<unsigned>(bytes[i]));
    result += text;
  }
  return result + ")";
}

/// NaN is a class: its sign and payload are not promised.
bool same_element(mluOpDataType_t dtype, const std::byte* one, const std::byte* other) {
  if (std::equal(one, one + encoded_size(dtype), other)) return true;
  double values[2];
  decode(dtype, one, {&values[0], 1});
  decode(dtype, other, {&values[1], 1});
  return std::isnan(values[0]) && std::isnan(values[1]);
}

}  // namespace

Bits snapshot(std::span<HostTensor> outputs) {
  Bits copies;
  for (const HostTensor& output : outputs) {
    copies.emplace_back(output.raw().begin(), output.raw().end());
  }
  return copies;
}

std::string first_difference(std::span<HostTensor> outputs, const Bits& earlier) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const auto now = outputs[k].raw();
    if (std::equal(now.begin(), now.end(), earlier[k].begin())) continue;
    const mluOpDataType_t dtype = outputs[k].dtype();
    const std::size_t size = encoded_size(dtype);
    for (std::size_t at = 0; at < now.size(); at += size) {
      const std::byte* const is = now.data() + at;
      const std::byte* const was = earlier[k].data() + at;
      if (same_element(dtype, is, was)) continue;
      return outputs[k].name() + coordinates(outputs[k].dims(), at / size) + " is " +
             element(dtype, is) + ", was " + element(dtype, was);
    }
  }
  return {};
}

}  // namespace mluop::testing
