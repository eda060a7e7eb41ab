// Checked calls of dynamic point to voxel as test cases.
#include "ops/dynamic_point_to_voxel/recording.hpp"

namespace mluop::dynamic_point_to_voxel {
namespace {

using recorder::Description;
using recorder::Need;

const char* name_in_case_files(mluOpReduceMode_t reduce_type) {
  switch (reduce_type) {
    case MLUOP_REDUCE_DSUM:
      return "REDUCE_MODE_SUM";
    case MLUOP_REDUCE_DMEAN:
      return "REDUCE_MODE_MEAN";
    default:
      return "REDUCE_MODE_MAX";
  }
}

}  // namespace

/// Other coordinates might make more voxels than there are rows.
Description description_of(const ForwardArguments& call) {
  return {.op = "dynamic_point_to_voxel_forward",
          .inputs = {{call.feats, Need::nothing, {-10, 10}}, {call.coors, Need::always}},
          .outputs = {call.voxel_feats, call.voxel_coors, call.point2voxel_map,
                      call.voxel_points_count, call.voxel_num},
          .parameters_name = "dynamic_point_to_voxel_forward_param",
          .parameters = {{"reduce_type", name_in_case_files(call.reduce_type)}}};
}

/// Gradients go to features that equal a maximum, of which random ones have none.
Description description_of(const BackwardArguments& call) {
  return {.op = "dynamic_point_to_voxel_backward",
          .inputs = {{call.grad_voxel_feats, Need::nothing, {-10, 10}},
                     {call.feats, Need::structure, {-10, 10}},
                     {call.voxel_feats, Need::structure, {-10, 10}},
                     {call.point2voxel_map, Need::always},
                     {call.voxel_points_count, Need::always},
                     {call.voxel_num, Need::always}},
          .outputs = {call.grad_feats},
          .parameters_name = "dynamic_point_to_voxel_backward_param",
          .parameters = {{"reduce_type", name_in_case_files(call.reduce_type)}},
          .criteria = {{"DIFF3", 0}}};
}

}  // namespace mluop::dynamic_point_to_voxel
