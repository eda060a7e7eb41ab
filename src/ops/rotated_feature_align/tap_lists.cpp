// The inversion: a counting sort by cell whose chunks of pixels run in parallel.
#include "ops/rotated_feature_align/tap_lists.hpp"

#include <algorithm>
#include <utility>

#include "runtime/parallel.hpp"

namespace mluop::rotated_feature_align {

template <class T>
Inversion<T>::Inversion(const Problem& problem, std::int64_t images, WorkspaceLayout& layout)
    : problem_(problem),
      lists_per_cell_(lists_per_pixel(problem, sizeof(T))),
      lists_per_image_(problem.cells() * lists_per_cell_),
      chunks_per_image_(std::clamp<std::int64_t>(problem.cells() / 2048, 1, 16)),
      pixels_per_chunk_((problem.cells() - 1) / chunks_per_image_ + 1),
      sampled_(layout.add<Tap<Real>>(images * problem.cells() * problem.taps_per_pixel())),
      inverse_(layout.add<Tap<Real>>(images * problem.cells() * problem.taps_per_pixel())),
      counts_(layout.add<std::uint8_t>(images * problem.cells())),
      first_(layout.add<std::int64_t>(images * lists_per_image_)),
      last_(layout.add<std::int64_t>(images * lists_per_image_)),
      cursors_(layout.add<std::int64_t>(images * chunks_per_image_ * lists_per_image_)) {}

/// Calls visit(pixel of the image, pixel of the batch) for each pixel of a chunk, in order.
template <class T>
template <class Visit>
void Inversion<T>::each_pixel(std::int64_t chunk, Visit&& visit) const {
  const std::int64_t cells = problem_.cells();
  const std::int64_t image = chunk / chunks_per_image_;
  const std::int64_t begin = chunk % chunks_per_image_ * pixels_per_chunk_;
  const std::int64_t end = std::min(begin + pixels_per_chunk_, cells);
  for (std::int64_t pixel = begin; pixel < end; ++pixel) visit(pixel, image * cells + pixel);
}

/// Samples the boxes of a chunk and counts its taps per list.
template <class T>
void Inversion<T>::sample(std::int64_t chunk, std::int64_t first_image, const Sampled& sampled,
                          std::int64_t* count) const {
  const T* const boxes = static_cast<const T*>(problem_.boxes) + first_image * problem_.cells() * 5;
  std::fill_n(count, lists_per_image_, 0);
  each_pixel(chunk, [&](std::int64_t pixel, std::int64_t sample) {
    Real box[5];
    load_box(boxes + sample * 5, box);
    Tap<Real>* const begin = sampled.taps + sample * problem_.taps_per_pixel();
    Tap<Real>* const end = append_taps(box, problem_, OneList<Real>{{begin}}).ends[0];
    sampled.counts[sample] = static_cast<std::uint8_t>(end - begin);
    for (const Tap<Real>* tap = begin; tap != end; ++tap) ++count[list_of(tap->cell, pixel)];
  });
}

/// Turns the counts of an image into positions: list by list, within a list chunk by chunk. An image
/// needs no more room than the taps of its pixels, so images do not depend on each other.
template <class T>
void Inversion<T>::place(std::int64_t image, const TapLists<Real>& inverse,
                         std::int64_t* cursors) const {
  std::int64_t* const counts = cursors + image * chunks_per_image_ * lists_per_image_;
  std::int64_t position = image * problem_.cells() * problem_.taps_per_pixel();
  for (std::int64_t list = 0; list < lists_per_image_; ++list) {
    inverse.first[image * lists_per_image_ + list] = position;
    for (std::int64_t chunk = 0; chunk < chunks_per_image_; ++chunk) {
      position += std::exchange(counts[chunk * lists_per_image_ + list], position);
    }
    inverse.last[image * lists_per_image_ + list] = position;
  }
}

template <class T>
void Inversion<T>::distribute(std::int64_t chunk, const Sampled& sampled, Tap<Real>* inverse,
                              std::int64_t* next) const {
  each_pixel(chunk, [&](std::int64_t pixel, std::int64_t sample) {
    const Tap<Real>* const taps = sampled.taps + sample * problem_.taps_per_pixel();
    for (int t = 0; t < sampled.counts[sample]; ++t) {
      std::int64_t& position = next[list_of(taps[t].cell, pixel)];
      inverse[position++] = {static_cast<std::uint32_t>(pixel), taps[t].weight};
    }
  });
}

template <class T>
TapLists<Compute<T>> Inversion<T>::run(std::int64_t first_image, std::int64_t images, int threads,
                                       std::byte* scratch) const {
  const Sampled sampled{sampled_.in(scratch), counts_.in(scratch)};
  Tap<Real>* const taps = inverse_.in(scratch);
  const TapLists<Real> inverse{taps, first_.in(scratch), last_.in(scratch)};
  std::int64_t* const cursors = cursors_.in(scratch);
  const std::int64_t chunks = images * chunks_per_image_;
  const auto of_chunk = [&](std::int64_t chunk) { return cursors + chunk * lists_per_image_; };
  parallel_for(threads, chunks, 1, [&](std::int64_t chunk, std::int64_t, int) {
    sample(chunk, first_image, sampled, of_chunk(chunk));
  });
  parallel_for(threads, images, 1,
               [&](std::int64_t image, std::int64_t, int) { place(image, inverse, cursors); });
  parallel_for(threads, chunks, 1, [&](std::int64_t chunk, std::int64_t, int) {
    distribute(chunk, sampled, taps, of_chunk(chunk));
  });
  return inverse;
}

template class Inversion<float>;
template class Inversion<double>;
template class Inversion<Half>;
template class Inversion<BFloat16>;

}  // namespace mluop::rotated_feature_align
