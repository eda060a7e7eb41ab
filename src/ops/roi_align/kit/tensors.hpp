// The tensors of a call of either direction, and the calls themselves.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "mlu_op.h"
#include "ops/roi_align/kit/reference.hpp"
#include "testing/data/handle.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::roi_align {

using Values = std::vector<std::vector<double>>;

struct DestroyRoiAlignDescriptor {
  void operator()(mluOpRoiAlignForwardDescriptor_t desc) const {
    mluOpDestroyRoiAlignForwardDescriptor(desc);
  }
};
using RoiAlignDescriptor = std::unique_ptr<cnnlRoiAlignStruct, DestroyRoiAlignDescriptor>;

/// Throws unless Create and Set succeed.
RoiAlignDescriptor descriptor_of(const reference::Shape& shape);

/// Forward reads images and boxes, and writes bins; backward reads boxes, bins and argmax, and writes images.
/// Averages have no argmax.
struct Tensors {
  testing::HostTensor images, boxes;
  testing::HostTensor bins[3];  // output or grads, argmax_x, argmax_y
  RoiAlignDescriptor desc;      // of forward

  /// All poisoned.
  Tensors(const reference::Shape& shape, mluOpDataType_t dtype, bool backward);

  std::size_t bin_tensors(const reference::Shape& shape) const { return shape.maximum ? 3 : 1; }

  mluOpStatus_t forward(mluOpHandle_t handle, const reference::Shape& shape);
  mluOpStatus_t backward(mluOpHandle_t handle, const reference::Shape& shape);

  /// What forward, or backward, must write.
  Values forward_reference(const reference::Shape& shape) const;
  Values backward_reference(const reference::Shape& shape) const;
  /// The same by mmcv's loop in float, or double for DOUBLE, rounded to the dtype.
  Values forward_plain(const reference::Shape& shape) const;
  Values backward_plain(const reference::Shape& shape) const;
};

/// The operators on numbers that are rounded to `dtype` first; throw unless they succeed.
reference::Pooled compute_forward(mluOpHandle_t handle, const reference::Shape& shape,
                                  mluOpDataType_t dtype, std::span<const double> images,
                                  std::span<const double> boxes);
std::vector<double> compute_backward(mluOpHandle_t handle, const reference::Shape& shape,
                                     mluOpDataType_t dtype, std::span<const double> grads,
                                     std::span<const double> boxes,
                                     std::span<const double> argmax_x = {},
                                     std::span<const double> argmax_y = {});

}  // namespace mluop::roi_align
