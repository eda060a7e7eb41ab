// Sizes and strides of a tensor.
#include "core/tensor/tensor_descriptor.hpp"

#include <algorithm>
#include <utility>

bool mluOpTensorStruct::empty() const noexcept {
  return dims.empty() ? element_count == 0 : std::find(dims.begin(), dims.end(), 0) != dims.end();
}

bool mluOpTensorStruct::contiguous() const noexcept {
  std::uint64_t expected = 1;
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    if (dims[axis] == 1) continue;
    if (strides[axis] != static_cast<std::int64_t>(expected)) return false;
    expected *= static_cast<std::uint64_t>(dims[axis]);
  }
  return true;
}

void mluOpTensorStruct::reshape(std::vector<std::int64_t> new_dims,
                                std::vector<std::int64_t> new_strides) noexcept {
  dims = std::move(new_dims);
  strides = std::move(new_strides);
  element_count = 1;
  for (std::int64_t size : dims) element_count *= static_cast<std::uint64_t>(size);
}

namespace mluop {

std::vector<std::int64_t> dense_strides(const std::vector<std::int64_t>& dims) {
  std::vector<std::int64_t> strides(dims.size());
  std::uint64_t stride = 1;
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    strides[axis] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(dims[axis]);
  }
  return strides;
}

}  // namespace mluop
