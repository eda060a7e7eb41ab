// The kernels of design `direct`: gradients that name a point are listed, then added to their final place.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "ops/roiaware_pool3d/backward/kernels.hpp"
#include "runtime/isa.hpp"

namespace mluop::roiaware_pool3d {

/// Elements that the last vector of a list may write, or a reader read, beyond its end.
inline constexpr std::int64_t elements_slack = 16;

/// Gradients and the elements of the sums [M,C] that they are added to, in order.
template <class Real>
struct Elements {
  std::int32_t* to;
  Real* values;
};

template <class T>
struct DirectKernels {
  /// Lists the gradients of a run of voxels whose argmax is not -1; `to` has room for all of them and
  /// `elements_slack` more. Returns how many, or -1 if an index is out of range.
  std::int64_t (*list)(const Indices& indices, const T* grad_out, Elements<Compute<T>> to);
  /// Adds the first `count` of a list to the sums, those between elements `begin` and `end` alone.
  void (*add)(const Elements<Compute<T>>& from, std::int64_t count, Compute<T>* sums,
              std::int64_t begin, std::int64_t end);
  /// Adds all of a list.
  void (*add_all)(const Elements<Compute<T>>& from, std::int64_t count, Compute<T>* sums);
  /// to[i] = from[i], rounded to the dtype.
  void (*round)(const Compute<T>* from, std::int64_t count, T* to);
};

extern const PerIsa<const PerDtype<DirectKernels>& (*)()> direct_kernels;

}  // namespace mluop::roiaware_pool3d
