// The loops over the channels of a sample, compiled for each level.
#pragma once

#include <cstdint>

#include "runtime/isa.hpp"

namespace mluop::rotated_feature_align {

template <class Real>
struct SampleLoops {
  /// sums[c] += Σ weight[i] · map[offset[i] + c], four of them.
  void (*gather)(const Real* map, const std::int64_t* offsets, const Real* weights,
                 std::int64_t channels, Real* sums);
  /// map[offset[i] + c] += weight[i] · values[c], one after the other: they may be the same.
  void (*scatter)(const Real* values, const std::int64_t* offsets, const Real* weights,
                  std::int64_t channels, Real* map);
};

template <class Real>
const SampleLoops<Real>& sample_loops(Isa isa);

}  // namespace mluop::rotated_feature_align
