// RoI align as case files describe it.
#pragma once

#include <memory>

#include "testing/suite/file_case.hpp"

namespace mluop::roi_align {

/// roialign_param; input, boxes -> output, and of maxima argmax_x, argmax_y.
std::unique_ptr<testing::FileCall> forward_from_file(testing::FileCase file);
/// roi_align_backward_param; grads, boxes, and of maxima argmax_x, argmax_y -> grads_image.
std::unique_ptr<testing::FileCall> backward_from_file(testing::FileCase file);

}  // namespace mluop::roi_align
