// The list of operators, in the order of the header.
#include <array>

#include "core/design/design.hpp"
#include "ops/carafe/problem.hpp"
#include "ops/dynamic_point_to_voxel/problem.hpp"
#include "ops/nms/problem.hpp"
#include "ops/points_in_boxes/problem.hpp"
#include "ops/roi_align/problem.hpp"
#include "ops/roiaware_pool3d/problem.hpp"
#include "ops/rotated_boxes/problem.hpp"
#include "ops/rotated_feature_align/problem.hpp"
#include "ops/sparse_conv/pairs/problem.hpp"
#include "ops/sparse_conv/spec.hpp"
#include "ops/sparse_pool/problem.hpp"
#include "ops/voxelization/problem.hpp"

namespace mluop {

std::span<const OperatorInfo* const> operators() {
  static constexpr std::array all{&sparse_conv::get_indice_pairs_operator,
                                  &sparse_conv::forward_operator,
                                  &sparse_conv::backward_data_operator,
                                  &sparse_conv::backward_filter_operator,
                                  &carafe::forward_operator,
                                  &carafe::backward_operator,
                                  &roiaware_pool3d::forward_operator,
                                  &roiaware_pool3d::backward_operator,
                                  &rotated_feature_align::forward_operator,
                                  &rotated_feature_align::backward_operator,
                                  &points_in_boxes::centred_operator,
                                  &voxelization::hard_operator,
                                  &dynamic_point_to_voxel::forward_operator,
                                  &dynamic_point_to_voxel::backward_operator,
                                  &rotated_boxes::iou_operator,
                                  &rotated_boxes::nms_operator,
                                  &nms::nms_operator,
                                  &roi_align::forward_operator,
                                  &roi_align::backward_operator,
                                  &points_in_boxes::part_operator,
                                  &points_in_boxes::all_operator,
                                  &sparse_pool::max_forward_operator,
                                  &sparse_pool::max_backward_operator,
                                  &sparse_pool::avg_forward_operator,
                                  &sparse_pool::avg_backward_operator,
                                  &voxelization::dynamic_operator,
                                  &nms::cpu_nms_operator,
                                  &nms::nms3d_operator,
                                  &nms::overlap_operator};
  return all;
}

}  // namespace mluop
