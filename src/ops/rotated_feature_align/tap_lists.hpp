// Tap lists of the pixels of whole images, inverted into lists of the cells they touch.
#pragma once

#include <cstdint>

#include "core/workspace.hpp"
#include "ops/rotated_feature_align/samples.hpp"

namespace mluop::rotated_feature_align {

/// Inverts the taps of up to `images` images at a time. Chunks of pixels are cut by the problem
/// alone, never by the threads, and the sort is stable: the lists are always the same.
template <class T>
class Inversion {
 public:
  using Real = Compute<T>;

  Inversion(const Problem& problem, std::int64_t images, WorkspaceLayout& layout);

  /// List q of the result has a tap (p, weight) for each tap (q, weight) of pixel p of the same
  /// image, p ascending (but the odd ones last, if so); lists are numbered from the first cell of
  /// `first_image`.
  TapLists<Real> run(std::int64_t first_image, std::int64_t images, int threads,
                     std::byte* scratch) const;

 private:
  /// The taps of pixel p start at p · taps_per_pixel.
  struct Sampled {
    Tap<Real>* taps;
    std::uint8_t* counts;
  };

  /// Of the lists, as `TapLists` has them.
  struct Ranges {
    std::int64_t* first;
    std::int64_t* middle;
    std::int64_t* last;
  };

  /// The cursors of a chunk: one per cell, and if odd cells come last, `cursors_per_part` later
  /// another one per cell for odd pixels.
  std::int64_t* cursors_of(std::int64_t chunk, std::int64_t* cursors) const noexcept {
    const std::int64_t image = chunk / chunks_per_image_;
    return cursors + (image * (parts_ - 1) * chunks_per_image_ + chunk) * problem_.cells();
  }
  std::int64_t cursors_per_part() const noexcept { return chunks_per_image_ * problem_.cells(); }
  std::int64_t part_of(std::int64_t pixel) const noexcept { return pixel & (parts_ - 1); }

  template <class Visit>
  void each_block(std::int64_t chunk, Visit&& visit) const;
  void sample(std::int64_t chunk, std::int64_t first_image, const Sampled& sampled,
              std::int64_t* cursors) const;
  void place(std::int64_t image, const Ranges& ranges, std::int64_t* cursors) const;
  void distribute(std::int64_t chunk, const Sampled& sampled, Tap<Real>* inverse,
                  std::int64_t* cursors) const;

  const Problem& problem_;
  std::int64_t parts_;  // of a list: two if odd cells come last, else one
  std::int64_t chunks_per_image_;
  std::int64_t pixels_per_chunk_;
  Slot<Tap<Real>> sampled_, inverse_;
  Slot<std::uint8_t> counts_;
  Slot<std::int64_t> first_, middle_, last_;
  Slot<std::int64_t> cursors_;  // one per chunk, cell and part
};

}  // namespace mluop::rotated_feature_align
