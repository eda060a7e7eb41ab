// How `scatter` cuts images into bands and runs them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "core/numbers/integers.hpp"
#include "ops/rotated_feature_align/backward/scatter/scatter_kernel.hpp"
#include "ops/rotated_feature_align/sampling/narrow.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::rotated_feature_align::backward {

/// The bands of rows of an image: enough tasks for the threads of a large machine, sums that fit L2, and not so few
/// cells that many points belong to two bands.
inline std::int64_t scatter_bands(const Problem& problem, std::size_t real) noexcept {
  constexpr std::int64_t tasks = 32, least_cells = 1024, most_bytes = std::int64_t{1} << 19;
  const std::int64_t bytes =
      problem.cells() * narrow_width(problem.C) * static_cast<std::int64_t>(real);
  const std::int64_t bands = std::max(
      std::min(ceil_div(tasks, problem.N), problem.cells() / least_cells), bytes / most_bytes);
  return std::clamp<std::int64_t>(bands, 1, problem.H);
}

/// The sampled pixels of a block, and the cells that they touch: none if first > last.
template <class Real>
struct TouchedBlock {
  SampledBoxes<Real> boxes;
  std::int64_t first, last;

  void find_cells(std::int64_t count) noexcept {
    std::uint32_t low = UINT32_MAX, high = 0;
    for (int k = 0; k < boxes.points; ++k) {
      const auto& point = boxes.at[k];
      for (std::int64_t i = 0; i < count; ++i) {
        if (point.inside[i] == 0) continue;
        low = std::min(low, point.cell[i]);
        high = std::max(high, point.cell[i] + point.right[i] + point.below[i]);
      }
    }
    first = low;
    last = high;
  }
};

template <class T>
class Scattering {
 public:
  Scattering(const Problem& problem, const Sampler& sampler, const ScatterKernels& kernels,
             int threads, WorkspaceLayout& layout)
      : problem_(problem),
        sampler_(sampler),
        kernels_(kernels),
        threads_(threads),
        rows_(ceil_div(problem.H, scatter_bands(problem, sizeof(Real)))),
        bands_(ceil_div(problem.H, rows_)),
        blocks_(ceil_div(problem.cells(), most)),
        batch_(bands_ == 1 ? problem.N
                           : std::clamp<std::int64_t>(32768 / problem.cells(), 1, problem.N)),
        sums_size_((rows_ + 2) * problem.W * narrow_width(problem.C)),
        sums_(layout.add<Real>(sums_size_ * team_size(threads, batch_ * bands_, 1))),
        sampled_(layout.add<TouchedBlock<Real>>(bands_ == 1 ? 0 : batch_ * blocks_)) {}

  void run(std::byte* scratch) const {
    note_plan("band_rows", rows_);
    note_plan("images_per_batch", batch_);
    for (std::int64_t image = 0; image < problem_.N; image += batch_) {
      const std::int64_t images = std::min(batch_, problem_.N - image);
      if (bands_ == 1) {
        scatter_images(image, images, scratch);
      } else {
        sample(image, images, scratch);
        scatter_bands_of(image, images, scratch);
      }
    }
  }

 private:
  using Real = Compute<T>;
  static constexpr std::int64_t most = SampledBoxes<Real>::most;

  std::int64_t pixels_of(std::int64_t block) const noexcept {
    return std::min(most, problem_.cells() - block * most);
  }
  Scatter<T> band_of(std::int64_t image, std::int64_t band, int worker, std::byte* scratch) const {
    const std::int64_t offset = image * problem_.cells() * problem_.C;
    return {.image = static_cast<const T*>(problem_.features) + offset,
            .result = static_cast<T*>(problem_.result) + offset,
            .W = problem_.W,
            .C = problem_.C,
            .begin = band * rows_ * problem_.W,
            .end = std::min((band + 1) * rows_, problem_.H) * problem_.W,
            .whole_rows = whole_rows(problem_, image),
            .sums = sums_.in(scratch) + worker * sums_size_};
  }

  /// Whole images: a block is sampled and added at once.
  void scatter_images(std::int64_t first_image, std::int64_t images, std::byte* scratch) const {
    parallel_for(threads_, images, 1, [&](std::int64_t image, std::int64_t, int worker) {
      const Scatter<T> scatter = band_of(first_image + image, 0, worker, scratch);
      SampledBoxes<Real> boxes;
      kernels_.begin.of<T>()(scatter);
      for (std::int64_t block = 0; block < blocks_; ++block) {
        const std::int64_t pixel = block * most, count = pixels_of(block);
        sample_block<T>(problem_, sampler_, first_image + image, pixel, count, boxes);
        kernels_.add.of<T>()(scatter, boxes, pixel, count);
      }
      kernels_.finish.of<T>()(scatter);
    });
  }

  void sample(std::int64_t first_image, std::int64_t images, std::byte* scratch) const {
    TouchedBlock<Real>* const sampled = sampled_.in(scratch);
    constexpr std::int64_t grain = 8;
    parallel_for(threads_, images * blocks_, grain, [&](std::int64_t at, std::int64_t end, int) {
      for (; at < end; ++at) {
        const std::int64_t block = at % blocks_, count = pixels_of(block);
        sample_block<T>(problem_, sampler_, first_image + at / blocks_, block * most, count,
                        sampled[at].boxes);
        sampled[at].find_cells(count);
      }
    });
  }

  /// Every band takes the points that touch it, from the blocks that do.
  void scatter_bands_of(std::int64_t first_image, std::int64_t images, std::byte* scratch) const {
    const TouchedBlock<Real>* const sampled = sampled_.in(scratch);
    parallel_for(threads_, images * bands_, 1, [&](std::int64_t task, std::int64_t, int worker) {
      const std::int64_t image = task / bands_;
      const Scatter<T> scatter = band_of(first_image + image, task % bands_, worker, scratch);
      kernels_.begin.of<T>()(scatter);
      for (std::int64_t block = 0; block < blocks_; ++block) {
        const TouchedBlock<Real>& touched = sampled[image * blocks_ + block];
        if (touched.first >= scatter.end || touched.last < scatter.begin) continue;
        kernels_.add.of<T>()(scatter, touched.boxes, block * most, pixels_of(block));
      }
      kernels_.finish.of<T>()(scatter);
    });
  }

  const Problem& problem_;
  const Sampler& sampler_;
  const ScatterKernels& kernels_;
  int threads_;
  std::int64_t rows_, bands_, blocks_;
  std::int64_t batch_;  // images
  std::int64_t sums_size_;
  Slot<Real> sums_;
  Slot<TouchedBlock<Real>> sampled_;
};

}  // namespace mluop::rotated_feature_align::backward
