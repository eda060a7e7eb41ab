// The workspace of a call, for tests and bench.
#pragma once

#include <cstddef>

#include "testing/data/placed_memory.hpp"

namespace mluop::testing {

/// In the library's own memory, as for programs that get theirs from cnrtMalloc, or where a
/// ScopedPlacement wants it.
class CallWorkspace {
 public:
  CallWorkspace() = default;
  ~CallWorkspace();
  CallWorkspace(const CallWorkspace&) = delete;
  CallWorkspace& operator=(const CallWorkspace&) = delete;

  /// Memory of at least `bytes` bytes, of exactly so many beside a page; the same as before where it
  /// suffices. Throws std::bad_alloc.
  void* require(std::size_t bytes);
  std::size_t bytes() const { return bytes_; }
  /// Nobody wrote beside it; always true of the library's own memory.
  bool intact() const { return placed_.intact(); }

 private:
  void* allocated_ = nullptr;
  PlacedMemory placed_;
  std::size_t bytes_ = 0;
};

}  // namespace mluop::testing
