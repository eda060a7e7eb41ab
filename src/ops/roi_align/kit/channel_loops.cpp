// Plain loops; Highway only chooses the instruction set the compiler may use for them.
#include "ops/roi_align/kit/channel_loops.hpp"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roi_align/kit/channel_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::roi_align {
namespace HWY_NAMESPACE {
namespace {

template <class Real>
HWY_INLINE Real sample(const Real* image, const Corners<Real>& at, std::int64_t c) {
  return at.weight[0] * image[at.offset[0] + c] + at.weight[1] * image[at.offset[1] + c] +
         at.weight[2] * image[at.offset[2] + c] + at.weight[3] * image[at.offset[3] + c];
}

template <class Real>
void add(const Real* image, const Corners<Real>& corners, std::int64_t channels,
         Real* HWY_RESTRICT sums) {
  const Corners<Real> at = corners;
  for (std::int64_t c = 0; c < channels; ++c) sums[c] += sample(image, at, c);
}

template <class Real>
void compete(const Real* image, const Corners<Real>& corners, std::int64_t channels,
             const Largest<Real>& largest) {
  const Corners<Real> at = corners;
  Real* HWY_RESTRICT const value = largest.value;
  Real* HWY_RESTRICT const x = largest.x;
  Real* HWY_RESTRICT const y = largest.y;
  for (std::int64_t c = 0; c < channels; ++c) {
    const Real here = sample(image, at, c);
    const bool wins = here > value[c];
    value[c] = wins ? here : value[c];
    x[c] = wins ? at.x : x[c];
    y[c] = wins ? at.y : y[c];
  }
}

template <class Real>
HWY_INLINE void add_scaled(const Real* HWY_RESTRICT values, Real weight, Real count,
                           std::int64_t channels, Real* HWY_RESTRICT sums) {
  for (std::int64_t c = 0; c < channels; ++c) sums[c] += values[c] * weight / count;
}

template <class Real>
void scatter(const Real* values, const Corners<Real>& at, Real count, std::int64_t channels,
             Real* image) {
  for (int i = 0; i < 4; ++i) {
    add_scaled(values, at.weight[i], count, channels, image + at.offset[i]);
  }
}

template <class Real>
const ChannelLoops<Real>* loops() {
  static constexpr ChannelLoops<Real> all{&add<Real>, &compete<Real>, &scatter<Real>};
  return &all;
}
const ChannelLoops<float>* float_loops() { return loops<float>(); }
const ChannelLoops<double>* double_loops() { return loops<double>(); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace mluop::roi_align
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roi_align {

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

}  // namespace mluop::roi_align
#endif
