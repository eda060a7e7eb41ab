// What the checks of the three convolutions share: rules about pairs, and views of checked tensors.
#pragma once

#include <cstdint>

#include "core/check/check.hpp"
#include "ops/sparse_conv/convolution.hpp"
#include "ops/sparse_conv/filter_shape.hpp"

namespace mluop::sparse_conv {

/// The rows that a layer joins: its input (or the gradient of it) with Ci channels, its output with
/// Co. indice_pairs[:, 0] names rows of the first, indice_pairs[:, 1] rows of the second, and inverse
/// exchanges them. The first has as many rows as indice_pairs has columns.
struct Rows {
  enum class Side { input, output };

  const Tensor& input;
  const Tensor& output;
  bool inverse;

  /// Which of the two rows of indice_pairs[k] names the rows of a side.
  int column(Side side) const noexcept { return (side == Side::output) != inverse ? 1 : 0; }

  const Tensor& first() const noexcept { return inverse ? output : input; }
  const Tensor& second() const noexcept { return inverse ? input : output; }
};

/// The card pairs at most a million rows per offset.
void check_card_rows(Check& check, const Tensor& pairs, Status status);

/// indice_pairs is [K, 2, L]; the first rows are L; channels are those of the filter.
void check_shapes(Check& check, FilterShape& filter, const Tensor& pairs, const Rows& rows, Dim& L);

/// Every indice_num[k] is in [0, L].
void check_counts(Check& check, const std::int64_t* indice_num, const Size& K, const Dim& L);

/// The pairs of a checked call that reads the rows of one side.
Pairs pairs_of(const Tensor& pairs, const std::int64_t* indice_num, const Rows& rows,
               Rows::Side source);

/// A checked tensor of two dims.
Matrix matrix_of(const Tensor& tensor);

}  // namespace mluop::sparse_conv
