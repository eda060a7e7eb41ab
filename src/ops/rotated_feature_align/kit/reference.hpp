// Rotated feature align from its formula, in extended or double precision: the reference.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mluop::rotated_feature_align::reference {

/// Features are [N,H,W,C], boxes [N,H,W,5].
struct Shape {
  std::int64_t N, H, W, C;
  float spatial_scale;
  int points;

  std::int64_t pixels() const { return N * H * W; }
  std::int64_t elements() const { return pixels() * C; }
};

template <class Real>
struct Point {
  Real x, y;
};

/// A cell of the feature map, by its row-major index, and its share in a sample.
template <class Real>
struct Cell {
  std::int64_t index;
  Real weight;
};

/// The sample points of one box [y, x, w, h, angle] in units of feature cells.
template <class Real>
std::vector<Point<Real>> sample_points(const Shape& shape, std::span<const double, 5> box) {
  const Real scale = shape.spatial_scale;
  const Point<Real> centre{Real(box[1]) * scale, Real(box[0]) * scale};
  if (shape.points == 1) return {centre};

  const Real angle = box[4];
  const Real half_width = Real(box[2]) * scale / 2;
  const Real half_height = Real(box[3]) * scale / 2;
  // Half the box's sides as vectors: along its width, and along its height.
  const Point<Real> u{std::cos(angle) * half_width, std::sin(angle) * half_width};
  const Point<Real> v{-std::sin(angle) * half_height, std::cos(angle) * half_height};
  return {centre,
          {centre.x + u.x + v.x, centre.y + u.y + v.y},
          {centre.x - u.x + v.x, centre.y - u.y + v.y},
          {centre.x - u.x - v.x, centre.y - u.y - v.y},
          {centre.x + u.x - v.x, centre.y + u.y - v.y}};
}

/// −1, H and W are inside; a NaN coordinate satisfies no comparison and is outside.
template <class Real>
bool inside(const Shape& shape, const Point<Real>& point) {
  return point.y >= -1 && point.y <= Real(shape.H) && point.x >= -1 && point.x <= Real(shape.W);
}

/// Where a clamped coordinate falls on an axis of `size` cells: the two cells it lies between.
template <class Real>
struct Between {
  std::int64_t low, high;
  Real low_weight, high_weight;

  Between(Real coordinate, std::int64_t size) {
    if (coordinate <= 0) coordinate = 0;
    low = static_cast<std::int64_t>(coordinate);
    high = low + 1;
    if (low >= size - 1) {
      low = high = size - 1;
      coordinate = Real(low);
    }
    high_weight = coordinate - Real(low);
    low_weight = 1 - high_weight;
  }
};

/// The four cells of an inside point; a cell may occur twice or have weight 0.
template <class Real>
std::array<Cell<Real>, 4> cells(const Shape& shape, const Point<Real>& point) {
  const Between<Real> y{point.y, shape.H};
  const Between<Real> x{point.x, shape.W};
  return {{{y.low * shape.W + x.low, y.low_weight * x.low_weight},
           {y.low * shape.W + x.high, y.low_weight * x.high_weight},
           {y.high * shape.W + x.low, y.high_weight * x.low_weight},
           {y.high * shape.W + x.high, y.high_weight * x.high_weight}}};
}

/// Calls visit(pixel, cell, weight) for every term of the sum, both as rows of the [N·H·W, C] map.
template <class Real, class Visit>
void for_each_term(const Shape& shape, std::span<const double> boxes, Visit&& visit) {
  for (std::int64_t pixel = 0; pixel < shape.pixels(); ++pixel) {
    visit(pixel, pixel, Real(1));
    const std::int64_t image = pixel / (shape.H * shape.W) * (shape.H * shape.W);
    const std::span<const double, 5> box{&boxes[static_cast<std::size_t>(pixel * 5)], 5};
    for (const Point<Real>& point : sample_points<Real>(shape, box)) {
      if (!inside(shape, point)) continue;
      for (const Cell<Real>& cell : cells(shape, point)) {
        visit(pixel, image + cell.index, cell.weight);
      }
    }
  }
}

/// Sample points that fall inside their feature map.
inline std::int64_t inside_points(const Shape& shape, std::span<const double> boxes) {
  std::int64_t terms = 0;
  for_each_term<double>(shape, boxes, [&](std::int64_t, std::int64_t, double) { ++terms; });
  return (terms - shape.pixels()) / 4;
}

/// The most terms of one element of the result, forward or backward.
inline std::int64_t longest_sum(const Shape& shape, std::span<const double> boxes) {
  std::vector<std::int64_t> forward(static_cast<std::size_t>(shape.pixels())), backward(forward);
  for_each_term<double>(shape, boxes, [&](std::int64_t pixel, std::int64_t cell, double) {
    ++forward[static_cast<std::size_t>(pixel)];
    ++backward[static_cast<std::size_t>(cell)];
  });
  return std::max(std::ranges::max(forward), std::ranges::max(backward));
}

/// into[to row] += weight · from[from row], over all channels.
template <class Real>
void add_row(std::vector<Real>& into, std::int64_t to, std::span<const double> from,
             std::int64_t row, Real weight, std::int64_t channels) {
  Real* target = &into[static_cast<std::size_t>(to * channels)];
  const double* source = &from[static_cast<std::size_t>(row * channels)];
  for (std::int64_t c = 0; c < channels; ++c) target[c] += weight * Real(source[c]);
}

/// output[pixel] = Σ weight · input[cell], the pixel itself being the term of weight 1.
template <class Real>
std::vector<double> forward(const Shape& shape, std::span<const double> input,
                            std::span<const double> boxes) {
  std::vector<Real> output(input.size());
  for_each_term<Real>(shape, boxes, [&](std::int64_t pixel, std::int64_t cell, Real weight) {
    add_row(output, pixel, input, cell, weight, shape.C);
  });
  return {output.begin(), output.end()};
}

/// The transpose of forward: bottom_input[cell] = Σ weight · top_output[pixel].
template <class Real>
std::vector<double> backward(const Shape& shape, std::span<const double> top_output,
                             std::span<const double> boxes) {
  std::vector<Real> bottom_input(top_output.size());
  for_each_term<Real>(shape, boxes, [&](std::int64_t pixel, std::int64_t cell, Real weight) {
    add_row(bottom_input, cell, top_output, pixel, weight, shape.C);
  });
  return {bottom_input.begin(), bottom_input.end()};
}

}  // namespace mluop::rotated_feature_align::reference
