// The loops over offsets, pairs and filters.
#include "ops/sparse_conv/kit/convolution/loops.hpp"

#include <algorithm>
#include <type_traits>

#include "core/numbers/integers.hpp"
#include "ops/sparse_conv/kit/convolution/row_loops.hpp"
#include "runtime/parallel.hpp"

namespace mluop::sparse_conv {
namespace {

using reference::FilterShape;
using testing::HostTensor;
using testing::LoopSettings;

constexpr std::int64_t pairs_grain = 32;
constexpr std::int64_t gradient_grain = 16;  // channels of the input

template <class Real>
void clear(Real* values, std::int64_t count, const LoopSettings& settings) {
  constexpr std::int64_t grain = 1 << 14;
  parallel_for(settings.threads, count, grain, [&](std::int64_t begin, std::int64_t end, int) {
    std::fill(values + begin, values + end, Real(0));
  });
}

/// The pairs of one offset: sources[t] is multiplied and added to targets[t].
struct Pairs {
  const std::int32_t* sources;
  const std::int32_t* targets;
  std::int64_t count;

  Pairs(const Operands& operands, std::int64_t k, bool transposed)
      : count(operands.table->num[static_cast<std::size_t>(k)]) {
    const std::int64_t L = operands.table->L;
    sources = operands.table->rows().data() + 2 * k * L;
    targets = sources + L;
    if (transposed != operands.inverse) std::swap(sources, targets);
  }
};

/// Copies filters to [K, Ci, Co].
template <class Real>
const Real* dense(const FilterShape& shape, const Real* filters, std::vector<Real>& copy,
                  const LoopSettings& settings) {
  copy.resize(static_cast<std::size_t>(shape.K() * shape.Ci * shape.Co));
  const std::int64_t ci_step = shape.Ci > 1 ? shape.index(0, 1, 0) - shape.index(0, 0, 0) : 0;
  parallel_for(settings.threads, shape.K() * shape.Co, 1,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t row = begin; row < end; ++row) {
                   const std::int64_t k = row / shape.Co, co = row % shape.Co;
                   const Real* from = filters + shape.index(k, 0, co);
                   Real* to = copy.data() + k * shape.Ci * shape.Co + co;
                   for (std::int64_t ci = 0; ci < shape.Ci; ++ci) {
                     to[ci * shape.Co] = from[ci * ci_step];
                   }
                 }
               });
  return copy.data();
}

/// The filter of each offset as a matrix of Ci × Co.
template <class Real>
class Matrices {
 public:
  Matrices(const FilterShape& shape, const Real* filters, std::vector<Real>& copy,
           const LoopSettings& settings)
      : shape_(shape), filters_(filters) {
    ci_step_ = shape.Ci > 1 ? shape.index(0, 1, 0) : 1;
    co_step_ = shape.Co > 1 ? shape.index(0, 0, 1) : 1;
    copied_ = ci_step_ != 1 && co_step_ != 1;
    if (!copied_) return;
    filters_ = dense(shape, filters, copy, settings);
    ci_step_ = shape.Co;
    co_step_ = 1;
  }

  LoopMatrix<Real> of(std::int64_t k, bool transposed) const {
    const Real* filter = filters_ + (copied_ ? k * shape_.Ci * shape_.Co : shape_.index(k, 0, 0));
    if (transposed) return {filter, shape_.Co, shape_.Ci, co_step_, ci_step_};
    return {filter, shape_.Ci, shape_.Co, ci_step_, co_step_};
  }

 private:
  const FilterShape& shape_;
  const Real* filters_;
  std::int64_t ci_step_, co_step_;
  bool copied_;
};

}  // namespace

template <class Real>
void ConvolutionLoops::run_rows(const Operands& operands, bool transposed,
                                const LoopSettings& settings, HostTensor& result) {
  const std::int64_t from = transposed ? operands.shape.Co : operands.shape.Ci;
  const std::int64_t to = transposed ? operands.shape.Ci : operands.shape.Co;
  std::vector<Real>* copy = nullptr;
  if constexpr (std::is_same_v<Real, float>) copy = &floats_;
  if constexpr (std::is_same_v<Real, double>) copy = &doubles_;
  const Real* source =
      first_.read<Real>(transposed ? operands.output_grad : operands.features, settings);
  const Matrices<Real> matrices(operands.shape, second_.read<Real>(operands.filters, settings),
                                *copy, settings);
  Real* sums = result_.write<Real>(result);
  clear(sums, result.count(), settings);
  const ChannelLoops<Real>& loops = channel_loops<Real>(settings.isa);
  for (std::int64_t k = 0; k < operands.shape.K(); ++k) {
    const LoopMatrix<Real> matrix = matrices.of(k, transposed);
    const Pairs pairs(operands, k, transposed);
    const auto add_pairs = [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t t = begin; t < end; ++t) {
        loops.multiply(matrix, source + pairs.sources[t] * from, sums + pairs.targets[t] * to);
      }
    };
    parallel_for(settings.threads, pairs.count, pairs_grain, add_pairs);
  }
  result_.store(result, settings);
}

template <class Real>
void ConvolutionLoops::run_filter(const Operands& operands, const LoopSettings& settings,
                                  HostTensor& result) {
  const std::int64_t Ci = operands.shape.Ci, Co = operands.shape.Co;
  const Real* features = first_.read<Real>(operands.features, settings);
  const Real* gradient = second_.read<Real>(operands.output_grad, settings);
  Real* sums = result_.write<Real>(result);
  clear(sums, result.count(), settings);
  const ChannelLoops<Real>& loops = channel_loops<Real>(settings.isa);
  const std::int64_t parts = ceil_div(Ci, gradient_grain);
  const auto add_part = [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t part = begin; part < end; ++part) {
      const std::int64_t k = part / parts, first = part % parts * gradient_grain;
      const std::int64_t count = std::min(gradient_grain, Ci - first);
      const Pairs pairs(operands, k, false);
      for (std::int64_t t = 0; t < pairs.count; ++t) {
        loops.outer(features + pairs.sources[t] * Ci + first, count,
                    gradient + pairs.targets[t] * Co, Co, sums + (k * Ci + first) * Co);
      }
    }
  };
  parallel_for(settings.threads, operands.shape.K() * parts, 1, add_part);
  result_.store(result, settings);
}

void ConvolutionLoops::run(const Direction& direction, const Operands& operands,
                           const LoopSettings& settings, HostTensor& result) {
  testing::in_loop_type(operands.dtype(), [&]<class Real>(Real) {
    if (direction.role == Direction::Role::backward_filter) {
      run_filter<Real>(operands, settings, result);
    } else {
      run_rows<Real>(operands, direction.role == Direction::Role::backward_data, settings, result);
    }
  });
}

}  // namespace mluop::sparse_conv
