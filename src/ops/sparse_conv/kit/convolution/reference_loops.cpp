// Plain loops; Highway only chooses the instruction set the compiler may use for them.
#include "ops/sparse_conv/kit/convolution/reference_loops.hpp"

#include "runtime/isa.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sparse_conv/kit/convolution/reference_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::reference {
namespace HWY_NAMESPACE {
namespace {

template <class Real>
void multiply(const Rows& rows, const Real* source, std::int64_t channels, const Real* weights,
              Real* target, std::int64_t target_pitch) {
  for (std::int64_t t = 0; t < rows.count; ++t) {
    const Real* const from = source + rows.first[t] * channels;
    Real sum[block] = {};
    for (std::int64_t i = 0; i < channels; ++i) {
      for (std::int64_t j = 0; j < block; ++j) sum[j] += from[i] * weights[i * block + j];
    }
    Real* const to = target + rows.second[t] * target_pitch;
    for (std::int64_t j = 0; j < block; ++j) to[j] += sum[j];
  }
}

/// `terms` pairs at once keep the sum in registers; each element still adds them one after another.
template <int terms, class Real>
HWY_INLINE void correlate_terms(const Real* const (&a)[terms], const Real* const (&b)[terms],
                                std::int64_t b_channels, std::int64_t begin, std::int64_t end,
                                Real* HWY_RESTRICT sum) {
  for (std::int64_t i = begin; i < end; ++i, sum += b_channels) {
    Real factor[terms];
    for (int p = 0; p < terms; ++p) factor[p] = a[p][i];
    for (std::int64_t j = 0; j < b_channels; ++j) {
      Real s = sum[j];
      for (int p = 0; p < terms; ++p) s += factor[p] * b[p][j];
      sum[j] = s;
    }
  }
}

template <class Real>
void correlate(const Rows& rows, const Real* a, std::int64_t a_channels, const Real* b,
               std::int64_t b_channels, std::int64_t begin, std::int64_t end, Real* sum) {
  constexpr int terms = 8;
  const auto a_row = [&](std::int64_t t) { return a + rows.first[t] * a_channels; };
  const auto b_row = [&](std::int64_t t) { return b + rows.second[t] * b_channels; };
  std::int64_t t = 0;
  for (; t + terms <= rows.count; t += terms) {
    const Real *as[terms], *bs[terms];
    for (int p = 0; p < terms; ++p) as[p] = a_row(t + p), bs[p] = b_row(t + p);
    correlate_terms<terms>(as, bs, b_channels, begin, end, sum);
  }
  for (; t < rows.count; ++t) {
    correlate_terms<1, Real>({a_row(t)}, {b_row(t)}, b_channels, begin, end, sum);
  }
}

template <class Real>
Loops<Real> make() {
  return {&multiply<Real>, &correlate<Real>};
}
Loops<float> float_loops() { return make<float>(); }
Loops<double> double_loops() { return make<double>(); }
Loops<long double> long_double_loops() { return make<long double>(); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace mluop::sparse_conv::reference
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::sparse_conv::reference {
namespace {

template <class Real>
Loops<Real> best_of(const PerIsa<Loops<Real> (*)()>& make) {
  return make[static_cast<std::size_t>(vector_isa(detected_isa()))]();
}

}  // namespace

template <>
const Loops<float>& loops() {
  static const Loops<float> best = best_of<float>({MLUOP_PER_ISA(float_loops)});
  return best;
}

template <>
const Loops<double>& loops() {
  static const Loops<double> best = best_of<double>({MLUOP_PER_ISA(double_loops)});
  return best;
}

template <>
const Loops<long double>& loops() {
  static const Loops<long double> best = best_of<long double>({MLUOP_PER_ISA(long_double_loops)});
  return best;
}

}  // namespace mluop::sparse_conv::reference
#endif
