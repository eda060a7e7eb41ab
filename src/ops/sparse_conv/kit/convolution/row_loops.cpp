// Plain loops; Highway only chooses the instruction set the compiler may use for them.
#include "ops/sparse_conv/kit/convolution/row_loops.hpp"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sparse_conv/kit/convolution/row_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv {
namespace HWY_NAMESPACE {
namespace {

/// Sums of every 16th product, so that the compiler may use vectors, then the sum of those.
template <class Real>
HWY_INLINE Real dot(const Real* HWY_RESTRICT a, const Real* HWY_RESTRICT b, std::int64_t count) {
  constexpr std::int64_t lanes = 16;
  Real sums[lanes] = {}, sum = 0;
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::int64_t lane = 0; lane < lanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (; i < count; ++i) sum += a[i] * b[i];
  for (const Real part : sums) sum += part;
  return sum;
}

template <class Real>
HWY_INLINE void add(Real factor, const Real* HWY_RESTRICT values, std::int64_t count,
                    Real* HWY_RESTRICT sums) {
  for (std::int64_t i = 0; i < count; ++i) sums[i] += factor * values[i];
}

template <class Real>
void multiply(const LoopMatrix<Real>& matrix, const Real* source, Real* result) {
  if (matrix.column_step == 1) {
    for (std::int64_t i = 0; i < matrix.rows; ++i) {
      add(source[i], matrix.filter + i * matrix.row_step, matrix.columns, result);
    }
  } else {
    for (std::int64_t o = 0; o < matrix.columns; ++o) {
      result[o] += dot(source, matrix.filter + o * matrix.column_step, matrix.rows);
    }
  }
}

template <class Real>
void outer(const Real* source, std::int64_t rows, const Real* target, std::int64_t columns,
           Real* gradient) {
  for (std::int64_t i = 0; i < rows; ++i) add(source[i], target, columns, gradient + i * columns);
}

const ChannelLoops<float>* float_loops() {
  static constexpr ChannelLoops<float> loops{&multiply<float>, &outer<float>};
  return &loops;
}
const ChannelLoops<double>* double_loops() {
  static constexpr ChannelLoops<double> loops{&multiply<double>, &outer<double>};
  return &loops;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace mluop::sparse_conv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::sparse_conv {

template <>
const ChannelLoops<float>& channel_loops(Isa isa) {
  static constexpr PerIsa<const ChannelLoops<float>* (*)()> all{MLUOP_PER_ISA(float_loops)};
  return *all[static_cast<std::size_t>(isa)]();
}

template <>
const ChannelLoops<double>& channel_loops(Isa isa) {
  static constexpr PerIsa<const ChannelLoops<double>* (*)()> all{MLUOP_PER_ISA(double_loops)};
  return *all[static_cast<std::size_t>(isa)]();
}

}  // namespace mluop::sparse_conv
#endif
