#include "ops/roi_align/kit/tensors.hpp"

#include "ops/roi_align/kit/serial_loop.hpp"

namespace mluop::roi_align {
namespace {

using reference::Shape;
using testing::HostTensor;

std::vector<std::int64_t> image_dims(const Shape& shape) {
  return {shape.N, shape.H, shape.W, shape.C};
}
std::vector<std::int64_t> bin_dims(const Shape& shape) {
  return {shape.K, shape.PH, shape.PW, shape.C};
}

HostTensor map(const char* name, mluOpDataType_t dtype, std::vector<std::int64_t> dims) {
  return {name, dtype, MLUOP_LAYOUT_NHWC, std::move(dims)};
}

/// [n,h,w,c] in the order of [n,c,h,w], or the reverse.
template <class Real, class From>
std::vector<Real> transposed(const From& from, std::int64_t n, std::int64_t places,
                             std::int64_t c) {
  std::vector<Real> to;
  to.reserve(from.size());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < c; ++j) {
      for (std::int64_t p = 0; p < places; ++p) {
        to.push_back(static_cast<Real>(from[static_cast<std::size_t>((i * places + p) * c + j)]));
      }
    }
  }
  return to;
}

template <class Real>
std::vector<double> rounded(mluOpDataType_t dtype, const std::vector<Real>& planes, std::int64_t n,
                            std::int64_t places, std::int64_t c) {
  return testing::rounded_to(dtype, transposed<double>(planes, n, c, places));
}

template <class Compute>
auto in_real_of(mluOpDataType_t dtype, Compute&& compute) {
  return dtype == MLUOP_DTYPE_DOUBLE ? compute(double{}) : compute(float{});
}

template <class Real>
std::vector<Real> boxes_as(const HostTensor& boxes) {
  const std::vector<double> values = boxes.values();
  return {values.begin(), values.end()};
}

}  // namespace

RoiAlignDescriptor descriptor_of(const Shape& shape) {
  mluOpRoiAlignForwardDescriptor_t created = nullptr;
  testing::expect_success(mluOpCreateRoiAlignForwardDescriptor(&created),
                          "mluOpCreateRoiAlignForwardDescriptor");
  RoiAlignDescriptor desc{created};
  testing::expect_success(
      mluOpSetRoiAlignForwardDescriptor_v2(
          created, static_cast<int>(shape.PH), static_cast<int>(shape.PW), shape.sampling_ratio,
          shape.spatial_scale, shape.maximum ? 0 : 1, shape.aligned),
      "mluOpSetRoiAlignForwardDescriptor_v2");
  return desc;
}

Tensors::Tensors(const Shape& shape, mluOpDataType_t dtype, bool backward)
    : images(map(backward ? "grads_image" : "input", dtype, image_dims(shape))),
      boxes("boxes", dtype, MLUOP_LAYOUT_ARRAY, {shape.K, 5}),
      desc(backward ? nullptr : descriptor_of(shape)) {
  bins[0] = map(backward ? "grads" : "output", dtype, bin_dims(shape));
  if (!shape.maximum) return;
  bins[1] = map("argmax_x", dtype, bin_dims(shape));
  bins[2] = map("argmax_y", dtype, bin_dims(shape));
}

mluOpStatus_t Tensors::forward(mluOpHandle_t handle, const Shape& shape) {
  auto& [output, argmax_x, argmax_y] = bins;
  return mluOpRoiAlignForward_v2(handle, desc.get(), images.descriptor(), images.data(),
                                 boxes.descriptor(), boxes.data(), output.descriptor(),
                                 output.data(), argmax_x.descriptor(),
                                 shape.maximum ? argmax_x.data() : nullptr, argmax_y.descriptor(),
                                 shape.maximum ? argmax_y.data() : nullptr);
}

mluOpStatus_t Tensors::backward(mluOpHandle_t handle, const Shape& shape) {
  const auto& [grads, argmax_x, argmax_y] = bins;
  return mluOpRoiAlignBackward_v2(
      handle, grads.descriptor(), grads.data(), boxes.descriptor(), boxes.data(),
      argmax_x.descriptor(), shape.maximum ? argmax_x.data() : nullptr, argmax_y.descriptor(),
      shape.maximum ? argmax_y.data() : nullptr, shape.spatial_scale, shape.sampling_ratio,
      shape.aligned, shape.maximum ? 0 : 1, images.descriptor(), images.data());
}

