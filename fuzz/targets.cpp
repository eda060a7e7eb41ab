// The table of targets.
#include "targets.hpp"

#include <array>

namespace mluop::fuzz {
namespace {

template <bool (*function)(Bytes&)>
bool from_bytes(std::span<const std::uint8_t> raw) {
  Bytes bytes{raw};
  return function(bytes);
}

constexpr std::array table{
    Target{"box_iou_rotated", from_bytes<box_iou_rotated>},
    Target{"boxes_overlap_bev", from_bytes<boxes_overlap_bev>},
    Target{"carafe_backward", from_bytes<carafe_backward>},
    Target{"carafe_forward", from_bytes<carafe_forward>},
    Target{"case_file", case_file},
    Target{"cpu_nms", from_bytes<cpu_nms>},
    Target{"dynamic_point_to_voxel_backward", from_bytes<dynamic_point_to_voxel_backward>},
    Target{"dynamic_point_to_voxel_forward", from_bytes<dynamic_point_to_voxel_forward>},
    Target{"dynamic_voxelize", from_bytes<dynamic_voxelize>},
    Target{"get_indice_pairs", from_bytes<get_indice_pairs>},
    Target{"indice_avgpool_backward", from_bytes<indice_avgpool_backward>},
    Target{"indice_avgpool_forward", from_bytes<indice_avgpool_forward>},
    Target{"indice_convolution_backward_data", from_bytes<indice_convolution_backward_data>},
    Target{"indice_convolution_backward_filter", from_bytes<indice_convolution_backward_filter>},
    Target{"indice_convolution_forward", from_bytes<indice_convolution_forward>},
    Target{"indice_maxpool_backward", from_bytes<indice_maxpool_backward>},
    Target{"indice_maxpool_forward", from_bytes<indice_maxpool_forward>},
    Target{"nms", from_bytes<nms>},
    Target{"nms3d", from_bytes<nms3d>},
    Target{"nms_rotated", from_bytes<nms_rotated>},
    Target{"points_in_boxes", from_bytes<points_in_boxes>},
    Target{"points_in_boxes_all", from_bytes<points_in_boxes_all>},
    Target{"points_in_boxes_part", from_bytes<points_in_boxes_part>},
    Target{"roi_align_backward", from_bytes<roi_align_backward>},
    Target{"roi_align_forward", from_bytes<roi_align_forward>},
    Target{"roiaware_pool3d_backward", from_bytes<roiaware_pool3d_backward>},
    Target{"roiaware_pool3d_forward", from_bytes<roiaware_pool3d_forward>},
    Target{"rotated_feature_align_backward", from_bytes<rotated_feature_align_backward>},
    Target{"rotated_feature_align_forward", from_bytes<rotated_feature_align_forward>},
    Target{"voxelization", from_bytes<voxelization>},
};

}  // namespace

std::span<const Target> targets() { return table; }

}  // namespace mluop::fuzz
