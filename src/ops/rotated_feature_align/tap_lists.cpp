// The inversion: a counting sort by cell whose chunks of pixels run in parallel.
#include "ops/rotated_feature_align/tap_lists.hpp"

#include <algorithm>
#include <utility>

#include "runtime/parallel.hpp"

namespace mluop::rotated_feature_align {

template <class T>
Inversion<T>::Inversion(const Problem& problem, std::int64_t images, WorkspaceLayout& layout)
    : problem_(problem),
      parts_(odd_cells_come_last(problem, sizeof(T)) ? 2 : 1),
      chunks_per_image_(std::clamp<std::int64_t>(problem.cells() / 2048, 1, 16)),
      pixels_per_chunk_((problem.cells() - 1) / chunks_per_image_ + 1),
      sampled_(layout.add<Tap<Real>>(images * problem.cells() * problem.taps_per_pixel())),
      inverse_(layout.add<Tap<Real>>(images * problem.cells() * problem.taps_per_pixel())),
      counts_(layout.add<std::uint8_t>(images * problem.cells())),
      first_(layout.add<std::int64_t>(images * problem.cells())),
      middle_(layout.add<std::int64_t>((parts_ - 1) * images * problem.cells())),
      last_(layout.add<std::int64_t>(images * problem.cells())),
      cursors_(layout.add<std::int64_t>(images * parts_ * chunks_per_image_ * problem.cells())) {}

/// Calls visit(first pixel of the image, its list, pixels) for each block of the pixels of a chunk, in
/// order.
template <class T>
template <class Visit>
void Inversion<T>::each_block(std::int64_t chunk, Visit&& visit) const {
  const std::int64_t cells = problem_.cells();
  const std::int64_t image = chunk / chunks_per_image_;
  const std::int64_t begin = chunk % chunks_per_image_ * pixels_per_chunk_;
  const std::int64_t end = std::min(begin + pixels_per_chunk_, cells);
  constexpr std::int64_t most = SampledBoxes<Real>::most;
  for (std::int64_t pixel = begin; pixel < end; pixel += most) {
    visit(pixel, image * cells + pixel, std::min(most, end - pixel));
  }
}

/// Samples the boxes of a chunk and counts its taps per cell and part.
template <class T>
void Inversion<T>::sample(std::int64_t chunk, std::int64_t first_image, const Sampled& sampled,
                          std::int64_t* cursors) const {
  const T* const boxes = static_cast<const T*>(problem_.boxes) + first_image * problem_.cells() * 5;
  const std::int64_t per_part = cursors_per_part();
  for (std::int64_t part = 0; part < parts_; ++part) {
    std::fill_n(cursors + part * per_part, problem_.cells(), 0);
  }
  SampledBoxes<Real> block;
  each_block(chunk, [&](std::int64_t pixel, std::int64_t list, std::int64_t pixels) {
    for (std::int64_t i = 0; i < pixels; ++i) block.load(i, boxes + (list + i) * 5);
    block.locate(pixels, problem_, problem_.W);
    for (std::int64_t i = 0; i < pixels; ++i) {
      std::int64_t* const count = cursors + part_of(pixel + i) * per_part;
      Tap<Real>* const begin = sampled.taps + (list + i) * problem_.taps_per_pixel();
      Tap<Real>* const end = block.append(i, InOrder<Real>{begin}).end;
      sampled.counts[list + i] = static_cast<std::uint8_t>(end - begin);
      for (const Tap<Real>* tap = begin; tap != end; ++tap) ++count[tap->cell];
    }
  });
}

/// Turns the counts of an image into positions: cell by cell, within a cell part by part, within a
/// part chunk by chunk. An image needs no more room than the taps of its pixels, so images do not
/// depend on each other.
template <class T>
void Inversion<T>::place(std::int64_t image, const Ranges& ranges, std::int64_t* cursors) const {
  const std::int64_t cells = problem_.cells();
  std::int64_t* const counts = cursors_of(image * chunks_per_image_, cursors);
  std::int64_t position = image * cells * problem_.taps_per_pixel();
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    const auto place_part = [&](std::int64_t* count) {
      for (std::int64_t chunk = 0; chunk < chunks_per_image_; ++chunk) {
        position += std::exchange(count[chunk * cells], position);
      }
    };
    ranges.first[image * cells + cell] = position;
    place_part(counts + cell);
    if (parts_ == 2) {
      ranges.middle[image * cells + cell] = position;
      place_part(counts + cursors_per_part() + cell);
    }
    ranges.last[image * cells + cell] = position;
  }
}

template <class T>
void Inversion<T>::distribute(std::int64_t chunk, const Sampled& sampled, Tap<Real>* inverse,
                              std::int64_t* cursors) const {
  const std::int64_t per_part = cursors_per_part();
  each_block(chunk, [&](std::int64_t first, std::int64_t first_list, std::int64_t pixels) {
    for (std::int64_t i = 0; i < pixels; ++i) {
      const std::int64_t pixel = first + i, list = first_list + i;
      std::int64_t* const next = cursors + part_of(pixel) * per_part;
      const Tap<Real>* const taps = sampled.taps + list * problem_.taps_per_pixel();
      for (int t = 0; t < sampled.counts[list]; ++t) {
        inverse[next[taps[t].cell]++] = {static_cast<std::uint32_t>(pixel), taps[t].weight};
      }
    }
  });
}

template <class T>
TapLists<Compute<T>> Inversion<T>::run(std::int64_t first_image, std::int64_t images, int threads,
                                       std::byte* scratch) const {
  const Sampled sampled{sampled_.in(scratch), counts_.in(scratch)};
  Tap<Real>* const taps = inverse_.in(scratch);
  const Ranges ranges{first_.in(scratch), middle_.in(scratch), last_.in(scratch)};
  std::int64_t* const cursors = cursors_.in(scratch);
  const std::int64_t chunks = images * chunks_per_image_;
  parallel_for(threads, chunks, 1, [&](std::int64_t chunk, std::int64_t, int) {
    sample(chunk, first_image, sampled, cursors_of(chunk, cursors));
  });
  parallel_for(threads, images, 1,
               [&](std::int64_t image, std::int64_t, int) { place(image, ranges, cursors); });
  parallel_for(threads, chunks, 1, [&](std::int64_t chunk, std::int64_t, int) {
    distribute(chunk, sampled, taps, cursors_of(chunk, cursors));
  });
  return {taps, ranges.first, parts_ == 1 ? nullptr : ranges.middle, ranges.last};
}

template class Inversion<float>;
template class Inversion<double>;
template class Inversion<Half>;
template class Inversion<BFloat16>;

}  // namespace mluop::rotated_feature_align
