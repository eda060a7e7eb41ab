// Rotated boxes as case files describe them.
#pragma once

#include <memory>

#include "testing/suite/file_case.hpp"

namespace mluop::rotated_boxes {

/// box_iou_rotated_param: mode, aligned; box1, box2 -> ious.
std::unique_ptr<testing::FileCall> iou_from_file(testing::FileCase file);

/// nms_rotated_param: iou_threshold; boxes, scores -> output, result_num.
std::unique_ptr<testing::FileCall> nms_from_file(testing::FileCase file);

}  // namespace mluop::rotated_boxes
