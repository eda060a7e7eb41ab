// Tables of dtypes and layouts, and the scalar conversions of the 16-bit floats.
#include "core/numbers/dtype.hpp"

#include <array>
#include <bit>

namespace mluop {
namespace {

struct DtypeInfo {
  const char* name;
  std::size_t bytes;
};

// By numeric value; 10 is not in the enumeration.
constexpr std::array<DtypeInfo, 18> dtypes{{{"INVALID", 0},
                                            {"HALF", 2},
                                            {"FLOAT", 4},
                                            {"INT8", 1},
                                            {"INT16", 2},
                                            {"INT31", 4},
                                            {"INT32", 4},
                                            {"UINT8", 1},
                                            {"BOOL", 1},
                                            {"INT64", 8},
                                            {"unknown", 0},
                                            {"UINT32", 4},
                                            {"UINT64", 8},
                                            {"UINT16", 2},
                                            {"DOUBLE", 8},
                                            {"COMPLEX_HALF", 4},
                                            {"COMPLEX_FLOAT", 8},
                                            {"BFLOAT16", 2}}};

constexpr std::array layouts{"NCHW", "NHWC", "HWCN", "NDHWC", "ARRAY", "NCDHW",
                             "TNC",  "NTC",  "NC",   "NLC",   "NCL"};

DtypeInfo info_of(mluOpDataType_t dtype) noexcept {
  const auto index = static_cast<std::size_t>(dtype);
  return index < dtypes.size() ? dtypes[index] : DtypeInfo{"unknown", 0};
}

constexpr std::uint32_t quiet_bit = 0x0040'0000u;

}  // namespace

std::size_t size_of(mluOpDataType_t dtype) noexcept { return info_of(dtype).bytes; }

const char* name_of(mluOpDataType_t dtype) noexcept { return info_of(dtype).name; }

const char* name_of(mluOpTensorLayout_t layout) noexcept {
  const auto index = static_cast<std::size_t>(layout);
  return index < layouts.size() ? layouts[index] : "unknown";
}

float to_float(Half value) noexcept {
  const std::uint32_t sign = (value.bits & 0x8000u) << 16;
  const std::uint32_t exponent = value.bits >> 10 & 0x1fu;
  const std::uint32_t fraction = value.bits & 0x3ffu;
  if (exponent == 0) {
    // Zero or subnormal: an integer number of 2^-24, which float holds exactly.
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  if (exponent == 0x1f) {
    const std::uint32_t quiet = fraction != 0 ? quiet_bit : 0;
    return std::bit_cast<float>(sign | 0x7f80'0000u | fraction << 13 | quiet);
  }
  return std::bit_cast<float>(sign | (exponent + 127 - 15) << 23 | fraction << 13);
}

float to_float(BFloat16 value) noexcept {
  const std::uint32_t bits = std::uint32_t{value.bits} << 16;
  const bool is_nan = (bits & 0x7fff'ffffu) > 0x7f80'0000u;
  return std::bit_cast<float>(is_nan ? bits | quiet_bit : bits);
}

}  // namespace mluop
