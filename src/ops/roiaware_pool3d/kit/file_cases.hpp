// RoI-aware pooling as case files describe it.
#pragma once

#include <memory>

#include "testing/suite/file_case.hpp"

namespace mluop::roiaware_pool3d {

/// roiaware_pool3d_forward_param; rois, pts, pts_feature -> argmax, pts_idx_of_voxels, pooled_features.
std::unique_ptr<testing::FileCall> forward_from_file(testing::FileCase file);
/// roiaware_pool3d_backward_param; pts_idx_of_voxels, argmax, grad_out -> grad_in.
std::unique_ptr<testing::FileCall> backward_from_file(testing::FileCase file);

}  // namespace mluop::roiaware_pool3d
