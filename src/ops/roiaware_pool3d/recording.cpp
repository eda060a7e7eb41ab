// Checked RoI-aware pooling calls as test cases.
#include "ops/roiaware_pool3d/recording.hpp"

#include <algorithm>

namespace mluop::roiaware_pool3d {
namespace {

using recorder::Bounds;
using recorder::Description;
using recorder::Need;
using recorder::Parameter;

constexpr Bounds scene_bounds{-20, 20}, feature_bounds{-10, 10}, gradient_bounds{-100, 100};

/// Random integers below `count`.
Bounds below(std::int64_t count) { return {0, static_cast<double>(count)}; }

}  // namespace

Description description_of(const ForwardArguments& call) {
  const Sizes& sizes = call.sizes;
  return {.op = "roiaware_pool3d_forward",
          .inputs = {{call.rois, Need::structure, scene_bounds},
                     {call.pts, Need::structure, scene_bounds},
                     {call.features, Need::nothing, feature_bounds}},
          .outputs = {call.argmax, call.voxels, call.pooled},
          .parameters_name = "roiaware_pool3d_forward_param",
          .parameters = {{"pool_method", text_of(sizes.pool_method)},
                         {"boxes_num", text_of(sizes.boxes_num)},
                         {"pts_num", text_of(call.pts_num)},
                         {"channels", text_of(sizes.channels)},
                         {"max_pts_each_voxel", text_of(sizes.max_pts_each_voxel)},
                         {"out_x", text_of(sizes.out_x)},
                         {"out_y", text_of(sizes.out_y)},
                         {"out_z", text_of(sizes.out_z)}}};
}

Description description_of(const BackwardArguments& call) {
  const Sizes& sizes = call.sizes;
  const std::int64_t points = call.grad_in.desc->dim(0);
  // The first number of a list is how many points follow; a point that is too large is refused.
  const Bounds list_bounds = below(std::min<std::int64_t>(points, sizes.max_pts_each_voxel));
  return {.op = "roiaware_pool3d_backward",
          .inputs = {{call.voxels, Need::structure, list_bounds},
                     {call.argmax, Need::structure, below(points)},
                     {call.grad_out, Need::values, gradient_bounds}},
          .outputs = {call.grad_in},
          .parameters_name = "roiaware_pool3d_backward_param",
          .parameters = {{"pool_method", text_of(sizes.pool_method)},
                         {"boxes_num", text_of(sizes.boxes_num)},
                         {"out_x", text_of(sizes.out_x)},
                         {"out_y", text_of(sizes.out_y)},
                         {"out_z", text_of(sizes.out_z)},
                         {"channels", text_of(sizes.channels)},
                         {"max_pts_each_voxel", text_of(sizes.max_pts_each_voxel)}}};
}

}  // namespace mluop::roiaware_pool3d
