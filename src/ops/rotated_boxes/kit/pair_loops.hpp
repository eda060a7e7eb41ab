// The loops over pairs, compiled for each level without fused multiply-adds.
#pragma once

#include <cstdint>

#include "ops/rotated_boxes/kit/formula.hpp"
#include "runtime/isa.hpp"

namespace mluop::rotated_boxes {

template <class Real>
struct PairLoops {
  using Box = reference::Turned<Real>;
  /// Of one box with `count` others, or of pairs of equal number.
  void (*row)(const Box& first, const Box* second, std::int64_t count, bool over_first, Real* ious);
  void (*aligned)(const Box* first, const Box* second, std::int64_t count, bool over_first,
                  Real* ious);
  /// Marks which of the boxes order[0, count) that are not marked yet one suppresses.
  void (*suppress)(const Box& kept, const Box* boxes, const std::int32_t* order, std::int64_t count,
                   Real threshold, std::uint8_t* suppressed);
};

template <class Real>
const PairLoops<Real>& pair_loops(Isa isa);

}  // namespace mluop::rotated_boxes
