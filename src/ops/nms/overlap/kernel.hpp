// A row of overlaps.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "ops/nms/bev/bev_box.hpp"
#include "runtime/isa.hpp"

namespace mluop::nms {

/// Box a against `count` boxes b. Columns of bounds have whole tiles, those beyond the last box nowhere.
template <class T>
struct OverlapTask {
  const BevBox<Compute<T>>* a;
  suppression::Rectangle bounds;
  const BevBox<Compute<T>>* b;
  std::int64_t count;
  suppression::Columns columns;
  T* to;
};

template <class T>
using OverlapKernel = void (*)(const OverlapTask<T>& task);

extern const PerIsa<const PerDtype<OverlapKernel>& (*)()> overlap_kernels;

}  // namespace mluop::nms
