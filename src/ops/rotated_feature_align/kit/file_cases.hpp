// Rotated feature align as case files describe it.
#pragma once

#include <memory>

#include "ops/rotated_feature_align/kit/direction.hpp"
#include "testing/suite/file_case.hpp"

namespace mluop::rotated_feature_align {

/// rotated_feature_align_forward_param or …_backward_param; input, rois -> output.
std::unique_ptr<testing::FileCall> from_file(const Direction& direction, testing::FileCase file);

}  // namespace mluop::rotated_feature_align
