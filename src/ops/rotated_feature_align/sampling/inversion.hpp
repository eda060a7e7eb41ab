// Taps or sample points of the pixels of whole images, inverted into lists of the cells they touch.
#pragma once

#include <cstdint>

#include "core/memory/workspace.hpp"
#include "ops/rotated_feature_align/sampling/samples.hpp"

namespace mluop::rotated_feature_align {

/// What is inverted: taps by their cells, or sample points by their low cells.
template <class T>
struct TapsOf {
  using Real = Compute<T>;
  using Item = Tap<Real>;
  using Writer = InOrder<Real>;
  static std::int64_t per_pixel(const Problem& problem) noexcept {
    return problem.taps_per_pixel();
  }
};
template <class T>
struct PointsOf {
  using Real = Compute<T>;
  using Item = SamplePoint<Real>;
  using Writer = PointsInOrder<Real>;
  static std::int64_t per_pixel(const Problem& problem) noexcept { return problem.points; }
};

/// List l is [first[l], last[l]). `items_ahead` items of cell 0 follow the last list of an image.
template <class Item>
struct Lists {
  const Item* items;
  const std::int64_t* first;
  const std::int64_t* last;
};

/// Inverts the items of up to `images` images at a time. Chunks of pixels depend on the problem alone, not on the
/// threads, and the sort is stable: the lists are always the same.
template <class T, template <class> class Kind>
class Inversion {
 public:
  using Item = typename Kind<T>::Item;

  Inversion(const Problem& problem, const Sampler& sampler, std::int64_t images,
            WorkspaceLayout& layout);

  /// List q of the result has an item of `cell` p for each item of cell q that pixel p of the same image
  /// has, p ascending; lists are numbered from the first cell of `first_image`.
  Lists<Item> run(std::int64_t first_image, std::int64_t images, int threads,
                  std::byte* scratch) const;

 private:
  /// The items of pixel p start at p · per_pixel.
  struct Sampled {
    Item* items;
    std::uint8_t* counts;
  };

  /// The cursors of a chunk, one per cell.
  std::int64_t* cursors_of(std::int64_t chunk, std::int64_t* cursors) const noexcept {
    return cursors + chunk * problem_.cells();
  }

  template <class Visit>
  void each_block(std::int64_t chunk, Visit&& visit) const;
  void sample(std::int64_t chunk, std::int64_t first_image, const Sampled& sampled,
              std::int64_t* cursors) const;
  void place(std::int64_t image, Item* inverse, std::int64_t* first, std::int64_t* last,
             std::int64_t* cursors) const;
  void distribute(std::int64_t chunk, const Sampled& sampled, Item* inverse,
                  std::int64_t* cursors) const;

  const Problem& problem_;
  const Sampler& sampler_;
  std::int64_t per_pixel_;
  std::int64_t per_image_;  // the room for the lists of an image
  std::int64_t chunks_per_image_;
  std::int64_t pixels_per_chunk_;
  Slot<Item> sampled_, inverse_;
  Slot<std::uint8_t> counts_;
  Slot<std::int64_t> first_, last_;
  Slot<std::int64_t> cursors_;  // one per chunk and cell
};

}  // namespace mluop::rotated_feature_align
