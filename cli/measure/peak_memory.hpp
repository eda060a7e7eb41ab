// Peak resident memory of this process.
#pragma once

#include <cstddef>

namespace mluop::cli {

/// Resets the peak if the kernel allows it (Linux: /proc/self/clear_refs); otherwise the peak stays that of
/// the whole run.
void forget_peak_memory();
/// Peak resident memory in bytes since the last forget_peak_memory, or since the start.
std::size_t peak_memory_bytes();

}  // namespace mluop::cli
