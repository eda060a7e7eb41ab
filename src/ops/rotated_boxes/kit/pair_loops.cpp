// Plain loops; Highway only chooses the instruction set the compiler may use for them.
#include "ops/rotated_boxes/kit/pair_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rotated_boxes/kit/pair_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_boxes {
namespace HWY_NAMESPACE {
namespace {

using reference::iou;
using reference::Turned;

template <class Real>
void row(const Turned<Real>& first, const Turned<Real>* second, std::int64_t count, bool over_first,
         Real* ious) {
  for (std::int64_t j = 0; j < count; ++j) ious[j] = iou(first, second[j], over_first);
}

template <class Real>
void aligned(const Turned<Real>* first, const Turned<Real>* second, std::int64_t count,
             bool over_first, Real* ious) {
  for (std::int64_t i = 0; i < count; ++i) ious[i] = iou(first[i], second[i], over_first);
}

template <class Real>
void suppress(const Turned<Real>& kept, const Turned<Real>* boxes, const std::int32_t* order,
              std::int64_t count, Real threshold, std::uint8_t* suppressed) {
  for (std::int64_t j = 0; j < count; ++j) {
    if (suppressed[j] == 0 && iou(kept, boxes[order[j]], false) > threshold) suppressed[j] = 1;
  }
}

template <class Real>
const PairLoops<Real>* loops() {
  static constexpr PairLoops<Real> all{&row<Real>, &aligned<Real>, &suppress<Real>};
  return &all;
}
const PairLoops<float>* float_loops() { return loops<float>(); }
const PairLoops<double>* double_loops() { return loops<double>(); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace mluop::rotated_boxes
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::rotated_boxes {

template <>
const PairLoops<float>& pair_loops(Isa isa) {
  static constexpr PerIsa<const PairLoops<float>* (*)()> all{MLUOP_PER_ISA(float_loops)};
  return *all[static_cast<std::size_t>(isa)]();
}

template <>
const PairLoops<double>& pair_loops(Isa isa) {
  static constexpr PerIsa<const PairLoops<double>* (*)()> all{MLUOP_PER_ISA(double_loops)};
  return *all[static_cast<std::size_t>(isa)]();
}

}  // namespace mluop::rotated_boxes
#endif
