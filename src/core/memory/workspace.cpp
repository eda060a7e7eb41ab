// Placement of regions, safe against overflow.
#include "core/memory/workspace.hpp"

#include <new>

#include "core/memory/memory.hpp"

namespace mluop {

std::size_t WorkspaceLayout::place(std::int64_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (count < 0 || __builtin_mul_overflow(static_cast<std::size_t>(count), size, &bytes) ||
      bytes > address_space_bytes) {
    throw std::bad_alloc{};
  }
  const std::size_t offset = bytes_;
  const std::size_t end = offset + in_cache_lines(bytes) + (count > 0 ? guard_bytes : 0);
  if (end > address_space_bytes) throw std::bad_alloc{};
  bytes_ = end;
  return offset;
}

}  // namespace mluop
