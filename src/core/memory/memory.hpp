// Aligned blocks of memory that own themselves.
#pragma once

#include <cstddef>
#include <memory>

namespace mluop {

inline constexpr std::size_t cache_line_bytes = 64;

/// The user's part of the address space: no object is larger.
inline constexpr std::size_t address_space_bytes = std::size_t{1} << 47;

struct ReleaseMemory {
  void operator()(std::byte* block) const noexcept;
};
using MemoryBlock = std::unique_ptr<std::byte, ReleaseMemory>;

/// At least `bytes` bytes, aligned to a cache line; blocks of 2 MiB and more are aligned to huge
/// pages and ask for them. Throws std::bad_alloc.
MemoryBlock allocate_memory(std::size_t bytes);

}  // namespace mluop
