#include "ops/roi_align/kit/loops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ops/roi_align/kit/channel_loops.hpp"
#include "runtime/parallel.hpp"

namespace mluop::roi_align {
namespace {

using reference::Shape;
using testing::LoopSettings;

/// False for a sample outside of the image.
template <class Real>
bool find_corners(const Shape& shape, Real y, Real x, Corners<Real>& corners) {
  const Real H = static_cast<Real>(shape.H), W = static_cast<Real>(shape.W);
  corners.y = y;
  corners.x = x;
  if (!(y >= -1 && y <= H && x >= -1 && x <= W)) return false;
  y = std::clamp(y, Real(0), H - 1);
  x = std::clamp(x, Real(0), W - 1);
  const auto top = static_cast<std::int64_t>(y), left = static_cast<std::int64_t>(x);
  const std::int64_t rows[] = {top, std::min(top + 1, shape.H - 1)};
  const std::int64_t columns[] = {left, std::min(left + 1, shape.W - 1)};
  const Real down = y - static_cast<Real>(top), across = x - static_cast<Real>(left);
  const Real row_weights[] = {1 - down, down}, column_weights[] = {1 - across, across};
  for (int i = 0; i < 4; ++i) {
    corners.offset[i] = (rows[i / 2] * shape.W + columns[i % 2]) * shape.C;
    corners.weight[i] = row_weights[i / 2] * column_weights[i % 2];
  }
  return true;
}

/// The bins of a box.
template <class Real>
struct LoopBox {
  std::int64_t image;
  Real x, y, bin_w, bin_h;
  std::int64_t columns, rows;  // samples of a bin

  LoopBox(const Shape& shape, const Real* box) : image(static_cast<std::int64_t>(box[0])) {
    const Real scale = shape.spatial_scale, offset = shape.aligned ? Real(0.5) : Real(0);
    x = box[1] * scale - offset;
    y = box[2] * scale - offset;
    Real w = box[3] * scale - offset - x, h = box[4] * scale - offset - y;
    if (!shape.aligned) {
      w = w > 1 ? w : 1;
      h = h > 1 ? h : 1;
    }
    bin_w = w / static_cast<Real>(shape.PW);
    bin_h = h / static_cast<Real>(shape.PH);
    const auto samples = [&](Real bin) {
      if (shape.sampling_ratio > 0) return std::int64_t{shape.sampling_ratio};
      const float ceiling = std::ceil(static_cast<float>(bin));
      return ceiling > 0 && ceiling < 0x1p31f ? static_cast<std::int64_t>(ceiling) : 0;
    };
    columns = samples(bin_w);
    rows = samples(bin_h);
  }
  Real count() const { return static_cast<Real>(std::max<std::int64_t>(rows * columns, 1)); }

