// Operands in the order the loops want them, and who computes which part of the result.
#include "ops/sparse_conv/kit/convolution/reference.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "ops/sparse_conv/kit/convolution/reference_loops.hpp"
#include "runtime/cores.hpp"
#include "runtime/parallel.hpp"

namespace mluop::sparse_conv::reference {
namespace {

/// The order of a filter's dims: S stands for the spatial ones.
enum class Order { S_Ci_Co, Co_S_Ci, Co_Ci_S };

Order order_of(const FilterShape& shape) {
  const bool deep = shape.kernel.size() == 3;
  switch (shape.layout) {
    case MLUOP_LAYOUT_ARRAY:
      return Order::S_Ci_Co;
    case MLUOP_LAYOUT_HWCN:
      if (!deep) return Order::S_Ci_Co;
      break;
    case MLUOP_LAYOUT_NHWC:
      if (!deep) return Order::Co_S_Ci;
      break;
    case MLUOP_LAYOUT_NDHWC:
      if (deep) return Order::Co_S_Ci;
      break;
    case MLUOP_LAYOUT_NCHW:
      if (!deep) return Order::Co_Ci_S;
      break;
    case MLUOP_LAYOUT_NCDHW:
      if (deep) return Order::Co_Ci_S;
      break;
    default:
      break;
  }
  throw std::invalid_argument("not a layout of filters of this rank");
}

std::int64_t blocks_of(std::int64_t channels) { return (channels + block - 1) / block; }

/// The work of a small problem is not worth a second thread.
int threads_for(const Convolution& convolution) {
  const std::int64_t products =
      convolution.total() * convolution.filters.Ci * convolution.filters.Co;
  return products < 10'000'000 ? 1 : available_cores();
}

/// target[target row, j] += Σ_i source[source row, i] · W(k, i, j): what forward and backward data
/// have in common.
template <class Real, class Weight>
std::vector<double> product(const Convolution& convolution, std::span<const double> source_values,
                            std::int64_t I, std::int64_t J, std::int64_t target_rows,
                            bool from_in_to_out, Weight weight) {
  const std::int64_t K = convolution.filters.K(), L = convolution.L();
  const std::int64_t pitch = blocks_of(J) * block;
  const std::vector<Real> source(source_values.begin(), source_values.end());
  std::vector<Real> target(static_cast<std::size_t>(target_rows * pitch));
  const int source_side = from_in_to_out == convolution.inverse ? 1 : 0;
  // Workers share the columns: each element has one writer and one order of addition.
  parallel_for(threads_for(convolution), blocks_of(J), 1, [&](std::int64_t b, std::int64_t, int) {
    const std::int64_t first = b * block, columns = std::min(block, J - first);
    std::vector<Real> weights(static_cast<std::size_t>(I * block));
    for (std::int64_t k = 0; k < K; ++k) {
      for (std::int64_t i = 0; i < I; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) {
          weights[static_cast<std::size_t>(i * block + j)] =
              static_cast<Real>(weight(k, i, first + j));
        }
      }
      const std::int32_t* const pairs = convolution.indice_pairs.data() + 2 * k * L;
      const Rows rows{pairs + source_side * L, pairs + (1 - source_side) * L,
                      convolution.indice_num[static_cast<std::size_t>(k)]};
      loops<Real>().multiply(rows, source.data(), I, weights.data(), target.data() + first, pitch);
    }
  });
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(target_rows * J));
  for (std::int64_t row = 0; row < target_rows; ++row) {
    const auto begin = target.begin() + row * pitch;
    result.insert(result.end(), begin, begin + J);
  }
  return result;
}

}  // namespace

FilterShape FilterShape::of(mluOpTensorLayout_t layout, const std::vector<std::int64_t>& dims) {
  if (dims.size() < 4) throw std::invalid_argument("filters have 4 dims or more");
  const auto first = dims.begin(), last = dims.end();
  FilterShape shape{layout, {first, last - 2}, *(last - 2), *(last - 1)};
  switch (order_of(shape)) {
    case Order::S_Ci_Co:
      return shape;
    case Order::Co_S_Ci:
      return {layout, {first + 1, last - 1}, *(last - 1), *first};
    case Order::Co_Ci_S:
      return {layout, {first + 2, last}, *(first + 1), *first};
  }
  return shape;
}

