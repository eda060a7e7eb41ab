// The loop that finds the first box of each point.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "ops/points_in_boxes/first/candidates.hpp"
#include "runtime/isa.hpp"

namespace mluop::points_in_boxes {

/// `count` points [count,3] against one slab of boxes, whose first has the number `first_box`.
template <class T>
struct FirstSearch {
  const T* points;
  std::int64_t count;
  BoxTable<Compute<T>> boxes;
  const Candidates<Compute<T>>* candidates;
  std::int32_t first_box;
  /// Earlier slabs have been searched: only indices that are -1 change.
  bool continued;
  std::int32_t* indices;
};

template <class T>
using FirstKernel = void (*)(const FirstSearch<T>& search);

extern const PerIsa<const PerDtype<FirstKernel>& (*)()> first_kernels;

}  // namespace mluop::points_in_boxes
