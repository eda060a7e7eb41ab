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

template <class Lists, class Real>
void append_point(Point<Real> point, const Problem& problem, Lists& lists) noexcept {
  if (!inside(point.y, problem.H) || !inside(point.x, problem.W)) return;
  const auto y = span_at(point.y, problem.H);
  const auto x = span_at(point.x, problem.W);
  const auto cell = [&](std::int64_t row, std::int64_t column) {
    return static_cast<std::uint32_t>(row * problem.W + column);
  };
  const Real lower_y = 1 - y.upper;
  const Real lower_x = 1 - x.upper;
  lists.append({cell(y.low, x.low), lower_y * lower_x});
  lists.append({cell(y.low, x.high), lower_y * x.upper});
  lists.append({cell(y.high, x.low), y.upper * lower_x});
  lists.append({cell(y.high, x.high), y.upper * x.upper});
}

}  // namespace

template <class Lists, class Real>
Lists append_taps(const Real box[5], const Problem& problem, Lists lists) noexcept {
  const auto scale = static_cast<Real>(problem.spatial_scale);
  const Point<Real> centre{box[1] * scale, box[0] * scale};
  append_point(centre, problem, lists);
  if (problem.points == 1) return lists;

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
  append_point(corner(+1, +1), problem, lists);
  append_point(corner(-1, +1), problem, lists);
  append_point(corner(-1, -1), problem, lists);
  append_point(corner(+1, -1), problem, lists);
  return lists;
}

template OneList<float> append_taps(const float[5], const Problem&, OneList<float>) noexcept;
template OneList<double> append_taps(const double[5], const Problem&, OneList<double>) noexcept;
template ListPerParity<float> append_taps(const float[5], const Problem&,
                                          ListPerParity<float>) noexcept;
template ListPerParity<double> append_taps(const double[5], const Problem&,
                                           ListPerParity<double>) noexcept;

}  // namespace mluop::rotated_feature_align
