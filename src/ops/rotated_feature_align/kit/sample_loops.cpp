// Plain loops; Highway only chooses the instruction set the compiler may use for them.
#include "ops/rotated_feature_align/kit/sample_loops.hpp"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rotated_feature_align/kit/sample_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_feature_align {
namespace HWY_NAMESPACE {
namespace {

template <class Real>
void gather(const Real* map, const std::int64_t* offsets, const Real* weights,
            std::int64_t channels, Real* HWY_RESTRICT sums) {
  const Real *a = map + offsets[0], *b = map + offsets[1];
  const Real *c = map + offsets[2], *d = map + offsets[3];
  const Real wa = weights[0], wb = weights[1], wc = weights[2], wd = weights[3];
  for (std::int64_t i = 0; i < channels; ++i) {
    sums[i] += wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i];
  }
}

template <class Real>
HWY_INLINE void add_scaled(const Real* HWY_RESTRICT values, Real weight, std::int64_t channels,
                           Real* HWY_RESTRICT sums) {
  for (std::int64_t c = 0; c < channels; ++c) sums[c] += weight * values[c];
}

template <class Real>
void scatter(const Real* values, const std::int64_t* offsets, const Real* weights,
             std::int64_t channels, Real* map) {
  for (int i = 0; i < 4; ++i) add_scaled(values, weights[i], channels, map + offsets[i]);
}

template <class Real>
const SampleLoops<Real>* loops() {
  static constexpr SampleLoops<Real> all{&gather<Real>, &scatter<Real>};
  return &all;
}
const SampleLoops<float>* float_loops() { return loops<float>(); }
const SampleLoops<double>* double_loops() { return loops<double>(); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace mluop::rotated_feature_align
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::rotated_feature_align {

template <>
const SampleLoops<float>& sample_loops(Isa isa) {
  static constexpr PerIsa<const SampleLoops<float>* (*)()> all{MLUOP_PER_ISA(float_loops)};
  return *all[static_cast<std::size_t>(isa)]();
}

template <>
const SampleLoops<double>& sample_loops(Isa isa) {
  static constexpr PerIsa<const SampleLoops<double>* (*)()> all{MLUOP_PER_ISA(double_loops)};
  return *all[static_cast<std::size_t>(isa)]();
}

}  // namespace mluop::rotated_feature_align
#endif
