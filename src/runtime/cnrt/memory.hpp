// Memory of cnrt.h and cn_api.h. Functions return errors of cnrt.h.
#pragma once

#include <cstddef>
#include <optional>

#include "cnrt.h"

namespace mluop::cnrt {

/// An allocation of this runtime.
struct Allocation {
  cnrtMemType_t type;
  void* begin;
  std::size_t bytes;
};

/// Allocates; throws std::bad_alloc. `type` is host or device.
cnrtRet_t allocate(cnrtMemType_t type, void** pointer, std::size_t bytes);

/// Frees what `allocate` returned for the same type; ignores null.
cnrtRet_t release(cnrtMemType_t type, void* pointer);

/// Frees everything.
void release_all_memory();

/// The allocation that contains an address; nothing if there is none.
std::optional<Allocation> allocation_of(const void* address);

/// Copies; overlaps are allowed, and null pointers if `bytes` is 0.
cnrtRet_t copy(void* destination, const void* source, std::size_t bytes);

/// Sets `count` elements of 1, 2 or 4 bytes; null is allowed if `count` is 0.
template <class Element>
cnrtRet_t fill(void* pointer, Element value, std::size_t count);

}  // namespace mluop::cnrt
