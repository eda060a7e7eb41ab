// Results of getters, whose output pointers may be null.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace mluop {

template <class Value>
void store(Value* pointer, Value value) {
  if (pointer != nullptr) *pointer = value;
}

/// Every value of an array, narrowed to `Int` if need be.
template <class Int>
void store(Int* array, const std::vector<std::int64_t>& values) {
  if (array == nullptr) return;
  std::transform(values.begin(), values.end(), array,
                 [](std::int64_t value) { return static_cast<Int>(value); });
}

}  // namespace mluop
