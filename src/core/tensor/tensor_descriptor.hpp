// The tensor descriptor behind mluOpTensorDescriptor_t.
#pragma once

#include <cstdint>
#include <vector>

#include "mlu_op.h"

/// Sizes and strides are 64-bit inside, whichever setter was used. Defaults are those of a fresh
/// descriptor.
struct mluOpTensorStruct {
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> strides;
  mluOpTensorLayout_t layout = MLUOP_LAYOUT_ARRAY;
  mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT;
  mluOpDataType_t onchip_dtype = MLUOP_DTYPE_INVALID;
  mluOpPointerMode_t pointer_mode = MLUOP_POINTER_MODE_DEVICE;
  /// Product of the sizes, modulo 2^64 as the API defines it; operators use Check's safe products.
  std::uint64_t element_count = 0;
  int position = 0;
  float scale = 1.0f;
  int offset = 0;

  int rank() const noexcept { return static_cast<int>(dims.size()); }
  std::int64_t dim(int axis) const noexcept { return dims[static_cast<std::size_t>(axis)]; }
  /// Whether a size is 0, or nothing was set yet; element_count may also be 0 because it wrapped.
  bool empty() const noexcept;

  /// Dense row-major; the stride of a dim of size 1 does not matter.
  bool contiguous() const noexcept;

  /// Takes new sizes and strides, equally many. Rank 0 is a scalar: one element.
  void reshape(std::vector<std::int64_t> new_dims, std::vector<std::int64_t> new_strides) noexcept;
};

namespace mluop {

/// The row-major strides of a tensor without gaps, modulo 2^64.
std::vector<std::int64_t> dense_strides(const std::vector<std::int64_t>& dims);

}  // namespace mluop
