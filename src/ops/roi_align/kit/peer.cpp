#include "ops/roi_align/kit/peer.hpp"

#include <cstddef>
#include <cstdint>

#include "ops/roi_align/kit/serial_loop.hpp"

namespace mluop::roi_align {
namespace {

using reference::Shape;
using testing::HostTensor;

/// [n,places,c] as [n,c,places].
std::vector<float> planes_of(const HostTensor& tensor) {
  const auto& dims = tensor.dims();
  const std::int64_t places = dims[1] * dims[2], c = dims[3];
  const auto* const from = static_cast<const float*>(tensor.data());
  std::vector<float> to(static_cast<std::size_t>(tensor.count()));
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const std::int64_t n = i / (places * c), place = i / c % places, channel = i % c;
    to[static_cast<std::size_t>((n * c + channel) * places + place)] = from[i];
  }
  return to;
}

std::vector<float> boxes_of(const HostTensor& tensor) {
  const auto* const from = static_cast<const float*>(tensor.data());
  return {from, from + tensor.count()};
}

}  // namespace

bool Peer::forward(const Shape& shape, const Tensors& tensors) {
  if (tensors.images.dtype() != MLUOP_DTYPE_FLOAT) return false;
  if (boxes_.empty()) {
    boxes_ = boxes_of(tensors.boxes);
    images_ = planes_of(tensors.images);
    for (std::size_t i = 0; i < tensors.bin_tensors(shape); ++i) {
      bins_[i].resize(static_cast<std::size_t>(shape.bin_elements()));
    }
  }
  SerialForward<float>{images_.data(), boxes_.data(), bins_[0].data(), bins_[1].data(),
                       bins_[2].data()}
      .run(shape);
  return true;
}

bool Peer::backward(const Shape& shape, const Tensors& tensors) {
  if (tensors.images.dtype() != MLUOP_DTYPE_FLOAT) return false;
  if (boxes_.empty()) {
    boxes_ = boxes_of(tensors.boxes);
    images_.resize(static_cast<std::size_t>(shape.image_elements()));
    for (std::size_t i = 0; i < tensors.bin_tensors(shape); ++i) {
      bins_[i] = planes_of(tensors.bins[i]);
    }
  }
  SerialBackward<float>{bins_[0].data(), boxes_.data(), bins_[1].data(), bins_[2].data(),
                        images_.data()}
      .run(shape);
  return true;
}

}  // namespace mluop::roi_align
