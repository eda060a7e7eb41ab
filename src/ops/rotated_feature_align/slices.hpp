// Forward slice by slice: a few channels of a whole image, in the type sums have, so small that the
// caches next to a core hold them while every pixel is gathered.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/workspace.hpp"
#include "ops/rotated_feature_align/rotated_feature_align.hpp"
#include "ops/rotated_feature_align/samples.hpp"
#include "ops/rotated_feature_align/slice_kernel.hpp"
#include "runtime/parallel.hpp"

namespace mluop::rotated_feature_align {

/// Samples the boxes of a batch of images, then gathers their slices. Tasks are cut by the problem alone.
template <class T>
class Slices {
 public:
  /// Whether this pays: 16-bit elements are converted once here, not with each of 20 taps, and a slice
  /// stays in L2 together with the points.
  static bool worthwhile(const Problem& problem) noexcept {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 19;
    return problem.points == most_points && sizeof(T) < sizeof(Real) && problem.C >= width &&
           problem.cells() * slice_row_bytes <= most_bytes;
  }

  Slices(const Problem& problem, int threads, WorkspaceLayout& layout)
      : problem_(problem),
        threads_(threads),
        batch_(std::clamp<std::int64_t>(pixels_per_batch / problem.cells(), 1, problem.N)),
        slices_((problem.C - 1) / width + 1),
        elements_(slice_elements<Real>(problem.H, problem.W)),
        points_(layout.add<SamplePoint<Real>>(batch_ * problem.cells() * most_points)),
        counts_(layout.add<std::uint8_t>(batch_ * problem.cells())),
        room_(layout.add<Real>(elements_ * team_size(threads, batch_ * slices_, 1))) {}

  void run(const Sampler& sampler, SliceKernel<T> kernel, std::byte* scratch) const {
    for (std::int64_t image = 0; image < problem_.N; image += batch_) {
      const std::int64_t images = std::min(batch_, problem_.N - image);
      sample(sampler, image, images, scratch);
      gather(kernel, image, images, scratch);
    }
  }

 private:
  using Real = Compute<T>;
  static constexpr std::int64_t most_points = SliceGather<T>::most_points;
  static constexpr std::int64_t width = slice_width<Real>;
  static constexpr std::int64_t pixels_per_batch = 32768;

  void sample(const Sampler& sampler, std::int64_t first_image, std::int64_t images,
              std::byte* scratch) const {
    SamplePoint<Real>* const points = points_.in(scratch);
    std::uint8_t* const counts = counts_.in(scratch);
    const std::int64_t cells = problem_.cells();
    const T* const boxes = static_cast<const T*>(problem_.boxes) + first_image * cells * 5;
    const auto sample_pixels = [&](std::int64_t begin, std::int64_t end, int) {
      SampledBoxes<Real> block;
      sampler.load(boxes + begin * 5, 0, end - begin, block);
      sampler.locate(block, end - begin, problem_, problem_.W + 1);
      for (std::int64_t pixel = begin; pixel < end; ++pixel) {
        SamplePoint<Real>* const first = points + pixel * most_points;
        const auto* const last = block.append(pixel - begin, PointsInOrder<Real>{first}).end;
        counts[pixel] = static_cast<std::uint8_t>(last - first);
      }
    };
    parallel_for(threads_, images * cells, SampledBoxes<Real>::most, sample_pixels);
  }

  void gather(SliceKernel<T> kernel, std::int64_t first_image, std::int64_t images,
              std::byte* scratch) const {
    const SamplePoint<Real>* const points = points_.in(scratch);
    const std::uint8_t* const counts = counts_.in(scratch);
    Real* const room = room_.in(scratch);
    const std::int64_t cells = problem_.cells();
    const auto gather_slice = [&](std::int64_t task, std::int64_t, int worker) {
      const std::int64_t image = task / slices_;
      const std::int64_t channel = task % slices_ * width;
      const std::int64_t offset = (first_image + image) * cells * problem_.C + channel;
      kernel({.image = static_cast<const T*>(problem_.features) + offset,
              .result = static_cast<T*>(problem_.result) + offset,
              .H = problem_.H,
              .W = problem_.W,
              .C = problem_.C,
              .channels = std::min(width, problem_.C - channel),
              .points = points + image * cells * most_points,
              .counts = counts + image * cells,
              .slice = room + worker * elements_,
              .more = channel + 2 * width <= problem_.C});
    };
    parallel_for(threads_, images * slices_, 1, gather_slice);
  }

  const Problem& problem_;
  int threads_;
  std::int64_t batch_;     // images
  std::int64_t slices_;    // of an image
  std::int64_t elements_;  // of a slice
  Slot<SamplePoint<Real>> points_;
  Slot<std::uint8_t> counts_;
  Slot<Real> room_;  // a slice per worker
};

}  // namespace mluop::rotated_feature_align
