// The sample points of a box and their bilinear weights, in the order the contract gives.
#include "ops/rotated_feature_align/samples.hpp"

#include <cmath>

namespace mluop::rotated_feature_align {
namespace {

template <class Real>
struct Point {
  Real x, y;
};

/// One axis of a bilinear sample: two neighbouring cells and the weight of the upper one.
template <class Real>
struct Span {
  std::int64_t low, high;
  Real upper;
};

template <class Real>
Span<Real> span_at(Real position, std::int64_t size) noexcept {
  position = position <= 0 ? Real{0} : position;
  const auto low = static_cast<std::int64_t>(position);
  if (low >= size - 1) return {size - 1, size - 1, Real{0}};
  return {low, low + 1, position - static_cast<Real>(low)};
}

/// A NaN coordinate is outside: it satisfies no comparison.
template <class Real>
bool inside(Real position, std::int64_t size) noexcept {
  return position >= Real{-1} && position <= static_cast<Real>(size);
}

template <class Real>
struct Weights {
  Real low_low, low_high, high_low, high_high;

  Weights(const Span<Real>& y, const Span<Real>& x) noexcept {
    const Real lower_y = 1 - y.upper;
    const Real lower_x = 1 - x.upper;
    low_low = lower_y * lower_x;
    low_high = lower_y * x.upper;
    high_low = y.upper * lower_x;
    high_high = y.upper * x.upper;
  }
};

template <class Place, class Real>
Place append_cells(const Span<Real>& y, const Span<Real>& x, std::int64_t W, Place taps) noexcept {
  const Weights<Real> weights{y, x};
  const auto cell = [&](std::int64_t row, std::int64_t column) {
    return static_cast<std::uint32_t>(row * W + column);
  };
  taps.append({cell(y.low, x.low), weights.low_low});
  taps.append({cell(y.low, x.high), weights.low_high});
  taps.append({cell(y.high, x.low), weights.high_low});
  taps.append({cell(y.high, x.high), weights.high_high});
  return taps;
}

template <class Real>
PointsInOrder<Real> append_cells(const Span<Real>& y, const Span<Real>& x, std::int64_t W,
                                 PointsInOrder<Real> points) noexcept {
  const Weights<Real> weights{y, x};
  *points.end++ = {static_cast<std::uint32_t>(y.low * (W + 1) + x.low),
                   {weights.low_low, weights.low_high, weights.high_low, weights.high_high}};
  return points;
}

template <class Place, class Real>
Place append_point(Point<Real> point, const Problem& problem, Place taps) noexcept {
  if (!inside(point.y, problem.H) || !inside(point.x, problem.W)) return taps;
  return append_cells(span_at(point.y, problem.H), span_at(point.x, problem.W), problem.W, taps);
}

}  // namespace

template <class Place, class Real>
Place append_taps(const Real box[5], const Problem& problem, Place taps) noexcept {
  const auto scale = static_cast<Real>(problem.spatial_scale);
  const Point<Real> centre{box[1] * scale, box[0] * scale};
  taps = append_point(centre, problem, taps);
  if (problem.points == 1) return taps;

  const Real half_width = box[2] * scale / 2;
  const Real half_height = box[3] * scale / 2;
  const Real cosine = std::cos(box[4]);
  const Real sine = std::sin(box[4]);
  const Point<Real> along_width{cosine * half_width, sine * half_width};
  const Point<Real> along_height{-sine * half_height, cosine * half_height};
  const auto corner = [&](int width_sign, int height_sign) -> Point<Real> {
    return {centre.x + width_sign * along_width.x + height_sign * along_height.x,
            centre.y + width_sign * along_width.y + height_sign * along_height.y};
  };
  taps = append_point(corner(+1, +1), problem, taps);
  taps = append_point(corner(-1, +1), problem, taps);
  taps = append_point(corner(-1, -1), problem, taps);
  return append_point(corner(+1, -1), problem, taps);
}

template InOrder<float> append_taps(const float[5], const Problem&, InOrder<float>) noexcept;
template InOrder<double> append_taps(const double[5], const Problem&, InOrder<double>) noexcept;
template FromBothEnds<float> append_taps(const float[5], const Problem&,
                                         FromBothEnds<float>) noexcept;
template FromBothEnds<double> append_taps(const double[5], const Problem&,
                                          FromBothEnds<double>) noexcept;
template PointsInOrder<float> append_taps(const float[5], const Problem&,
                                          PointsInOrder<float>) noexcept;
template PointsInOrder<double> append_taps(const double[5], const Problem&,
                                           PointsInOrder<double>) noexcept;

}  // namespace mluop::rotated_feature_align
