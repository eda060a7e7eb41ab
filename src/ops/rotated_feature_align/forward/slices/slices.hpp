// Forward slice by slice: a few channels of a whole image, widened, small enough to stay in L2 while every pixel is
// gathered.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "core/numbers/integers.hpp"
#include "ops/rotated_feature_align/forward/slices/slice_kernel.hpp"
#include "ops/rotated_feature_align/problem.hpp"
#include "ops/rotated_feature_align/sampling/samples.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::rotated_feature_align {

/// Samples the boxes of a batch of images, then gathers their slices. Tasks depend on the problem alone.
template <class T>
class Slices {
 public:
  Slices(const Problem& problem, int threads, WorkspaceLayout& layout)
      : problem_(problem),
        threads_(threads),
        batch_(std::clamp<std::int64_t>(pixels_per_batch / problem.cells(), 1, problem.N)),
        slices_(ceil_div(problem.C, width)),
        elements_(slice_elements<Real>(problem.H, problem.W)),
        points_(layout.add<SamplePoint<Real>>(batch_ * problem.cells() * most_points)),
        counts_(layout.add<std::uint8_t>(batch_ * problem.cells())),
        room_(layout.add<Real>(elements_ * team_size(threads, batch_ * slices_, 1))) {}

  void run(const Sampler& sampler, SliceKernel<T> kernel, std::byte* scratch) const {
    note_plan("images_per_batch", batch_);
    note_plan("slices", slices_);
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
