// The most memory this process had in use.
#pragma once

#include <cstddef>

namespace mluop::cli {

/// Starts anew where the kernel lets us (Linux: /proc/self/clear_refs); else the peak of the whole
/// run goes on.
void forget_peak_memory();
/// Bytes of resident memory at the most, since the last forget_peak_memory or since the start.
std::size_t peak_memory_bytes();

}  // namespace mluop::cli
