// The fuzz targets: one function each, from bytes to a call.
#pragma once

#include <cstdint>
#include <span>

#include "bytes.hpp"

namespace mluop::fuzz {

struct Target {
  const char* name;
  /// Whether the call of the bytes succeeded; throws Violation if a guarantee was violated.
  bool (*run)(std::span<const std::uint8_t> bytes);
};

std::span<const Target> targets();

/// A whole case file, text or binary: reader, references and verdict.
bool case_file(std::span<const std::uint8_t> bytes);

/// The operators, by family.
bool carafe_forward(Bytes& bytes);
bool carafe_backward(Bytes& bytes);
bool dynamic_point_to_voxel_backward(Bytes& bytes);
bool dynamic_point_to_voxel_forward(Bytes& bytes);
bool nms(Bytes& bytes);
bool cpu_nms(Bytes& bytes);
bool nms3d(Bytes& bytes);
bool boxes_overlap_bev(Bytes& bytes);
bool points_in_boxes(Bytes& bytes);
bool points_in_boxes_part(Bytes& bytes);
bool roi_align_backward(Bytes& bytes);
bool roi_align_forward(Bytes& bytes);
bool points_in_boxes_all(Bytes& bytes);
bool box_iou_rotated(Bytes& bytes);
bool nms_rotated(Bytes& bytes);
bool roiaware_pool3d_forward(Bytes& bytes);
bool roiaware_pool3d_backward(Bytes& bytes);
bool rotated_feature_align_forward(Bytes& bytes);
bool rotated_feature_align_backward(Bytes& bytes);
bool get_indice_pairs(Bytes& bytes);
bool indice_convolution_forward(Bytes& bytes);
bool indice_convolution_backward_data(Bytes& bytes);
bool indice_convolution_backward_filter(Bytes& bytes);
bool indice_maxpool_forward(Bytes& bytes);
bool indice_maxpool_backward(Bytes& bytes);
bool indice_avgpool_forward(Bytes& bytes);
bool indice_avgpool_backward(Bytes& bytes);
bool voxelization(Bytes& bytes);
bool dynamic_voxelize(Bytes& bytes);

}  // namespace mluop::fuzz
