// The gradient of maxima: each bin goes to the four cells around its argmax, a place of its own for each channel.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ops/roi_align/backward/tiles.hpp"
#include "ops/roi_align/geometry.hpp"

namespace mluop::roi_align::backward {

template <class T>
class Maxima {
 public:
  using Real = Compute<T>;

  explicit Maxima(const Problem& problem)
      : problem_(problem),
        grads_(static_cast<const T*>(problem.source)),
        argmax_x_(static_cast<const T*>(problem.argmax_x)),
        argmax_y_(static_cast<const T*>(problem.argmax_y)) {}

  /// The cells between the first and the last that a bin of RoI k goes to.
  Touched touched_by(std::int64_t k) const {
    const std::int64_t size = problem_.bins() * problem_.C;
    Touched touched{k, {problem_.H, 0}, {problem_.W, 0}};
    for (std::int64_t i = k * size; i < (k + 1) * size; ++i) {
      const Real y = to_compute(argmax_y_[i]), x = to_compute(argmax_x_[i]);
      if (!has_gradient(y, x)) continue;
      include(between(y, problem_.H), touched.rows);
      include(between(x, problem_.W), touched.columns);
    }
    return touched;
  }

  /// What RoI k gives the cells of a tile, whose sums are [rows,columns,channels].
  void add(std::int64_t k, const Tile& tile, Real* sums) const {
    for (std::int64_t bin = k * problem_.bins(); bin < (k + 1) * problem_.bins(); ++bin) {
      for (std::int64_t c = tile.channels.begin; c < tile.channels.end; ++c) {
        const std::int64_t i = bin * problem_.C + c;
        const Real y = to_compute(argmax_y_[i]), x = to_compute(argmax_x_[i]);
        if (!has_gradient(y, x)) continue;
        add_one(to_compute(grads_[i]), between(y, problem_.H), between(x, problem_.W), tile,
                sums + c - tile.channels.begin);
      }
    }
  }

 private:
  /// A row of -1 means that the bin had no samples; false for NaN.
  bool has_gradient(Real y, Real x) const {
    return y > -1 && y <= static_cast<Real>(problem_.H) && x >= -1 &&
           x <= static_cast<Real>(problem_.W);
  }

  static void include(const Between<Real>& cells, Range& range) {
    range.begin = std::min(range.begin, cells.low);
    range.end = std::max(range.end, cells.high + 1);
  }

  static void add_one(Real grad, const Between<Real>& y, const Between<Real>& x, const Tile& tile,
                      Real* sums) {
    const auto to_cell = [&](std::int64_t row, std::int64_t column, Real weight) {
      const bool here = row >= tile.rows.begin && row < tile.rows.end &&
                        column >= tile.columns.begin && column < tile.columns.end;
      if (!here) return;
      const std::int64_t cell =
          (row - tile.rows.begin) * tile.columns.size() + column - tile.columns.begin;
      sums[cell * tile.channels.size()] += grad * weight;
    };
    to_cell(y.low, x.low, y.low_weight * x.low_weight);
    to_cell(y.low, x.high, y.low_weight * x.high_weight);
    to_cell(y.high, x.low, y.high_weight * x.low_weight);
    to_cell(y.high, x.high, y.high_weight * x.high_weight);
  }

  const Problem& problem_;
  const T *grads_, *argmax_x_, *argmax_y_;
};

}  // namespace mluop::roi_align::backward
