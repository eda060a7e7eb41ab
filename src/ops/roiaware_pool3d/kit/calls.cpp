// Tensors of the shapes that the operators take, and the arguments made of them.
#include "ops/roiaware_pool3d/kit/calls.hpp"

#include <algorithm>

#include "testing/compare/rounding.hpp"

namespace mluop::roiaware_pool3d {
namespace {

using testing::HostTensor;

HostTensor matrix(const char* name, mluOpDataType_t dtype, std::int64_t rows, std::int64_t columns,
                  std::span<const double> values) {
  HostTensor tensor(name, dtype, MLUOP_LAYOUT_ARRAY, {rows, columns});
  tensor.assign(values);
  return tensor;
}

HostTensor per_voxel(const char* name, mluOpDataType_t dtype, const Shape& shape,
                     std::int64_t size) {
  return {name, dtype, MLUOP_LAYOUT_NDHWC, {shape.B, shape.X, shape.Y, shape.Z, size}};
}

void copy(const std::vector<std::int32_t>& from, HostTensor& to) {
  std::ranges::copy(from, static_cast<std::int32_t*>(to.data()));
}

int number(std::int64_t size) { return static_cast<int>(size); }

}  // namespace

ForwardCall::ForwardCall(const Shape& shape, mluOpDataType_t dtype, const Scene& scene,
                         std::span<const double> features)
    : shape_(shape),
      rois_(matrix("rois", dtype, shape.B, 7, scene.boxes)),
      pts_(matrix("pts", dtype, shape.M, 3, scene.points)),
      features_(matrix("pts_feature", dtype, shape.M, shape.C, features)),
      outputs_{per_voxel("argmax", MLUOP_DTYPE_INT32, shape, shape.C),
               per_voxel("pts_idx_of_voxels", MLUOP_DTYPE_INT32, shape, shape.T),
               per_voxel("pooled_features", dtype, shape, shape.C)} {}

mluOpStatus_t ForwardCall::run(mluOpHandle_t handle) {
  auto& [argmax, lists, pooled] = outputs_;
  return mluOpRoiAwarePool3dForward(
      handle, shape_.average ? 1 : 0, number(shape_.B), number(shape_.M), number(shape_.C),
      rois_.descriptor(), rois_.data(), pts_.descriptor(), pts_.data(), features_.descriptor(),
      features_.data(), nullptr, 0, number(shape_.T), number(shape_.X), number(shape_.Y),
      number(shape_.Z), argmax.descriptor(), argmax.data(), lists.descriptor(), lists.data(),
      pooled.descriptor(), pooled.data());
}

Indices ForwardCall::expected_indices() const { return indices_of(shape_, rois_, pts_, features_); }

std::vector<double> ForwardCall::expected_pooled(const Indices& indices) const {
  return pooled_reference(shape_, indices, features_);
}

std::vector<double> ForwardCall::plain_pooled(const Indices& indices) const {
  return pooled_plain(shape_, indices, features_);
}

BackwardCall::BackwardCall(const Shape& shape, mluOpDataType_t dtype, const Indices& indices,
                           std::span<const double> grad_out)
    : shape_(shape),
      lists_(per_voxel("pts_idx_of_voxels", MLUOP_DTYPE_INT32, shape, shape.T)),
      argmax_(per_voxel("argmax", MLUOP_DTYPE_INT32, shape, shape.C)),
      grad_out_(per_voxel("grad_out", dtype, shape, shape.C)),
      grad_in_("grad_in", dtype, MLUOP_LAYOUT_ARRAY, {shape.M, shape.C}) {
  copy(indices.lists, lists_);
  copy(indices.argmax, argmax_);
  grad_out_.assign(grad_out);
}

mluOpStatus_t BackwardCall::run(mluOpHandle_t handle) {
  return mluOpRoiAwarePool3dBackward(
      handle, shape_.average ? 1 : 0, number(shape_.B), number(shape_.X), number(shape_.Y),
      number(shape_.Z), number(shape_.C), number(shape_.T), lists_.descriptor(), lists_.data(),
      argmax_.descriptor(), argmax_.data(), grad_out_.descriptor(), grad_out_.data(),
      grad_in_.descriptor(), grad_in_.data());
}

std::vector<double> BackwardCall::expected(const Indices& indices) const {
  return gradient_reference(shape_, indices, grad_out_);
}

std::vector<double> BackwardCall::plain(const Indices& indices) const {
  return gradient_plain(shape_, indices, grad_out_);
}

std::span<const std::int32_t> integers(const HostTensor& tensor) {
  return {static_cast<const std::int32_t*>(tensor.data()),
          static_cast<std::size_t>(tensor.count())};
}

Indices indices_of(const Shape& shape, const HostTensor& rois, const HostTensor& pts,
                   const HostTensor& features) {
  Indices indices{reference::lists_of(shape, {rois.values(), pts.values()}, rois.dtype()), {}};
  indices.argmax = reference::argmax_of(shape, indices.lists, features.values());
  return indices;
}

// Sums of a reference are at least one precision above the dtype, those of a plain loop in float or, for
// double, in double.

std::vector<double> pooled_reference(const Shape& shape, const Indices& indices,
                                     const HostTensor& features) {
  const std::vector<double> values = features.values();
  return features.dtype() == MLUOP_DTYPE_DOUBLE
             ? reference::pooled<long double>(shape, indices, values)
             : reference::pooled<double>(shape, indices, values);
}

std::vector<double> pooled_plain(const Shape& shape, const Indices& indices,
                                 const HostTensor& features) {
  const std::vector<double> values = features.values();
  return testing::rounded_to(features.dtype(),
                             features.dtype() == MLUOP_DTYPE_DOUBLE
                                 ? reference::pooled<double>(shape, indices, values)
                                 : reference::pooled<float>(shape, indices, values));
}

std::vector<double> gradient_reference(const Shape& shape, const Indices& indices,
                                       const HostTensor& grad_out) {
  const std::vector<double> values = grad_out.values();
  return grad_out.dtype() == MLUOP_DTYPE_DOUBLE
             ? reference::gradient<long double>(shape, indices, values)
             : reference::gradient<double>(shape, indices, values);
}

std::vector<double> gradient_plain(const Shape& shape, const Indices& indices,
                                   const HostTensor& grad_out) {
  const std::vector<double> values = grad_out.values();
  return testing::rounded_to(grad_out.dtype(),
                             grad_out.dtype() == MLUOP_DTYPE_DOUBLE
                                 ? reference::gradient<double>(shape, indices, values)
                                 : reference::gradient<float>(shape, indices, values));
}

}  // namespace mluop::roiaware_pool3d
