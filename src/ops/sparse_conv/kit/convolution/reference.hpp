// The three convolutions from their formulas, in any precision: what results are held to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mlu_op.h"

namespace mluop::sparse_conv::reference {

/// Where W(k, ci, co) stands in a tensor of filters. `kernel` is {Kd, Kh, Kw} or {Kh, Kw}, and
/// k = (kd·Kh + kh)·Kw + kw.
struct FilterShape {
  mluOpTensorLayout_t layout;
  std::vector<std::int64_t> kernel;
  std::int64_t Ci, Co;

  /// The shape that a tensor of this layout and these dims has; throws as dims() does.
  static FilterShape of(mluOpTensorLayout_t layout, const std::vector<std::int64_t>& dims);

  std::int64_t K() const;
  /// Throws std::invalid_argument where the layout is not one of filters of this rank.
  std::vector<std::int64_t> dims() const;
  std::int64_t index(std::int64_t k, std::int64_t ci, std::int64_t co) const;
};

/// A convolution and its pairs. Features have `rows_in` rows of Ci channels, the result `rows_out`
/// rows of Co. Pair t < indice_num[k] of offset k joins row in(k, t) with row out(k, t).
struct Convolution {
  FilterShape filters;
  std::int64_t rows_in, rows_out;
  std::span<const std::int32_t> indice_pairs;  // [K, 2, L]
  std::span<const std::int64_t> indice_num;    // [K]
  bool inverse = false;                        // exchanges the two rows of the pairs

  std::int64_t L() const { return std::ssize(indice_pairs) / (2 * filters.K()); }
  std::int64_t in(std::int64_t k, std::int64_t t) const { return row(k, inverse ? 1 : 0, t); }
  std::int64_t out(std::int64_t k, std::int64_t t) const { return row(k, inverse ? 0 : 1, t); }
  /// Valid pairs of all offsets.
  std::int64_t total() const;

 private:
  std::int64_t row(std::int64_t k, std::int64_t side, std::int64_t t) const {
    return indice_pairs[static_cast<std::size_t>((2 * k + side) * L() + t)];
  }
};

/// features_out[out(k, t), co] += Σ_ci features[in(k, t), ci] · W(k, ci, co), from 0, with `filters`
/// in the layout of the convolution. The sum over ci is finished before it is added.
///
/// All three compute in Real, one of float, double and long double, to which their operands are
/// rounded. Products and sums are rounded apart, in one order, on every machine.
template <class Real>
std::vector<double> forward(const Convolution& convolution, std::span<const double> features,
                            std::span<const double> filters);

/// input_grad[in(k, t), ci] += Σ_co output_grad[out(k, t), co] · W(k, ci, co), from 0.
template <class Real>
std::vector<double> backward_data(const Convolution& convolution,
                                  std::span<const double> output_grad,
                                  std::span<const double> filters);

/// filters_grad[k, ci, co] = Σ_t features[in(k, t), ci] · output_grad[out(k, t), co], dense as
/// [K, Ci, Co] whatever the layout.
template <class Real>
std::vector<double> backward_filter(const Convolution& convolution,
                                    std::span<const double> features,
                                    std::span<const double> output_grad);

}  // namespace mluop::sparse_conv::reference