std::int64_t FilterShape::K() const {
  return std::accumulate(kernel.begin(), kernel.end(), std::int64_t{1}, std::multiplies<>{});
}

std::vector<std::int64_t> FilterShape::dims() const {
  std::vector<std::int64_t> result = kernel;
  switch (order_of(*this)) {
    case Order::S_Ci_Co:
      result.insert(result.end(), {Ci, Co});
      break;
    case Order::Co_S_Ci:
      result.insert(result.begin(), Co);
      result.push_back(Ci);
      break;
    case Order::Co_Ci_S:
      result.insert(result.begin(), {Co, Ci});
      break;
  }
  return result;
}

std::int64_t FilterShape::index(std::int64_t k, std::int64_t ci, std::int64_t co) const {
  switch (order_of(*this)) {
    case Order::S_Ci_Co:
      return (k * Ci + ci) * Co + co;
    case Order::Co_S_Ci:
      return (co * K() + k) * Ci + ci;
    case Order::Co_Ci_S:
      return (co * Ci + ci) * K() + k;
  }
  return -1;
}

std::int64_t Convolution::total() const {
  return std::accumulate(indice_num.begin(), indice_num.end(), std::int64_t{0});
}

template <class Real>
std::vector<double> forward(const Convolution& convolution, std::span<const double> features,
                            std::span<const double> filters) {
  const FilterShape& shape = convolution.filters;
  return product<Real>(convolution, features, shape.Ci, shape.Co, convolution.rows_out, true,
                       [&](std::int64_t k, std::int64_t ci, std::int64_t co) {
                         return filters[static_cast<std::size_t>(shape.index(k, ci, co))];
                       });
}

template <class Real>
std::vector<double> backward_data(const Convolution& convolution,
                                  std::span<const double> output_grad,
                                  std::span<const double> filters) {
  const FilterShape& shape = convolution.filters;
  return product<Real>(convolution, output_grad, shape.Co, shape.Ci, convolution.rows_in, false,
                       [&](std::int64_t k, std::int64_t co, std::int64_t ci) {
                         return filters[static_cast<std::size_t>(shape.index(k, ci, co))];
                       });
}

template <class Real>
std::vector<double> backward_filter(const Convolution& convolution,
                                    std::span<const double> features,
                                    std::span<const double> output_grad) {
  const std::int64_t Ci = convolution.filters.Ci, Co = convolution.filters.Co;
  const std::int64_t K = convolution.filters.K(), L = convolution.L();
  const std::vector<Real> x(features.begin(), features.end());
  const std::vector<Real> g(output_grad.begin(), output_grad.end());
  std::vector<Real> sum(static_cast<std::size_t>(K * Ci * Co));
  const std::int64_t parts = blocks_of(Ci);
  parallel_for(threads_for(convolution), K * parts, 1, [&](std::int64_t part, std::int64_t, int) {
    const std::int64_t k = part / parts, begin = part % parts * block;
    const std::int32_t* const pairs = convolution.indice_pairs.data() + 2 * k * L;
    const Rows rows{pairs + (convolution.inverse ? L : 0), pairs + (convolution.inverse ? 0 : L),
                    convolution.indice_num[static_cast<std::size_t>(k)]};
    loops<Real>().correlate(rows, x.data(), Ci, g.data(), Co, begin, std::min(begin + block, Ci),
                            sum.data() + (k * Ci + begin) * Co);
  });
  return {sum.begin(), sum.end()};
}

using Values = std::span<const double>;
using Result = std::vector<double>;
template Result forward<float>(const Convolution&, Values, Values);
template Result forward<double>(const Convolution&, Values, Values);
template Result forward<long double>(const Convolution&, Values, Values);
template Result backward_data<float>(const Convolution&, Values, Values);
template Result backward_data<double>(const Convolution&, Values, Values);
template Result backward_data<long double>(const Convolution&, Values, Values);
template Result backward_filter<float>(const Convolution&, Values, Values);
template Result backward_filter<double>(const Convolution&, Values, Values);
template Result backward_filter<long double>(const Convolution&, Values, Values);

}  // namespace mluop::sparse_conv::reference
