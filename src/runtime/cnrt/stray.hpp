// A pointer for bad calls.
#pragma once

namespace mluop::testing {

/// A pointer that is not null and was never allocated.
template <class Pointer>
Pointer stray() {
  static char object;
  return reinterpret_cast<Pointer>(&object);
}

}  // namespace mluop::testing
