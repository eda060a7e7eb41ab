// What cnrt.h and cn_api.h tell about the device, which is the CPU.
#pragma once

#include <cstddef>

#include "cnrt.h"

namespace mluop::cnrt {

inline constexpr char device_name[] = "CPU";

/// An attribute, by the number that it has in both headers. cnrtErrorNotSupport if a CPU has none,
/// cnrtErrorArgsInvalid for a null pointer or if there is no such number.
cnrtRet_t attribute(int number, int* value);

/// In bytes; free memory is at most the total.
struct MemoryInfo {
  std::size_t free, total;
};
MemoryInfo memory_info();

}  // namespace mluop::cnrt
