// The operators of this family as data: what differs between their tests, cases and bad calls.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "ops/points_in_boxes/kit/reference.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::points_in_boxes {

/// mluOpCpuPointsInBoxesAll is two of them, one for each order of its flags.
struct Variant {
  const char* op;
  const char* function;
  const char* result;  // the name of the output
  const char* suffix;  // of case names
  bool flags;
  bool box_major;
  reference::Formula formula;

  mluOpStatus_t call(mluOpHandle_t handle, mluOpTensorDescriptor_t points_desc, const void* points,
                     mluOpTensorDescriptor_t boxes_desc, const void* boxes,
                     mluOpTensorDescriptor_t to_desc, void* to) const {
    if (flags) {
      return mluOpCpuPointsInBoxesAll(handle, points_desc, points, boxes_desc, boxes,
                                      box_major ? 1 : 0, to_desc, to);
    }
    const auto function_of =
        formula == reference::Formula::part ? mluOpCpuPointsInBoxesPart : mluOpPointsInBoxes;
    return function_of(handle, points_desc, points, boxes_desc, boxes, to_desc, to);
  }

  mluOpStatus_t run(mluOpHandle_t handle, const testing::HostTensor& points,
                    const testing::HostTensor& boxes, testing::HostTensor& to) const {
    return call(handle, points.descriptor(), points.data(), boxes.descriptor(), boxes.data(),
                to.descriptor(), to.data());
  }

  /// For the names of tests.
  std::string name() const { return std::string(op) + (box_major ? "_by_box" : ""); }

  std::vector<std::int64_t> result_dims(const reference::Shape& shape) const {
    if (!flags) return {shape.B, shape.M};
    return box_major ? std::vector{shape.B, shape.T, shape.M}
                     : std::vector{shape.B, shape.M, shape.T};
  }

  /// What the formula gives for tensors [B,M,3] and [B,T,7].
  std::vector<std::int32_t> expected(const reference::Shape& shape,
                                     const testing::HostTensor& points,
                                     const testing::HostTensor& boxes) const {
    const reference::Scene scene{points.values(), boxes.values()};
    return flags ? reference::flags(shape, scene, points.dtype(), box_major)
                 : reference::first(formula, shape, scene, points.dtype());
  }
};

inline constexpr Variant points_in_boxes_variant{"points_in_boxes",
                                                 "mluOpPointsInBoxes",
                                                 "points_indices",
                                                 "",
                                                 false,
                                                 false,
                                                 reference::Formula::points_in_boxes};
inline constexpr Variant part_variant{
    "points_in_boxes_part",  "mluOpCpuPointsInBoxesPart", "points_indices", "", false, false,
    reference::Formula::part};
inline constexpr Variant all_variant{
    "points_in_boxes_all",   "mluOpCpuPointsInBoxesAll", "flags", "", true, false,
    reference::Formula::part};
inline constexpr Variant by_box_variant{
    "points_in_boxes_all",   "mluOpCpuPointsInBoxesAll", "flags", "_by_box", true, true,
    reference::Formula::part};

inline constexpr const Variant* variants[] = {&points_in_boxes_variant, &part_variant, &all_variant,
                                              &by_box_variant};

/// The elements of an INT32 tensor.
inline std::span<const std::int32_t> integers(const testing::HostTensor& tensor) {
  return {static_cast<const std::int32_t*>(tensor.data()),
          static_cast<std::size_t>(tensor.count())};
}

}  // namespace mluop::points_in_boxes
