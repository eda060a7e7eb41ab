// The operators of MLU-OPS 1.11.1 by the names of their case files.
#include "casefile/operator_name.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "casefile/place.hpp"
#include "testing/suite/nearest_name.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::casefile {
namespace {

using namespace std::string_view_literals;

constexpr std::array operators_of_mlu_ops{"abs"sv,
                                          "active_rotated_filter_forward"sv,
                                          "adam_w"sv,
                                          "ball_query"sv,
                                          "bbox_overlaps"sv,
                                          "border_align_backward"sv,
                                          "border_align_forward"sv,
                                          "box_iou_rotated"sv,
                                          "carafe_backward"sv,
                                          "carafe_forward"sv,
                                          "dcn_backward_data"sv,
                                          "dcn_backward_weight"sv,
                                          "dcn_forward"sv,
                                          "deform_roi_pool_backward"sv,
                                          "deform_roi_pool_forward"sv,
                                          "diff_iou_rotated_sort_vertices_forward"sv,
                                          "div"sv,
                                          "dynamic_point_to_voxel_backward"sv,
                                          "dynamic_point_to_voxel_forward"sv,
                                          "fft"sv,
                                          "focal_loss_sigmoid_backward"sv,
                                          "focal_loss_sigmoid_forward"sv,
                                          "generate_proposals_v2"sv,
                                          "get_indice_pairs"sv,
                                          "indice_convolution_backward_data"sv,
                                          "indice_convolution_backward_filter"sv,
                                          "indice_convolution_forward"sv,
                                          "lgamma"sv,
                                          "log"sv,
                                          "logspace"sv,
                                          "masked_col2im_forward"sv,
                                          "masked_im2col_forward"sv,
                                          "moe_dispatch_backward_data"sv,
                                          "moe_dispatch_backward_gate"sv,
                                          "moe_dispatch_forward"sv,
                                          "ms_deform_attn_backward"sv,
                                          "ms_deform_attn_forward"sv,
                                          "mutual_information_backward"sv,
                                          "mutual_information_forward"sv,
                                          "nms"sv,
                                          "nms_rotated"sv,
                                          "points_in_boxes"sv,
                                          "poly_nms"sv,
                                          "prior_box"sv,
                                          "psamask_backward"sv,
                                          "psamask_forward"sv,
                                          "psroipool_backward"sv,
                                          "psroipool_forward"sv,
                                          "roi_align_backward"sv,
                                          "roi_align_rotated_backward"sv,
                                          "roi_align_rotated_forward"sv,
                                          "roi_crop_backward"sv,
                                          "roi_crop_forward"sv,
                                          "roi_pooling_backward"sv,
                                          "roi_pooling_forward"sv,
                                          "roialign_forward"sv,
                                          "roiaware_pool3d_backward"sv,
                                          "roiaware_pool3d_forward"sv,
                                          "roipoint_pool3d"sv,
                                          "rotated_feature_align_backward"sv,
                                          "rotated_feature_align_forward"sv,
                                          "sqrt"sv,
                                          "sqrt_backward"sv,
                                          "sync_batch_norm_backward_elemt"sv,
                                          "sync_batchnorm_backward_elemt_v2"sv,
                                          "sync_batchnorm_backward_reduce"sv,
                                          "sync_batchnorm_elemt"sv,
                                          "sync_batchnorm_gather_stats_with_counts"sv,
                                          "sync_batchnorm_stats"sv,
                                          "three_interpolate_backward"sv,
                                          "three_interpolate_forward"sv,
                                          "three_nn_forward"sv,
                                          "tin_shift_backward"sv,
                                          "tin_shift_forward"sv,
                                          "voxel_pooling_forward"sv,
                                          "voxelization"sv,
                                          "yolo_box"sv};

std::string letters_of(std::string_view name) {
  std::string letters(name);
  std::erase(letters, '_');
  return letters;
}

/// MLU-OPS writes some names in two ways: roialign_forward and roi_align_backward.
bool is_of_mlu_ops(std::string_view name) {
  const std::string letters = letters_of(name);
  return std::ranges::any_of(operators_of_mlu_ops,
                             [&](std::string_view other) { return letters_of(other) == letters; });
}

}  // namespace

std::string problem_of_operator(std::string_view name) {
  if (testing::find_suite(name) != nullptr) return "";
  if (is_of_mlu_ops(name)) {
    return sentence("'", name,
                    "' is an operator of MLU-OPS that this library does not have; mluop list shows "
                    "those that it has");
  }
  std::vector<std::string> ours;
  for (const testing::Suite& suite : testing::suites()) {
    if (suite.has_case_files()) ours.push_back(suite.op);
  }
  return sentence("no operator of this library or of MLU-OPS 1.11.1 is called '", name, "'",
                  testing::suggestion_for(name, ours));
}

}  // namespace mluop::casefile
