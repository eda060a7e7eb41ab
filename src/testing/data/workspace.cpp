// The two sources of a CallWorkspace.
#include "testing/data/workspace.hpp"

#include <new>

#include "cnrt.h"

namespace mluop::testing {

CallWorkspace::~CallWorkspace() { cnrtFree(allocated_); }

void* CallWorkspace::require(std::size_t bytes) {
  if (ScopedPlacement::current() != Placement::ordinary) {
    if (placed_.data() == nullptr || placed_.bytes() != bytes) placed_ = PlacedMemory(bytes, 1);
    bytes_ = bytes;
    return placed_.data();
  }
  if (bytes > bytes_) {
    cnrtFree(allocated_);
    allocated_ = nullptr;
    bytes_ = 0;
    if (cnrtMalloc(&allocated_, bytes) != cnrtSuccess) throw std::bad_alloc();
    bytes_ = bytes;
  }
  return allocated_;
}

}  // namespace mluop::testing