Values Tensors::forward_reference(const Shape& shape) const {
  const std::vector<double> image_values = images.values(), box_values = boxes.values();
  const bool wide = images.dtype() == MLUOP_DTYPE_DOUBLE;
  if (!shape.maximum) {
    return {wide ? reference::average<double, long double>(shape, image_values, box_values).output
                 : reference::average<float, double>(shape, image_values, box_values).output};
  }
  reference::Pooled pooled = wide ? reference::maximum<double>(shape, image_values, box_values)
                                  : reference::maximum<float>(shape, image_values, box_values);
  return {std::move(pooled.output), std::move(pooled.argmax_x), std::move(pooled.argmax_y)};
}

Values Tensors::backward_reference(const Shape& shape) const {
  const std::vector<double> grads = bins[0].values(), box_values = boxes.values();
  const bool wide = images.dtype() == MLUOP_DTYPE_DOUBLE;
  if (!shape.maximum) {
    return {wide ? reference::average_gradient<double, long double>(shape, grads, box_values)
                 : reference::average_gradient<float, double>(shape, grads, box_values)};
  }
  const std::vector<double> x = bins[1].values(), y = bins[2].values();
  return {wide ? reference::maximum_gradient<double, long double>(shape, grads, box_values, x, y)
               : reference::maximum_gradient<float, double>(shape, grads, box_values, x, y)};
}

Values Tensors::forward_plain(const Shape& shape) const {
  const mluOpDataType_t dtype = images.dtype();
  return in_real_of(dtype, [&]<class Real>(Real) {
    const auto planes = transposed<Real>(images.values(), shape.N, shape.H * shape.W, shape.C);
    const auto box_values = boxes_as<Real>(boxes);
    std::vector<Real> to[3];
    for (auto& one : to) one.resize(static_cast<std::size_t>(shape.bin_elements()));
    SerialForward<Real>{planes.data(), box_values.data(), to[0].data(), to[1].data(), to[2].data()}
        .run(shape);
    Values all;
    for (std::size_t i = 0; i < bin_tensors(shape); ++i) {
      all.push_back(rounded(dtype, to[i], shape.K, shape.PH * shape.PW, shape.C));
    }
    return all;
  });
}

Values Tensors::backward_plain(const Shape& shape) const {
  const mluOpDataType_t dtype = images.dtype();
  return in_real_of(dtype, [&]<class Real>(Real) {
    const auto box_values = boxes_as<Real>(boxes);
    std::vector<Real> from[3];
    for (std::size_t i = 0; i < bin_tensors(shape); ++i) {
      from[i] = transposed<Real>(bins[i].values(), shape.K, shape.PH * shape.PW, shape.C);
    }
    std::vector<Real> planes(static_cast<std::size_t>(shape.image_elements()));
    SerialBackward<Real>{from[0].data(), box_values.data(), from[1].data(), from[2].data(),
                         planes.data()}
        .run(shape);
    return Values{rounded(dtype, planes, shape.N, shape.H * shape.W, shape.C)};
  });
}

reference::Pooled compute_forward(mluOpHandle_t handle, const Shape& shape, mluOpDataType_t dtype,
                                  std::span<const double> images, std::span<const double> boxes) {
  Tensors tensors(shape, dtype, false);
  tensors.images.assign(images);
  tensors.boxes.assign(boxes);
  testing::expect_success(tensors.forward(handle, shape), "mluOpRoiAlignForward_v2");
  if (!shape.maximum) return {tensors.bins[0].values(), {}, {}};
  return {tensors.bins[0].values(), tensors.bins[1].values(), tensors.bins[2].values()};
}

std::vector<double> compute_backward(mluOpHandle_t handle, const Shape& shape,
                                     mluOpDataType_t dtype, std::span<const double> grads,
                                     std::span<const double> boxes,
                                     std::span<const double> argmax_x,
                                     std::span<const double> argmax_y) {
  Tensors tensors(shape, dtype, true);
  tensors.bins[0].assign(grads);
  tensors.boxes.assign(boxes);
  if (shape.maximum) {
    tensors.bins[1].assign(argmax_x);
    tensors.bins[2].assign(argmax_y);
  }
  testing::expect_success(tensors.backward(handle, shape), "mluOpRoiAlignBackward_v2");
  return tensors.images.values();
}

}  // namespace mluop::roi_align
