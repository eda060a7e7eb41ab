// Tap lists of the pixels of whole images, inverted into lists of the cells they touch.
#pragma once

#include <cstdint>

#include "core/workspace.hpp"
#include "ops/rotated_feature_align/samples.hpp"

namespace mluop::rotated_feature_align {

/// List r holds taps[first[r]] up to taps[last[r]], exclusive.
template <class Real>
struct TapLists {
  const Tap<Real>* taps;
  std::int64_t* first;
  std::int64_t* last;
};

/// Inverts the taps of up to `images` images at a time. Chunks of pixels are cut by the problem
/// alone, never by the threads, and the sort is stable: the lists are always the same.
template <class T>
class Inversion {
 public:
  using Real = Compute<T>;

  Inversion(const Problem& problem, std::int64_t images, WorkspaceLayout& layout);

  /// The lists of cell q have a tap (p, weight) for each tap (q, weight) of pixel p of the same image,
  /// p ascending; they are numbered from the first cell of `first_image`, `lists_per_pixel` to a cell.
  TapLists<Real> run(std::int64_t first_image, std::int64_t images, int threads,
                     std::byte* scratch) const;

 private:
  /// The taps of pixel p start at p · taps_per_pixel.
  struct Sampled {
    Tap<Real>* taps;
    std::uint8_t* counts;
  };

  template <class Visit>
  void each_pixel(std::int64_t chunk, Visit&& visit) const;
  void sample(std::int64_t chunk, std::int64_t first_image, const Sampled& sampled,
              std::int64_t* count) const;
  /// The list of the cell, within its image, to which the taps of a pixel go.
  std::int64_t list_of(std::uint32_t cell, std::int64_t pixel) const noexcept {
    return cell * lists_per_cell_ + (pixel & (lists_per_cell_ - 1));
  }
  void place(std::int64_t image, const TapLists<Real>& inverse, std::int64_t* cursors) const;
  void distribute(std::int64_t chunk, const Sampled& sampled, Tap<Real>* inverse,
                  std::int64_t* next) const;

  const Problem& problem_;
  std::int64_t lists_per_cell_;
  std::int64_t lists_per_image_;
  std::int64_t chunks_per_image_;
  std::int64_t pixels_per_chunk_;
  Slot<Tap<Real>> sampled_, inverse_;
  Slot<std::uint8_t> counts_;
  Slot<std::int64_t> first_, last_;
  Slot<std::int64_t> cursors_;  // one per chunk and list
};

}  // namespace mluop::rotated_feature_align
