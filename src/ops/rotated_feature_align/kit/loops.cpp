#include "ops/rotated_feature_align/kit/loops.hpp"

#include <algorithm>
#include <cmath>

#include "ops/rotated_feature_align/kit/sample_loops.hpp"
#include "runtime/parallel.hpp"

namespace mluop::rotated_feature_align {
namespace {

using reference::Shape;

/// The four cells around a sample, as offsets into the map of an image, and their weights.
template <class Real>
struct Corners {
  std::int64_t offsets[4];
  Real weights[4];
};

/// False for a sample outside of the map.
template <class Real>
bool find_corners(const Shape& shape, Real y, Real x, Corners<Real>& corners) {
  const Real H = static_cast<Real>(shape.H), W = static_cast<Real>(shape.W);
  if (!(y >= -1 && y <= H && x >= -1 && x <= W)) return false;
  y = std::clamp(y, Real(0), H - 1);
  x = std::clamp(x, Real(0), W - 1);
  const auto top = static_cast<std::int64_t>(y), left = static_cast<std::int64_t>(x);
  const std::int64_t bottom = std::min(top + 1, shape.H - 1);
  const std::int64_t right = std::min(left + 1, shape.W - 1);
  const Real down = y - static_cast<Real>(top), across = x - static_cast<Real>(left);
  const std::int64_t rows[] = {top, bottom}, columns[] = {left, right};
  const Real row_weights[] = {1 - down, down}, column_weights[] = {1 - across, across};
  for (int i = 0; i < 4; ++i) {
    corners.offsets[i] = (rows[i / 2] * shape.W + columns[i % 2]) * shape.C;
    corners.weights[i] = row_weights[i / 2] * column_weights[i % 2];
  }
  return true;
}

/// Calls visit(corners) for the samples of a box that are inside of the map.
template <class Real, class Visit>
void for_each_sample(const Shape& shape, const Real* box, Visit&& visit) {
  const Real scale = shape.spatial_scale, y = box[0] * scale, x = box[1] * scale;
  Corners<Real> corners;
  if (find_corners(shape, y, x, corners)) visit(corners);
  if (shape.points == 1) return;
  const Real half_width = box[2] * scale / 2, half_height = box[3] * scale / 2;
  const Real cosine = std::cos(box[4]), sine = std::sin(box[4]);
  constexpr int along[] = {1, -1, -1, 1}, across[] = {1, 1, -1, -1};
  for (int i = 0; i < 4; ++i) {
    const Real w = static_cast<Real>(along[i]) * half_width;
    const Real h = static_cast<Real>(across[i]) * half_height;
    if (find_corners(shape, y + sine * w + cosine * h, x + cosine * w - sine * h, corners)) {
      visit(corners);
    }
  }
}

template <class Real>
void forward(const Shape& shape, const Real* input, const Real* boxes, Real* output,
             const testing::LoopSettings& settings) {
  const SampleLoops<Real>& loops = sample_loops<Real>(settings.isa);
  const std::int64_t image = shape.H * shape.W;
  const auto sample_rows = [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t pixel = begin * shape.W; pixel < end * shape.W; ++pixel) {
      Real* sums = output + pixel * shape.C;
      std::copy_n(input + pixel * shape.C, shape.C, sums);
      const Real* map = input + pixel / image * image * shape.C;
      for_each_sample(shape, boxes + pixel * 5, [&](const Corners<Real>& corners) {
        loops.gather(map, corners.offsets, corners.weights, shape.C, sums);
      });
    }
  };
  parallel_for(settings.threads, shape.N * shape.H, 1, sample_rows);
}

template <class Real>
void backward(const Shape& shape, const Real* top, const Real* boxes, Real* bottom,
              const testing::LoopSettings& settings) {
  const SampleLoops<Real>& loops = sample_loops<Real>(settings.isa);
  const std::int64_t image = shape.H * shape.W;
  const auto add_images = [&](std::int64_t begin, std::int64_t end, int) {
    Real* map = bottom + begin * image * shape.C;
    std::copy(top + begin * image * shape.C, top + end * image * shape.C, map);
    for (std::int64_t pixel = begin * image; pixel < end * image; ++pixel) {
      Real* sums = bottom + pixel / image * image * shape.C;
      for_each_sample(shape, boxes + pixel * 5, [&](const Corners<Real>& corners) {
        loops.scatter(top + pixel * shape.C, corners.offsets, corners.weights, shape.C, sums);
      });
    }
  };
  parallel_for(settings.threads, shape.N, 1, add_images);
}

}  // namespace

void AlignLoops::run(const Shape& shape, bool backwards, const testing::HostTensor& source,
                     const testing::HostTensor& boxes, testing::HostTensor& result,
                     const testing::LoopSettings& settings) {
  testing::in_loop_type(result.dtype(), [&]<class Real>(Real) {
    const Real* from = source_.read<Real>(source, settings);
    const Real* fields = boxes_.read<Real>(boxes, settings);
    Real* to = result_.write<Real>(result);
    (backwards ? backward<Real> : forward<Real>)(shape, from, fields, to, settings);
  });
  result_.store(result, settings);
}

}  // namespace mluop::rotated_feature_align
