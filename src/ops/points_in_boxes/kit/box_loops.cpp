// Plain loops; Highway only chooses the instruction set the compiler may use for them.
#include "ops/points_in_boxes/kit/box_loops.hpp"

#include <cmath>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/points_in_boxes/kit/box_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::points_in_boxes {
namespace HWY_NAMESPACE {
namespace {

using reference::Formula;

template <class Real>
struct Turned {
  Real x, y;
};

template <class Real>
HWY_INLINE Turned<Real> turned(const LoopBox<Real>& box, const Real* point) {
  const Real x = point[0] - box.x, y = point[1] - box.y;
  return {x * box.cosine + y * -box.sine, x * box.sine + y * box.cosine};
}

template <class Real>
HWY_INLINE bool between_bottom_and_top(const LoopBox<Real>& box, const Real* point) {
  return std::abs(point[2] - box.z) <= box.dz / 2;
}

template <class Real>
HWY_INLINE bool holds_part(const LoopBox<Real>& box, const Real* point) {
  const auto [x, y] = turned(box, point);
  return between_bottom_and_top(box, point) && x > -box.dx / 2 && x < box.dx / 2 &&
         y > -box.dy / 2 && y < box.dy / 2;
}

template <class Real>
HWY_INLINE bool holds(const LoopBox<Real>& box, const Real* point) {
  if (!between_bottom_and_top(box, point)) return false;
  const auto [x, y] = turned(box, point);
  constexpr double margin = static_cast<double>(1e-5f);
  return std::abs(static_cast<double>(x)) < static_cast<double>(box.dx) / 2 + margin &&
         std::abs(static_cast<double>(y)) < static_cast<double>(box.dy) / 2 + margin;
}

template <class Real>
std::int32_t first(Formula formula, const Real* point, const LoopBox<Real>* boxes,
                   std::int64_t count) {
  if (formula == Formula::part) {
    for (std::int64_t t = 0; t < count; ++t) {
      if (!between_bottom_and_top(boxes[t], point)) continue;
      if (holds_part(boxes[t], point)) return static_cast<std::int32_t>(t);
    }
  } else {
    for (std::int64_t t = 0; t < count; ++t) {
      if (holds(boxes[t], point)) return static_cast<std::int32_t>(t);
    }
  }
  return -1;
}

template <class Real>
void flags_of_point(const Real* point, const LoopBox<Real>* boxes, std::int64_t count,
                    std::int32_t* flags) {
  for (std::int64_t t = 0; t < count; ++t) flags[t] = holds_part(boxes[t], point) ? 1 : 0;
}

template <class Real>
void flags_of_box(const LoopBox<Real>& box, const Real* points, std::int64_t count,
                  std::int32_t* flags) {
  for (std::int64_t p = 0; p < count; ++p) flags[p] = holds_part(box, points + 3 * p) ? 1 : 0;
}

template <class Real>
const BoxLoops<Real>* loops() {
  static constexpr BoxLoops<Real> all{&first<Real>, &flags_of_point<Real>, &flags_of_box<Real>};
  return &all;
}
const BoxLoops<float>* float_loops() { return loops<float>(); }
const BoxLoops<double>* double_loops() { return loops<double>(); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace mluop::points_in_boxes
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::points_in_boxes {

template <>
const BoxLoops<float>& box_loops(Isa isa) {
  static constexpr PerIsa<const BoxLoops<float>* (*)()> all{MLUOP_PER_ISA(float_loops)};
  return *all[static_cast<std::size_t>(isa)]();
}

template <>
const BoxLoops<double>& box_loops(Isa isa) {
  static constexpr PerIsa<const BoxLoops<double>* (*)()> all{MLUOP_PER_ISA(double_loops)};
  return *all[static_cast<std::size_t>(isa)]();
}

}  // namespace mluop::points_in_boxes
#endif
