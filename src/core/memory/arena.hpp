// Scratch memory owned by a handle and reused between its calls.
#pragma once

#include <cstddef>

#include "core/memory/memory.hpp"

namespace mluop {

/// Grows to the largest request and keeps it. The content of a region is undefined.
class Arena {
 public:
  /// At least `bytes` bytes aligned to a cache line, valid until the next call; throws
  /// std::bad_alloc, after which the arena is empty and usable.
  std::byte* require(std::size_t bytes);

  std::size_t capacity() const noexcept { return capacity_; }

 private:
  MemoryBlock block_;
  std::size_t capacity_ = 0;
};

}  // namespace mluop
