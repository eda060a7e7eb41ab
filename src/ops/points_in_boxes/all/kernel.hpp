// The loops that write a flag for every pair of a point and a box.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "ops/points_in_boxes/boxes.hpp"
#include "runtime/isa.hpp"

namespace mluop::points_in_boxes {

/// Points and boxes whose flags are buffered before they are written: 16 KB, which fits L1 together with
/// the points.
inline constexpr std::int64_t flag_points = 64;        // of [M,T]
inline constexpr std::int64_t flag_boxes = 256;        // of [M,T]
inline constexpr std::int64_t flag_row_points = 1024;  // of [T,M]; half as many of double

/// `count` points [count,3] against `boxes`, the boxes of their batch element.
template <class T>
struct Flagging {
  const T* points;
  std::int64_t count;
  BoxTable<Compute<T>> boxes;
  std::int64_t box_count;
  std::int64_t row;     // elements from one row of flags to the next: T of [M,T], M of [T,M]
  std::int32_t* flags;  // of the first point, and of [T,M] the first box
  bool stream;          // with non-temporal stores
};

template <class T>
struct FlagKernels {
  void (*by_point)(const Flagging<T>& flagging);  // into [M,T], whole rows
  void (*by_box)(const Flagging<T>& flagging);    // into [T,M], columns of the points
};

extern const PerIsa<const PerDtype<FlagKernels>& (*)()> flag_kernels;

}  // namespace mluop::points_in_boxes