  /// Calls visit(corners, inside) for the samples of a bin.
  template <class Visit>
  void for_each_sample(const Shape& shape, std::int64_t bin, Visit&& visit) const {
    Corners<Real> corners;
    for (std::int64_t i = 0; i < rows * columns; ++i) {
      const auto row = static_cast<Real>(i / columns), column = static_cast<Real>(i % columns);
      const Real at_y = y + static_cast<Real>(bin / shape.PW) * bin_h +
                        (row + Real(0.5)) * bin_h / static_cast<Real>(rows);
      const Real at_x = x + static_cast<Real>(bin % shape.PW) * bin_w +
                        (column + Real(0.5)) * bin_w / static_cast<Real>(columns);
      const bool inside = find_corners(shape, at_y, at_x, corners);
      visit(std::as_const(corners), inside);
    }
  }
};

template <class Real>
void average_box(const Shape& shape, const LoopBox<Real>& box, const ChannelLoops<Real>& loops,
                 const Real* image, Real* output) {
  for (std::int64_t bin = 0; bin < shape.PH * shape.PW; ++bin) {
    Real* const sums = output + bin * shape.C;
    std::fill_n(sums, shape.C, Real(0));
    box.for_each_sample(shape, bin, [&](const Corners<Real>& corners, bool inside) {
      if (inside) loops.add(image, corners, shape.C, sums);
    });
    for (std::int64_t c = 0; c < shape.C; ++c) sums[c] /= box.count();
  }
}

template <class Real>
void maximum_box(const Shape& shape, const LoopBox<Real>& box, const ChannelLoops<Real>& loops,
                 const Real* image, const Largest<Real>& first) {
  for (std::int64_t bin = 0; bin < shape.PH * shape.PW; ++bin) {
    const Largest<Real> largest{first.value + bin * shape.C, first.x + bin * shape.C,
                                first.y + bin * shape.C};
    std::fill_n(largest.value, shape.C, -std::numeric_limits<float>::max());
    std::fill_n(largest.x, shape.C, Real(-1));
    std::fill_n(largest.y, shape.C, Real(-1));
    box.for_each_sample(shape, bin, [&](const Corners<Real>& corners, bool inside) {
      if (inside) return loops.compete(image, corners, shape.C, largest);
      for (std::int64_t c = 0; c < shape.C; ++c) {
        if (!(Real(0) > largest.value[c])) continue;
        largest.value[c] = 0;
        largest.x[c] = corners.x;
        largest.y[c] = corners.y;
      }
    });
  }
}

/// What backward reads and writes; argmax is null of averages.
template <class Real>
struct Gradient {
  const Real *boxes, *grads, *argmax_x, *argmax_y;
  Real* images;
};

/// Channels [begin, end) of all boxes.
template <class Real>
void scatter_channels(const Shape& shape, const Gradient<Real>& gradient,
                      const ChannelLoops<Real>& loops, std::int64_t begin, std::int64_t end) {
  const std::int64_t cells = shape.N * shape.H * shape.W, bins = shape.PH * shape.PW;
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    std::fill(gradient.images + cell * shape.C + begin, gradient.images + cell * shape.C + end,
              Real(0));
  }
  for (std::int64_t i = 0; i < shape.K * bins; ++i) {
    const LoopBox<Real> box(shape, gradient.boxes + i / bins * 5);
    Real* const image = gradient.images + box.image * shape.H * shape.W * shape.C;
    const Real* const grads = gradient.grads + i * shape.C;
    if (!shape.maximum) {
      box.for_each_sample(shape, i % bins, [&](const Corners<Real>& corners, bool inside) {
        if (!inside) return;
        loops.scatter(grads + begin, corners, box.count(), end - begin, image + begin);
      });
      continue;
    }
    Corners<Real> corners;
    for (std::int64_t c = begin; c < end; ++c) {
      const Real y = gradient.argmax_y[i * shape.C + c], x = gradient.argmax_x[i * shape.C + c];
      if (y == -1 || !find_corners(shape, y, x, corners)) continue;
      loops.scatter(grads + c, corners, Real(1), 1, image + c);
    }
  }
}

}  // namespace

void AlignLoops::forward(const Shape& shape, Tensors& tensors, const LoopSettings& settings) {
  testing::in_loop_type(tensors.images.dtype(), [&]<class Real>(Real) {
    const Real* const images = images_.read<Real>(tensors.images, settings);
    const Real* const boxes = boxes_.read<Real>(tensors.boxes, settings);
    Real* to[3] = {};
    for (std::size_t i = 0; i < tensors.bin_tensors(shape); ++i) {
      to[i] = bins_[i].write<Real>(tensors.bins[i]);
    }
    const ChannelLoops<Real>& loops = channel_loops<Real>(settings.isa);
    parallel_for(settings.threads, shape.K, 1, [&](std::int64_t k, std::int64_t, int) {
      const LoopBox<Real> box(shape, boxes + 5 * k);
      const Real* const image = images + box.image * shape.H * shape.W * shape.C;
      const std::int64_t first = k * shape.PH * shape.PW * shape.C;
      if (shape.maximum) {
        maximum_box(shape, box, loops, image, {to[0] + first, to[1] + first, to[2] + first});
      } else {
        average_box(shape, box, loops, image, to[0] + first);
      }
    });
    for (std::size_t i = 0; i < tensors.bin_tensors(shape); ++i) {
      bins_[i].store(tensors.bins[i], settings);
    }
  });
}

void AlignLoops::backward(const Shape& shape, Tensors& tensors, const LoopSettings& settings) {
  testing::in_loop_type(tensors.images.dtype(), [&]<class Real>(Real) {
    const Real* from[3] = {};
    for (std::size_t i = 0; i < tensors.bin_tensors(shape); ++i) {
      from[i] = bins_[i].read<Real>(tensors.bins[i], settings);
    }
    const Gradient<Real> gradient{boxes_.read<Real>(tensors.boxes, settings), from[0], from[1],
                                  from[2], images_.write<Real>(tensors.images)};
    const ChannelLoops<Real>& loops = channel_loops<Real>(settings.isa);
    constexpr std::int64_t block = 32;
    parallel_for(settings.threads, shape.C, block, [&](std::int64_t begin, std::int64_t end, int) {
      scatter_channels(shape, gradient, loops, begin, end);
    });
    images_.store(tensors.images, settings);
  });
}

}  // namespace mluop::roi_align
