// RoI align from its formula, sample by sample: sums in extended or double precision over the coordinates that the
// formula rounds. A sample within a rounding error of the edge is on the side where the formula puts it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace mluop::roi_align::reference {

/// Images [N,H,W,C], boxes [K,5], bins [K,PH,PW,C].
struct Shape {
  std::int64_t N, H, W, C, K, PH, PW;
  float spatial_scale = 1;
  int sampling_ratio = 0;
  bool aligned = true;
  bool maximum = false;

  std::int64_t image_elements() const { return N * H * W * C; }
  std::int64_t bin_elements() const { return K * PH * PW * C; }
};

/// A cell of an image, by its row-major index, and its share in a sample.
template <class Geometry>
struct Cell {
  std::int64_t index;
  Geometry weight;
};

/// The four cells of a sample; none outside.
template <class Geometry>
std::optional<std::array<Cell<Geometry>, 4>> cells(const Shape& shape, Geometry y, Geometry x) {
  const auto H = static_cast<Geometry>(shape.H), W = static_cast<Geometry>(shape.W);
  if (!(y >= -1 && y <= H && x >= -1 && x <= W)) return std::nullopt;
  y = std::max(y, Geometry{0});
  x = std::max(x, Geometry{0});
  auto top = static_cast<std::int64_t>(y), left = static_cast<std::int64_t>(x);
  std::int64_t bottom = top + 1, right = left + 1;
  if (top >= shape.H - 1) {
    top = bottom = shape.H - 1;
    y = static_cast<Geometry>(top);
  }
  if (left >= shape.W - 1) {
    left = right = shape.W - 1;
    x = static_cast<Geometry>(left);
  }
  const Geometry down = y - static_cast<Geometry>(top), across = x - static_cast<Geometry>(left);
  const Geometry up = 1 - down, back = 1 - across;
  return {{{{top * shape.W + left, up * back},
            {top * shape.W + right, up * across},
            {bottom * shape.W + left, down * back},
            {bottom * shape.W + right, down * across}}}};
}

/// The samples of the bins of one box.
template <class Geometry>
struct Grid {
  std::int64_t image;
  Geometry x1, y1, bin_w, bin_h;
  std::int64_t across, down;  // samples of a bin

  Grid(const Shape& shape, std::span<const double, 5> box)
      : image(static_cast<std::int64_t>(box[0])) {
    const Geometry scale = shape.spatial_scale, offset = shape.aligned ? 0.5f : 0.0f;
    const auto corner = [&](std::size_t i) {
      const Geometry scaled = static_cast<Geometry>(box[i]) * scale;
      return scaled - offset;
    };
    x1 = corner(1);
    y1 = corner(2);
    Geometry width = corner(3) - x1, height = corner(4) - y1;
    if (!shape.aligned && !(width > 1)) width = 1;
    if (!shape.aligned && !(height > 1)) height = 1;
    bin_w = width / static_cast<Geometry>(shape.PW);
    bin_h = height / static_cast<Geometry>(shape.PH);
    across = samples(shape, bin_w);
    down = samples(shape, bin_h);
  }

  static std::int64_t samples(const Shape& shape, Geometry bin) {
    if (shape.sampling_ratio > 0) return shape.sampling_ratio;
    const float ceiling = std::ceil(static_cast<float>(bin));
    if (std::isnan(ceiling) || ceiling >= 2147483648.0f) return 0;
    return ceiling < -2147483648.0f ? -2147483648LL : static_cast<std::int64_t>(ceiling);
  }
  static Geometry coordinate(Geometry start, std::int64_t bin, Geometry size, std::int64_t i,
                             std::int64_t count) {
    const Geometry from = start + static_cast<Geometry>(bin) * size;
    const Geometry middle = (static_cast<Geometry>(i) + Geometry(0.5)) * size;
    return from + middle / static_cast<Geometry>(count);
  }
  Geometry y(std::int64_t ph, std::int64_t iy) const { return coordinate(y1, ph, bin_h, iy, down); }
  Geometry x(std::int64_t pw, std::int64_t ix) const {
    return coordinate(x1, pw, bin_w, ix, across);
  }
  std::int64_t count() const { return std::max<std::int64_t>(down * across, 1); }
};

inline std::span<const double, 5> box_of(std::span<const double> boxes, std::int64_t k) {
  return std::span<const double, 5>{&boxes[static_cast<std::size_t>(5 * k)], 5};
}

/// Calls visit(bin, grid, y, x) for every sample in the order of the formula, bins counted over all boxes.
template <class Geometry, class Visit>
void for_each_sample(const Shape& shape, std::span<const double> boxes, Visit&& visit) {
  for (std::int64_t k = 0; k < shape.K; ++k) {
    const Grid<Geometry> grid(shape, box_of(boxes, k));
    for (std::int64_t bin = 0; bin < shape.PH * shape.PW; ++bin) {
      for (std::int64_t iy = 0; iy < grid.down; ++iy) {
        const Geometry y = grid.y(bin / shape.PW, iy);
        const bool row_outside = !(y >= -1 && y <= static_cast<Geometry>(shape.H));
        if (row_outside && !shape.maximum) continue;
        for (std::int64_t ix = 0; ix < grid.across; ++ix) {
          visit(k * shape.PH * shape.PW + bin, grid, y, grid.x(bin % shape.PW, ix));
        }
      }
    }
  }
}

