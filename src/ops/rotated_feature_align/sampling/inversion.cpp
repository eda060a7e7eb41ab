// The inversion: a counting sort by cell whose chunks of pixels run in parallel.
#include "ops/rotated_feature_align/sampling/inversion.hpp"

#include <algorithm>
#include <utility>

#include "core/numbers/integers.hpp"
#include "runtime/parallel.hpp"

namespace mluop::rotated_feature_align {

template <class T, template <class> class Kind>
Inversion<T, Kind>::Inversion(const Problem& problem, const Sampler& sampler, std::int64_t images,
                              WorkspaceLayout& layout)
    : problem_(problem),
      sampler_(sampler),
      per_pixel_(Kind<T>::per_pixel(problem)),
      per_image_(problem.cells() * per_pixel_ + items_ahead),
      chunks_per_image_(std::clamp<std::int64_t>(problem.cells() / 2048, 1, 16)),
      pixels_per_chunk_(ceil_div(problem.cells(), chunks_per_image_)),
      sampled_(layout.add<Item>(images * problem.cells() * per_pixel_)),
      inverse_(layout.add<Item>(images * per_image_)),
      counts_(layout.add<std::uint8_t>(images * problem.cells())),
      first_(layout.add<std::int64_t>(images * problem.cells())),
      last_(layout.add<std::int64_t>(images * problem.cells())),
      cursors_(layout.add<std::int64_t>(images * chunks_per_image_ * problem.cells())) {}

/// Calls visit(first pixel of the image, its list, pixels) for each block of the pixels of a chunk, in
/// order.
template <class T, template <class> class Kind>
template <class Visit>
void Inversion<T, Kind>::each_block(std::int64_t chunk, Visit&& visit) const {
  const std::int64_t cells = problem_.cells();
  const std::int64_t image = chunk / chunks_per_image_;
  const std::int64_t begin = chunk % chunks_per_image_ * pixels_per_chunk_;
  const std::int64_t end = std::min(begin + pixels_per_chunk_, cells);
  constexpr std::int64_t most = SampledBoxes<Compute<T>>::most;
  for (std::int64_t pixel = begin; pixel < end; pixel += most) {
    visit(pixel, image * cells + pixel, std::min(most, end - pixel));
  }
}

/// Samples the boxes of a chunk and counts its items per cell.
template <class T, template <class> class Kind>
void Inversion<T, Kind>::sample(std::int64_t chunk, std::int64_t first_image,
                                const Sampled& sampled, std::int64_t* cursors) const {
  const T* const boxes = static_cast<const T*>(problem_.boxes) + first_image * problem_.cells() * 5;
  std::fill_n(cursors, problem_.cells(), 0);
  SampledBoxes<Compute<T>> block;
  each_block(chunk, [&](std::int64_t, std::int64_t list, std::int64_t pixels) {
    sampler_.load(boxes + list * 5, 0, pixels, block);
    sampler_.locate(block, pixels, problem_, problem_.W);
    for (std::int64_t i = 0; i < pixels; ++i) {
      Item* const begin = sampled.items + (list + i) * per_pixel_;
      Item* const end = block.append(i, typename Kind<T>::Writer{begin}).end;
      sampled.counts[list + i] = static_cast<std::uint8_t>(end - begin);
      for (const Item* item = begin; item != end; ++item) ++cursors[item->cell];
    }
  });
}

/// Turns the counts of an image into positions: cell by cell, within a cell chunk by chunk. Every image has room for
/// all items of its pixels and those to look ahead, so images are independent.
template <class T, template <class> class Kind>
void Inversion<T, Kind>::place(std::int64_t image, Item* inverse, std::int64_t* first,
                               std::int64_t* last, std::int64_t* cursors) const {
  const std::int64_t cells = problem_.cells();
  std::int64_t* const counts = cursors_of(image * chunks_per_image_, cursors);
  std::int64_t position = image * per_image_;
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    first[image * cells + cell] = position;
    for (std::int64_t chunk = 0; chunk < chunks_per_image_; ++chunk) {
      position += std::exchange(counts[chunk * cells + cell], position);
    }
    last[image * cells + cell] = position;
  }
  std::fill_n(inverse + position, items_ahead, Item{});
}

template <class T, template <class> class Kind>
void Inversion<T, Kind>::distribute(std::int64_t chunk, const Sampled& sampled, Item* inverse,
                                    std::int64_t* cursors) const {
  each_block(chunk, [&](std::int64_t first, std::int64_t first_list, std::int64_t pixels) {
    for (std::int64_t i = 0; i < pixels; ++i) {
      const Item* const items = sampled.items + (first_list + i) * per_pixel_;
      for (int t = 0; t < sampled.counts[first_list + i]; ++t) {
        Item& to = inverse[cursors[items[t].cell]++];
        to = items[t];
        to.cell = static_cast<std::uint32_t>(first + i);
      }
    }
  });
}

template <class T, template <class> class Kind>
auto Inversion<T, Kind>::run(std::int64_t first_image, std::int64_t images, int threads,
                             std::byte* scratch) const -> Lists<Item> {
  const Sampled sampled{sampled_.in(scratch), counts_.in(scratch)};
  Item* const items = inverse_.in(scratch);
  std::int64_t* const first = first_.in(scratch);
  std::int64_t* const last = last_.in(scratch);
  std::int64_t* const cursors = cursors_.in(scratch);
  const std::int64_t chunks = images * chunks_per_image_;
  if (chunks_per_image_ == 1) {  // one task does all three steps
    parallel_for(threads, images, 1, [&](std::int64_t image, std::int64_t, int) {
      sample(image, first_image, sampled, cursors_of(image, cursors));
      place(image, items, first, last, cursors);
      distribute(image, sampled, items, cursors_of(image, cursors));
    });
    return {items, first, last};
  }
  parallel_for(threads, chunks, 1, [&](std::int64_t chunk, std::int64_t, int) {
    sample(chunk, first_image, sampled, cursors_of(chunk, cursors));
  });
  parallel_for(threads, images, 1, [&](std::int64_t image, std::int64_t, int) {
    place(image, items, first, last, cursors);
  });
  parallel_for(threads, chunks, 1, [&](std::int64_t chunk, std::int64_t, int) {
    distribute(chunk, sampled, items, cursors_of(chunk, cursors));
  });
  return {items, first, last};
}

template class Inversion<float, TapsOf>;
template class Inversion<double, TapsOf>;
template class Inversion<Half, TapsOf>;
template class Inversion<BFloat16, TapsOf>;
template class Inversion<float, PointsOf>;
template class Inversion<double, PointsOf>;
template class Inversion<Half, PointsOf>;
template class Inversion<BFloat16, PointsOf>;

}  // namespace mluop::rotated_feature_align
