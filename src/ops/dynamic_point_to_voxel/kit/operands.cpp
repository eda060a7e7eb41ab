// From tensors to the C API and to the reference.
#include "ops/dynamic_point_to_voxel/kit/operands.hpp"

#include <algorithm>
#include <stdexcept>

#include "testing/compare/rounding.hpp"
#include "testing/data/handle.hpp"

namespace mluop::dynamic_point_to_voxel {
namespace {

using testing::HostTensor;

HostTensor tensor(const char* name, mluOpDataType_t dtype, std::vector<std::int64_t> dims) {
  return {name, dtype, MLUOP_LAYOUT_ARRAY, std::move(dims)};
}
HostTensor indices(const char* name, std::vector<std::int64_t> dims) {
  return tensor(name, MLUOP_DTYPE_INT32, std::move(dims));
}

std::vector<double> doubles(const reference::Integers& values) {
  return {values.begin(), values.end()};
}

/// Values, followed by as many of `rest` as fit.
std::vector<double> followed_by(const reference::Integers& values, double rest,
                                std::int64_t count) {
  std::vector<double> all = doubles(values);
  all.resize(static_cast<std::size_t>(count), rest);
  return all;
}

template <class Real>
std::vector<std::vector<double>> forward_values(mluOpReduceMode_t reduce_type,
                                                const TensorPointers& inputs, std::int64_t R) {
  const std::int64_t C = inputs[0]->dims()[1], D = inputs[1]->dims()[1];
  const reference::Voxels voxels = reference::voxels(integers(*inputs[1]), D);
  return {reference::reduced<Real>(reduce_type, voxels, inputs[0]->values(), C, R),
          followed_by(voxels.coors, -1, R * D),
          doubles(voxels.map),
          followed_by(voxels.counts, 0, R),
          {static_cast<double>(voxels.M)}};
}

template <class Real>
std::vector<std::vector<double>> backward_values(mluOpReduceMode_t reduce_type,
                                                 const TensorPointers& inputs) {
  const std::vector<double> gradient = inputs[0]->values(), feats = inputs[1]->values(),
                            voxel_feats = inputs[2]->values();
  return {reference::gradient<Real>({reduce_type, inputs[1]->dims()[1], integers(*inputs[5])[0],
                                     gradient, feats, voxel_feats, integers(*inputs[3]),
                                     integers(*inputs[4])})};
}

template <class Real>
std::vector<std::vector<double>> values_of(const Direction& direction,
                                           mluOpReduceMode_t reduce_type,
                                           const TensorPointers& inputs, std::int64_t R) {
  return direction.backward ? backward_values<Real>(reduce_type, inputs)
                            : forward_values<Real>(reduce_type, inputs, R);
}

}  // namespace

const char* name_of(mluOpReduceMode_t reduce_type) {
  switch (reduce_type) {
    case MLUOP_REDUCE_DSUM:
      return "sum";
    case MLUOP_REDUCE_DMEAN:
      return "mean";
    default:
      return "max";
  }
}

Tensors forward_inputs(const Shape& s, mluOpDataType_t dtype) {
  Tensors all;
  all.push_back(tensor("feats", dtype, {s.N, s.C}));
  all.push_back(indices("coors", {s.N, s.D}));
  return all;
}

Tensors forward_outputs(const Shape& s, mluOpDataType_t dtype) {
  Tensors all;
  all.push_back(tensor("voxel_feats", dtype, {s.R, s.C}));
  all.push_back(indices("voxel_coors", {s.R, s.D}));
  all.push_back(indices("point2voxel_map", {s.N}));
  all.push_back(indices("voxel_points_count", {s.R}));
  all.push_back(indices("voxel_num", {1}));
  return all;
}

Tensors backward_inputs(const Shape& s, mluOpDataType_t dtype) {
  Tensors all;
  all.push_back(tensor("grad_voxel_feats", dtype, {s.R, s.C}));
  all.push_back(tensor("feats", dtype, {s.N, s.C}));
  all.push_back(tensor("voxel_feats", dtype, {s.R, s.C}));
  all.push_back(indices("point2voxel_map", {s.N}));
  all.push_back(indices("voxel_points_count", {s.R}));
  all.push_back(indices("voxel_num", {1}));
  return all;
}

Tensors backward_outputs(const Shape& s, mluOpDataType_t dtype) {
  Tensors all;
  all.push_back(tensor("grad_feats", dtype, {s.N, s.C}));
  return all;
}

Tensors backward_inputs(const Shape& s, mluOpReduceMode_t reduce_type, const Tensors& forward,
                        std::span<const double> grad_voxel_feats) {
  const HostTensor& feats = forward[0];
  const reference::Voxels voxels = reference::voxels(integers(forward[1]), s.D);
  const auto used = static_cast<std::size_t>(voxels.M * s.C);
  Tensors all = backward_inputs(s, feats.dtype());
  all[0].assign_from(0, grad_voxel_feats.first(used));
  all[1].assign(feats.values());
  const auto reduced =
      reference::reduced<double>(reduce_type, voxels, feats.values(), s.C, voxels.M);
  all[2].assign_from(0, reduced);
  all[3].assign(doubles(voxels.map));
  all[4].assign_from(0, doubles(voxels.counts));
  all[5].assign(std::vector{static_cast<double>(voxels.M)});
  return all;
}

mluOpStatus_t run(const Direction& direction, mluOpHandle_t handle, mluOpReduceMode_t reduce_type,
                  const TensorPointers& in, std::span<HostTensor* const> out) {
  if (direction.backward) {
    return mluOpDynamicPointToVoxelBackward(
        handle, reduce_type, in[0]->descriptor(), in[0]->data(), in[1]->descriptor(), in[1]->data(),
        in[2]->descriptor(), in[2]->data(), in[3]->descriptor(), in[3]->data(), in[4]->descriptor(),
        in[4]->data(), in[5]->descriptor(), in[5]->data(), nullptr, 0, out[0]->descriptor(),
        out[0]->data());
  }
  return mluOpDynamicPointToVoxelForward(
      handle, reduce_type, in[0]->descriptor(), in[0]->data(), in[1]->descriptor(),
      const_cast<void*>(in[1]->data()), nullptr, 0, out[0]->descriptor(), out[0]->data(),
      out[1]->descriptor(), out[1]->data(), out[2]->descriptor(), out[2]->data(),
      out[3]->descriptor(), out[3]->data(), out[4]->descriptor(), out[4]->data());
}

mluOpStatus_t run(const Direction& direction, mluOpHandle_t handle, mluOpReduceMode_t reduce_type,
                  const Tensors& inputs, Tensors& outputs) {
  std::vector<HostTensor*> out;
  for (HostTensor& one : outputs) out.push_back(&one);
  return run(direction, handle, reduce_type, pointers_to(inputs), out);
}

Tensors compute(const Direction& direction, mluOpHandle_t handle, mluOpReduceMode_t reduce_type,
                const Tensors& inputs, std::int64_t R) {
  const HostTensor& feats = inputs[direction.backward ? 1 : 0];
  const Shape shape{feats.dims()[0], feats.dims()[1], direction.backward ? 1 : inputs[1].dims()[1],
                    R};
  Tensors outputs = direction.backward ? backward_outputs(shape, feats.dtype())
                                       : forward_outputs(shape, feats.dtype());
  testing::expect_success(run(direction, handle, reduce_type, inputs, outputs), direction.function);
  for (const HostTensor& output : outputs) {
    if (!output.intact()) throw std::runtime_error("the call wrote outside its results");
  }
  return outputs;
}

std::vector<std::vector<double>> reference_of(const Direction& direction,
                                              mluOpReduceMode_t reduce_type,
                                              const TensorPointers& inputs, std::int64_t R) {
  return inputs[0]->dtype() == MLUOP_DTYPE_DOUBLE
             ? values_of<long double>(direction, reduce_type, inputs, R)
             : values_of<double>(direction, reduce_type, inputs, R);
}

std::vector<std::vector<double>> plain_of(const Direction& direction, mluOpReduceMode_t reduce_type,
                                          const TensorPointers& inputs, std::int64_t R) {
  const mluOpDataType_t dtype = inputs[0]->dtype();
  auto all = dtype == MLUOP_DTYPE_DOUBLE ? values_of<double>(direction, reduce_type, inputs, R)
                                         : values_of<float>(direction, reduce_type, inputs, R);
  all[0] = testing::rounded_to(dtype, std::move(all[0]));
  return all;
}

TensorPointers pointers_to(const Tensors& tensors) {
  TensorPointers all;
  for (const HostTensor& one : tensors) all.push_back(&one);
  return all;
}

std::span<const std::int32_t> integers(const HostTensor& tensor) {
  return {static_cast<const std::int32_t*>(tensor.data()),
          static_cast<std::size_t>(tensor.count())};
}

}  // namespace mluop::dynamic_point_to_voxel