/// Calls visit(bin, cell, share) for every term of the averages; cells are counted over all images.
template <class Geometry, class Visit>
void for_each_term(const Shape& shape, std::span<const double> boxes, Visit&& visit) {
  for_each_sample<Geometry>(
      shape, boxes, [&](std::int64_t bin, const Grid<Geometry>& grid, Geometry y, Geometry x) {
        const auto around = cells(shape, y, x);
        if (!around) return;
        for (const Cell<Geometry>& cell : *around) {
          visit(bin, grid.image * shape.H * shape.W + cell.index, cell.weight, grid.count());
        }
      });
}

/// What forward writes; argmax is empty of averages.
struct Pooled {
  std::vector<double> output, argmax_x, argmax_y;
};

template <class Geometry, class Sum>
Pooled average(const Shape& shape, std::span<const double> images, std::span<const double> boxes) {
  std::vector<Sum> sums(static_cast<std::size_t>(shape.bin_elements()));
  std::vector<double> counts(static_cast<std::size_t>(shape.K * shape.PH * shape.PW), 1.0);
  for_each_term<Geometry>(
      shape, boxes, [&](std::int64_t bin, std::int64_t cell, Geometry weight, std::int64_t count) {
        counts[static_cast<std::size_t>(bin)] = static_cast<double>(count);
        Sum* const to = &sums[static_cast<std::size_t>(bin * shape.C)];
        const double* const from = &images[static_cast<std::size_t>(cell * shape.C)];
        for (std::int64_t c = 0; c < shape.C; ++c) to[c] += Sum(weight) * Sum(from[c]);
      });
  Pooled pooled;
  pooled.output.reserve(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double count = counts[i / static_cast<std::size_t>(shape.C)];
    pooled.output.push_back(static_cast<double>(sums[i] / Sum(count)));
  }
  return pooled;
}

/// In the arithmetic of the formula, which decides which sample is the largest.
template <class Geometry>
Pooled maximum(const Shape& shape, std::span<const double> images, std::span<const double> boxes) {
  const auto size = static_cast<std::size_t>(shape.bin_elements());
  Pooled pooled{std::vector<double>(size, -double{std::numeric_limits<float>::max()}),
                std::vector<double>(size, -1.0), std::vector<double>(size, -1.0)};
  for_each_sample<Geometry>(
      shape, boxes, [&](std::int64_t bin, const Grid<Geometry>& grid, Geometry y, Geometry x) {
        const auto around = cells(shape, y, x);
        for (std::int64_t c = 0; c < shape.C; ++c) {
          Geometry value = 0;
          for (std::size_t i = 0; around && i < 4; ++i) {
            const std::int64_t cell = grid.image * shape.H * shape.W + (*around)[i].index;
            const Geometry term =
                (*around)[i].weight *
                static_cast<Geometry>(images[static_cast<std::size_t>(cell * shape.C + c)]);
            value = i == 0 ? term : value + term;
          }
          const auto at = static_cast<std::size_t>(bin * shape.C + c);
          if (!(value > pooled.output[at])) continue;
          pooled.output[at] = value;
          pooled.argmax_x[at] = x;
          pooled.argmax_y[at] = y;
        }
      });
  return pooled;
}

/// The gradient of averages.
template <class Geometry, class Sum>
std::vector<double> average_gradient(const Shape& shape, std::span<const double> grads,
                                     std::span<const double> boxes) {
  std::vector<Sum> sums(static_cast<std::size_t>(shape.image_elements()));
  for_each_term<Geometry>(
      shape, boxes, [&](std::int64_t bin, std::int64_t cell, Geometry weight, std::int64_t count) {
        const double* const from = &grads[static_cast<std::size_t>(bin * shape.C)];
        Sum* const to = &sums[static_cast<std::size_t>(cell * shape.C)];
        for (std::int64_t c = 0; c < shape.C; ++c) {
          to[c] += Sum(from[c]) * Sum(weight) / static_cast<Sum>(count);
        }
      });
  return {sums.begin(), sums.end()};
}

/// The gradient of maxima; of the boxes only the images matter.
template <class Geometry, class Sum>
std::vector<double> maximum_gradient(const Shape& shape, std::span<const double> grads,
                                     std::span<const double> boxes,
                                     std::span<const double> argmax_x,
                                     std::span<const double> argmax_y) {
  std::vector<Sum> sums(static_cast<std::size_t>(shape.image_elements()));
  for (std::size_t i = 0; i < grads.size(); ++i) {
    if (argmax_y[i] == -1) continue;
    const auto around =
        cells(shape, static_cast<Geometry>(argmax_y[i]), static_cast<Geometry>(argmax_x[i]));
    if (!around) continue;
    const auto at = static_cast<std::int64_t>(i);
    const std::int64_t box = at / (shape.PH * shape.PW * shape.C), channel = at % shape.C;
    const auto image = static_cast<std::int64_t>(box_of(boxes, box)[0]);
    for (const Cell<Geometry>& cell : *around) {
      const std::int64_t row = image * shape.H * shape.W + cell.index;
      sums[static_cast<std::size_t>(row * shape.C + channel)] += Sum(grads[i]) * Sum(cell.weight);
    }
  }
  return {sums.begin(), sums.end()};
}

}  // namespace mluop::roi_align::reference
