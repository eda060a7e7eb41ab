// How calls of this family are recorded as test cases.
#pragma once

#include "ops/rotated_boxes/problem.hpp"
#include "recorder/recorded.hpp"

namespace mluop::rotated_boxes {

recorder::Description iou_description(const IouArguments& call);

/// Sets `result_num`, which the description points to, to the shape of the number of boxes that are kept.
recorder::Description nms_description(const NmsArguments& call, mluOpTensorStruct& result_num);

}  // namespace mluop::rotated_boxes
