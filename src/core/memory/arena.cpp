// Growth of the arena.
#include "core/memory/arena.hpp"

#include "core/memory/guard.hpp"
#include "runtime/plan.hpp"

namespace mluop {

std::byte* Arena::require(std::size_t bytes) {
  note_plan("scratch_bytes", static_cast<std::int64_t>(bytes));
  if (block_ == nullptr || bytes > capacity_) {
    // Freed first: the old block and the new one need not fit side by side.
    block_.reset();
    capacity_ = 0;
    block_ = allocate_memory(bytes);
    capacity_ = bytes;
  }
  allow_memory(block_.get(), capacity_);  // of guards of an earlier layout
  return block_.get();
}

}  // namespace mluop
