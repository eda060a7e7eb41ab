// Calls of both directions on tensors that own their memory; shared by tests and bench.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mlu_op.h"
#include "ops/roiaware_pool3d/kit/reference.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::roiaware_pool3d {

using reference::Indices;
using reference::Scene;
using reference::Shape;

/// Inputs filled, outputs poisoned.
class ForwardCall {
 public:
  ForwardCall(const Shape& shape, mluOpDataType_t dtype, const Scene& scene,
              std::span<const double> features);

  mluOpStatus_t run(mluOpHandle_t handle);

  const Shape& shape() const { return shape_; }
  mluOpDataType_t dtype() const { return rois_.dtype(); }
  /// argmax, pts_idx_of_voxels, pooled_features
  std::span<testing::HostTensor> outputs() { return outputs_; }
  std::span<const testing::HostTensor> outputs() const { return outputs_; }
  const testing::HostTensor& rois() const { return rois_; }
  const testing::HostTensor& pts() const { return pts_; }
  const testing::HostTensor& features() const { return features_; }

  /// As the tensors hold them.
  Scene scene() const { return {rois_.values(), pts_.values()}; }
  Indices expected_indices() const;
  std::vector<double> expected_pooled(const Indices& indices) const;
  std::vector<double> plain_pooled(const Indices& indices) const;

 private:
  Shape shape_;
  testing::HostTensor rois_, pts_, features_;
  std::array<testing::HostTensor, 3> outputs_;
};

class BackwardCall {
 public:
  BackwardCall(const Shape& shape, mluOpDataType_t dtype, const Indices& indices,
               std::span<const double> grad_out);

  mluOpStatus_t run(mluOpHandle_t handle);

  const Shape& shape() const { return shape_; }
  testing::HostTensor& lists() { return lists_; }
  testing::HostTensor& argmax() { return argmax_; }
  const testing::HostTensor& grad_out() const { return grad_out_; }
  testing::HostTensor& grad_in() { return grad_in_; }
  const testing::HostTensor& grad_in() const { return grad_in_; }

  std::vector<double> expected(const Indices& indices) const;
  std::vector<double> plain(const Indices& indices) const;

 private:
  Shape shape_;
  testing::HostTensor lists_, argmax_, grad_out_, grad_in_;
};

/// The elements of an INT32 tensor.
std::span<const std::int32_t> integers(const testing::HostTensor& tensor);

/// What forward makes of tensors, and what follows from it, as the formula and as a plain loop have it.
Indices indices_of(const Shape& shape, const testing::HostTensor& rois,
                   const testing::HostTensor& pts, const testing::HostTensor& features);
std::vector<double> pooled_reference(const Shape& shape, const Indices& indices,
                                     const testing::HostTensor& features);
std::vector<double> pooled_plain(const Shape& shape, const Indices& indices,
                                 const testing::HostTensor& features);
std::vector<double> gradient_reference(const Shape& shape, const Indices& indices,
                                       const testing::HostTensor& grad_out);
std::vector<double> gradient_plain(const Shape& shape, const Indices& indices,
                                   const testing::HostTensor& grad_out);

}  // namespace mluop::roiaware_pool3d
