// Allocation of aligned blocks.
#include "core/memory/memory.hpp"

#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace mluop {
namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

}  // namespace

void ReleaseMemory::operator()(std::byte* block) const noexcept { std::free(block); }

MemoryBlock allocate_memory(std::size_t bytes) {
  if (bytes > address_space_bytes) throw std::bad_alloc{};
  const std::size_t alignment = bytes >= huge_page_bytes ? huge_page_bytes : cache_line_bytes;
  // aligned_alloc wants a multiple of the alignment, and 0 bytes must give a pointer too.
  const std::size_t rounded =
      (bytes / alignment + (bytes % alignment != 0 || bytes == 0)) * alignment;
  MemoryBlock block{static_cast<std::byte*>(std::aligned_alloc(alignment, rounded))};
  if (block == nullptr) throw std::bad_alloc{};
#if defined(MADV_HUGEPAGE)
  if (alignment == huge_page_bytes) madvise(block.get(), rounded, MADV_HUGEPAGE);
#endif
  return block;
}

}  // namespace mluop
