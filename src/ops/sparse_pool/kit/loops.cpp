#include "ops/sparse_pool/kit/loops.hpp"

#include <algorithm>
#include <limits>

#include "ops/sparse_pool/kit/row_loops.hpp"
#include "runtime/parallel.hpp"

namespace mluop::sparse_pool {
namespace {

using testing::LoopSettings;

template <class Real>
void fill(Real* values, std::int64_t count, Real value, const LoopSettings& settings) {
  constexpr std::int64_t grain = 1 << 14;
  parallel_for(settings.threads, count, grain, [&](std::int64_t begin, std::int64_t end, int) {
    std::fill(values + begin, values + end, value);
  });
}

/// Calls visit(row of the input, row of the output) for every pair.
template <class Visit>
void for_each_pair(const PairTable& table, const LoopSettings& settings, Visit&& visit) {
  constexpr std::int64_t grain = 128;
  for (std::size_t k = 0; k < table.num.size(); ++k) {
    const std::int32_t* inputs = table.rows().data() + 2 * static_cast<std::int64_t>(k) * table.L;
    const std::int32_t* outputs = inputs + table.L;
    parallel_for(settings.threads, table.num[k], grain,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t t = begin; t < end; ++t) visit(inputs[t], outputs[t]);
                 });
  }
}

/// Calls visit(row) for every row.
template <class Visit>
void for_each_row(std::int64_t rows, const LoopSettings& settings, Visit&& visit) {
  constexpr std::int64_t grain = 128;
  parallel_for(settings.threads, rows, grain, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t row = begin; row < end; ++row) visit(row);
  });
}

}  // namespace

void PoolLoops::count(const Operands& o) {
  counts_.assign(static_cast<std::size_t>(o.table->Y), 0);
  o.layer().each_pair(
      [&](std::int64_t, std::int64_t y) { ++counts_[static_cast<std::size_t>(y)]; });
}

template <class Real>
void PoolLoops::max_forward(const Operands& o, const LoopSettings& settings, Real* largest) {
  constexpr Real none = -std::numeric_limits<Real>::infinity();
  const Real* features = features_.read<Real>(o.features, settings);
  const RowLoops<Real>& loops = row_loops<Real>(settings.isa);
  fill(largest, o.table->Y * o.C, o.exact() ? none : Real(0), settings);
  for_each_pair(*o.table, settings, [&](std::int64_t x, std::int64_t y) {
    loops.keep_larger(features + x * o.C, o.C, largest + y * o.C);
  });
  if (!o.exact()) return;
  for_each_row(o.table->Y, settings, [&](std::int64_t y) {
    std::replace(largest + y * o.C, largest + (y + 1) * o.C, none, Real(0));
  });
}

template <class Real>
void PoolLoops::max_backward(const Operands& o, const LoopSettings& settings, Real* sums) {
  const Real* features = features_.read<Real>(o.features, settings);
  const Real* largest = features_out_.read<Real>(o.features_out, settings);
  const Real* gradient = output_grad_.read<Real>(o.output_grad, settings);
  const RowLoops<Real>& loops = row_loops<Real>(settings.isa);
  given_.resize(o.exact() ? static_cast<std::size_t>(o.table->Y * o.C) : 0);
  fill(given_.data(), std::ssize(given_), std::uint8_t{0}, settings);
  fill(sums, o.table->L * o.C, Real(0), settings);
  for_each_pair(*o.table, settings, [&](std::int64_t x, std::int64_t y) {
    loops.add_where_equal(features + x * o.C, largest + y * o.C, gradient + y * o.C, o.C,
                          o.exact() ? given_.data() + y * o.C : nullptr, sums + x * o.C);
  });
}

template <class Real>
void PoolLoops::avg_forward(const Operands& o, const LoopSettings& settings, Real* sums) {
  const Real* features = features_.read<Real>(o.features, settings);
  const RowLoops<Real>& loops = row_loops<Real>(settings.isa);
  fill(sums, o.table->Y * o.C, Real(0), settings);
  for_each_pair(*o.table, settings, [&](std::int64_t x, std::int64_t y) {
    loops.add(features + x * o.C, Real(1), o.C, sums + y * o.C);
  });
  count(o);
  for_each_row(o.table->Y, settings, [&](std::int64_t y) {
    const auto pairs = static_cast<Real>(std::max(counts_[static_cast<std::size_t>(y)], 1));
    for (std::int64_t c = 0; c < o.C; ++c) sums[y * o.C + c] /= pairs;
  });
}

template <class Real>
void PoolLoops::avg_backward(const Operands& o, const LoopSettings& settings, Real* sums) {
  const Real* gradient = output_grad_.read<Real>(o.output_grad, settings);
  const RowLoops<Real>& loops = row_loops<Real>(settings.isa);
  fill(sums, o.table->L * o.C, Real(0), settings);
  count(o);
  for_each_pair(*o.table, settings, [&](std::int64_t x, std::int64_t y) {
    const Real share = 1 / static_cast<Real>(counts_[static_cast<std::size_t>(y)]);
    loops.add(gradient + y * o.C, share, o.C, sums + x * o.C);
  });
}

void PoolLoops::run(const Operation& operation, const Operands& operands,
                    const LoopSettings& settings, testing::HostTensor& result) {
  testing::in_loop_type(operands.dtype(), [&]<class Real>(Real) {
    Real* to = result_.write<Real>(result);
    if (operation.maximum) {
      operation.backward ? max_backward<Real>(operands, settings, to)
                         : max_forward<Real>(operands, settings, to);
    } else {
      operation.backward ? avg_backward<Real>(operands, settings, to)
                         : avg_forward<Real>(operands, settings, to);
    }
  });
  result_.store(result, settings);
}

}  // namespace mluop::sparse_pool
