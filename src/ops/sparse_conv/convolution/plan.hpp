// How a forward or backward-data call is cut into units of work, by an estimate of its time.
#pragma once

#include <cstdint>

#include "core/numbers/integers.hpp"
#include "ops/index_pairs/tile_lists.hpp"
#include "ops/sparse_conv/convolution.hpp"

namespace mluop::sparse_conv {

/// A unit of work is a tile of target rows × a slice of target channels. Its sums have one writer.
struct ConvolutionPlan {
  index_pairs::Tiling tiling;
  std::int64_t slice;  // channels per slice, a multiple of slice_unit unless it is all of them
  /// Each unit packs the filters block by block as it uses them, instead of all being packed before.
  bool packs_as_used;

  std::int64_t slices(const Convolution& problem) const noexcept {
    return ceil_div(problem.target.channels, slice);
  }
};

/// A multiple of the columns that the kernels of every design take together.
std::int64_t slice_unit(mluOpDataType_t dtype);

/// A function of the problem alone, as the workspace is.
index_pairs::Tiling tiling_of(const Convolution& problem);

/// Slices depend on the threads too. Results depend on neither: each element is the same sum in the same
/// order whatever the units.
ConvolutionPlan plan_of(const Convolution& problem, int threads);

}  // namespace mluop::sparse_conv
