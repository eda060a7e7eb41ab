// The sample points of boxes and their bilinear weights, in the order the contract gives.
#include "ops/rotated_feature_align/samples.hpp"

#include <cmath>

namespace mluop::rotated_feature_align {
namespace {

/// One axis of a bilinear sample: the low cell, whether there is a high one behind it, and its weight.
template <class Real, class Index>
struct Span {
  Index low, step;
  Real upper;
};

/// Without a branch. A position outside, which may be no number, gives some span inside.
template <class Index, class Real>
Span<Real, Index> span_at(Real position, Index size) noexcept {
  const auto end = static_cast<Real>(size);
  position = position > 0 ? position : Real{0};
  position = position < end ? position : end;
  const auto low = static_cast<Index>(position);
  const Index last = size - 1;
  const bool between = low < last;
  return {between ? low : last, between ? Index{1} : Index{0},
          between ? position - static_cast<Real>(low) : Real{0}};
}

/// A NaN coordinate is outside: it satisfies no comparison.
template <class Real>
std::uint32_t inside(Real position, Real size) noexcept {
  return static_cast<std::uint32_t>(position >= Real{-1}) &
         static_cast<std::uint32_t>(position <= size);
}

/// A vector from the centre of each box of a block.
template <class Real>
struct Offsets {
  Real x[SampledBoxes<Real>::most], y[SampledBoxes<Real>::most];
};

}  // namespace

template <class Real>
template <class Index>
void SampledBoxes<Real>::locate_points(std::int64_t count, const Problem& problem,
                                       std::int64_t pitch) noexcept {
  const auto H = static_cast<Index>(problem.H), W = static_cast<Index>(problem.W);
  const auto scale = static_cast<Real>(problem.spatial_scale);
  const auto row = static_cast<std::uint32_t>(pitch);
  Offsets<Real> width, height;
  if (points_ > 1) {
    for (std::int64_t i = 0; i < count; ++i) {
      const Real half_width = fields_[2][i] * scale / 2;
      const Real half_height = fields_[3][i] * scale / 2;
      const Real cosine = std::cos(fields_[4][i]);
      const Real sine = std::sin(fields_[4][i]);
      width.x[i] = cosine * half_width;
      width.y[i] = sine * half_width;
      height.x[i] = -sine * half_height;
      height.y[i] = cosine * half_height;
    }
  }
  constexpr Real width_sign[] = {0, 1, -1, -1, 1};
  constexpr Real height_sign[] = {0, 1, 1, -1, -1};
  for (int k = 0; k < points_; ++k) {
    Points& at = at_[k];
    for (std::int64_t i = 0; i < count; ++i) {
      Real x = fields_[1][i] * scale;
      Real y = fields_[0][i] * scale;
      if (k > 0) {
        x = x + width_sign[k] * width.x[i] + height_sign[k] * height.x[i];
        y = y + width_sign[k] * width.y[i] + height_sign[k] * height.y[i];
      }
      const auto columns = span_at(x, W);
      const auto rows = span_at(y, H);
      const Real lower_x = 1 - columns.upper, lower_y = 1 - rows.upper;
      at.inside[i] = inside(x, static_cast<Real>(W)) & inside(y, static_cast<Real>(H));
      at.cell[i] =
          static_cast<std::uint32_t>(rows.low) * row + static_cast<std::uint32_t>(columns.low);
      at.right[i] = static_cast<std::uint32_t>(columns.step);
      at.below[i] = static_cast<std::uint32_t>(rows.step) * row;
      at.weights[0][i] = lower_y * lower_x;
      at.weights[1][i] = lower_y * columns.upper;
      at.weights[2][i] = rows.upper * lower_x;
      at.weights[3][i] = rows.upper * columns.upper;
    }
  }
}

template <class Real>
void SampledBoxes<Real>::locate(std::int64_t count, const Problem& problem,
                                std::int64_t pitch) noexcept {
  points_ = problem.points;
  // Vectors of float have a conversion to 32-bit integers only.
  constexpr std::int64_t most_cells = std::int64_t{1} << 30;
  if (problem.cells() <= most_cells) {
    locate_points<std::int32_t>(count, problem, pitch);
  } else {
    locate_points<std::int64_t>(count, problem, pitch);
  }
}

template class SampledBoxes<float>;
template class SampledBoxes<double>;

}  // namespace mluop::rotated_feature_align
