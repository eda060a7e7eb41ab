// Workspace layouts: a pure function of the problem, shared by the size query and by the run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/memory/guard.hpp"
#include "core/memory/memory.hpp"
#include "core/numbers/integers.hpp"

namespace mluop {

/// Whole cache lines.
constexpr std::size_t in_cache_lines(std::size_t bytes) noexcept {
  return round_up(bytes, cache_line_bytes);
}

/// A typed region inside a workspace.
template <class T>
struct Slot {
  std::size_t offset = 0;
  std::int64_t count = 0;

  T* in(std::byte* base) const noexcept {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    if (guard_bytes > 0 && count > 0) {
      forbid_memory(base + offset + bytes, in_cache_lines(bytes) - bytes + guard_bytes);
    }
    return reinterpret_cast<T*>(base + offset);
  }
};

/// Places regions one behind the other, each on its own cache line.
class WorkspaceLayout {
 public:
  template <class T>
  Slot<T> add(std::int64_t count) {
    return {place(count, sizeof(T)), count};
  }
  std::size_t bytes() const noexcept { return bytes_; }

  /// What to ask of a caller, whose memory may start anywhere: room to begin on a cache line.
  std::size_t caller_bytes() const noexcept {
    return bytes_ == 0 ? 0 : bytes_ + cache_line_bytes - 1;
  }
  /// The cache line where a layout begins in memory of caller_bytes().
  static std::byte* base_in(void* workspace) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(workspace);
    return static_cast<std::byte*>(workspace) + in_cache_lines(address) - address;
  }

 private:
  /// Throws std::bad_alloc when the sum would not fit an address space.
  std::size_t place(std::int64_t count, std::size_t size);

  std::size_t bytes_ = 0;
};

/// Memory of a caller that holds a layout; guards in it end with this object.
class CallerMemory {
 public:
  CallerMemory(void* workspace, const WorkspaceLayout& layout) noexcept
      : workspace_(workspace), bytes_(layout.caller_bytes()) {}
  ~CallerMemory() { allow_memory(workspace_, bytes_); }
  CallerMemory(const CallerMemory&) = delete;
  CallerMemory& operator=(const CallerMemory&) = delete;

  std::byte* base() const noexcept { return WorkspaceLayout::base_in(workspace_); }

 private:
  void* workspace_;
  std::size_t bytes_;
};

}  // namespace mluop
