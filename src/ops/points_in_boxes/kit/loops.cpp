#include "ops/points_in_boxes/kit/loops.hpp"

#include <cmath>
#include <vector>

#include "ops/points_in_boxes/kit/box_loops.hpp"
#include "runtime/parallel.hpp"

namespace mluop::points_in_boxes {
namespace {

using reference::Shape;
using testing::LoopSettings;

template <class Real>
std::vector<LoopBox<Real>> turned_boxes(const Variant& variant, const Shape& shape,
                                        const Real* fields) {
  std::vector<LoopBox<Real>> boxes;
  for (std::int64_t t = 0; t < shape.B * shape.T; ++t) {
    const Real* box = fields + 7 * t;
    const Real middle = variant.formula == reference::Formula::part ? box[2] + box[5] / 2 : box[2];
    boxes.push_back(
        {box[0], box[1], middle, box[3], box[4], box[5], std::cos(-box[6]), std::sin(-box[6])});
  }
  return boxes;
}

/// Point by point: the first box, or a flag for each.
template <class Real>
void visit_points(const Variant& variant, const Shape& shape, const Real* points,
                  const LoopBox<Real>* boxes, std::int32_t* result, const LoopSettings& settings) {
  constexpr std::int64_t grain = 64;
  const BoxLoops<Real>& loops = box_loops<Real>(settings.isa);
  const auto visit = [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t p = begin; p < end; ++p) {
      const LoopBox<Real>* of_element = boxes + p / shape.M * shape.T;
      if (variant.flags) {
        loops.flags_of_point(points + 3 * p, of_element, shape.T, result + p * shape.T);
      } else {
        result[p] = loops.first(variant.formula, points + 3 * p, of_element, shape.T);
      }
    }
  };
  parallel_for(settings.threads, shape.points(), grain, visit);
}

template <class Real>
void visit_boxes(const Shape& shape, const Real* points, const LoopBox<Real>* boxes,
                 std::int32_t* result, const LoopSettings& settings) {
  const BoxLoops<Real>& loops = box_loops<Real>(settings.isa);
  parallel_for(settings.threads, shape.B * shape.T, 1,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t t = begin; t < end; ++t) {
                   loops.flags_of_box(boxes[t], points + t / shape.T * shape.M * 3, shape.M,
                                      result + t * shape.M);
                 }
               });
}

}  // namespace

void PointLoops::run(const Variant& variant, const Shape& shape, const testing::HostTensor& points,
                     const testing::HostTensor& boxes, testing::HostTensor& result,
                     const LoopSettings& settings) {
  auto* to = static_cast<std::int32_t*>(result.data());
  testing::in_loop_type(points.dtype(), [&]<class Real>(Real) {
    const Real* from = points_.read<Real>(points, settings);
    const auto turned = turned_boxes(variant, shape, boxes_.read<Real>(boxes, settings));
    if (variant.box_major) {
      visit_boxes(shape, from, turned.data(), to, settings);
    } else {
      visit_points(variant, shape, from, turned.data(), to, settings);
    }
  });
}

}  // namespace mluop::points_in_boxes
