// How a filter gradient is cut into bands of pairs and tiles of channels: never by threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ops/sparse_conv/filter_gradient/kernels.hpp"

namespace mluop::sparse_conv {

/// Channels or pairs [begin, begin + count).
struct Range {
  std::int64_t begin, count;

  /// Piece `index` of `pieces`, cut at multiples of `unit`.
  Range piece(std::int64_t index, std::int64_t pieces, std::int64_t unit) const noexcept {
    const auto cut = [&](std::int64_t i) {
      return i == pieces ? count : count * i / pieces / unit * unit;
    };
    return {begin + cut(index), cut(index + 1) - cut(index)};
  }
};

/// Pairs that kernels take together: bands and slices are cut between them.
inline constexpr std::int64_t gradient_step = 32;
/// Offsets of a task.
inline constexpr std::int64_t gradient_group = 9;

/// A function of shapes and counts.
///
/// Sums are kept as [left, right], `left` being the side whose channels are broadcast and `right` the
/// one whose channels fill vectors. The pairs of each offset are cut into the same number of bands;
/// each band leaves a partial sum. Pairs are mostly sorted by row, so that the bands of all offsets
/// with the same number read the same rows: a task takes a band of several offsets, slice by slice,
/// and finds the rows of a slice in its cache after the first offset.
class GradientPlan {
 public:
  explicit GradientPlan(const FilterGradient& problem);

  /// Cuts tasks by tiles of this size if enough of them are left. No sum depends on it.
  void widen(std::int64_t tile);

  /// Left is output_grad: swapped when the input channels fill vectors better.
  bool transposed() const noexcept { return transposed_; }
  std::int64_t left_channels() const noexcept { return left_; }
  std::int64_t right_channels() const noexcept { return right_; }
  /// Elements per row of a sum, and in all.
  std::int64_t pitch() const noexcept { return pitch_; }
  std::int64_t sum_elements() const noexcept { return left_ * pitch_; }
  /// Rows or columns of the largest tile of a task.
  std::int64_t tile() const noexcept { return tile_; }

  /// Whether offset k is not split into bands (few pairs, or partial sums over 64 MB).
  bool whole(std::int64_t k) const noexcept { return parts_of(k) == 0; }
  std::int64_t parts_of(std::int64_t k) const noexcept {
    return first_part_[k + 1] - first_part_[k];
  }
  std::int64_t first_part(std::int64_t k) const noexcept { return first_part_[k]; }
  std::int64_t parts() const noexcept { return first_part_.back(); }

  /// One band of a group of offsets and one tile of channels.
  struct Task {
    std::int64_t band;
    Range offsets, left, right;
  };
  std::int64_t tasks() const noexcept { return bands_ * groups_ * left_tiles_ * right_tiles_; }
  Task task(std::int64_t index) const noexcept;

  /// The pairs of offset k in a band.
  Range band(std::int64_t k, std::int64_t index) const noexcept {
    return Range{0, pairs_.count[k]}.piece(index, bands_, gradient_step);
  }
  /// How many slices a band has, and the pairs of one.
  std::int64_t slices() const noexcept { return slices_; }
  Range slice(std::int64_t k, std::int64_t band_index, std::int64_t index) const noexcept {
    return band(k, band_index).piece(index, slices_, gradient_step);
  }
  /// The band that sums offset k if k is not split.
  std::int64_t band_of_whole(std::int64_t k) const noexcept { return k % bands_; }

 private:
  void place_parts(std::int64_t bands);

  const Pairs& pairs_;
  bool transposed_;
  std::int64_t left_, right_, pitch_;
  std::int64_t tile_ = gradient_tile;
  std::int64_t left_tiles_, right_tiles_, groups_, bands_, slices_;
  std::vector<std::int64_t> first_part_;  // [K + 1]
};

}  // namespace mluop::sparse_conv
