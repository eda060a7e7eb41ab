// What a tensor descriptor becomes when it is set: judged on a copy, so that one that is refused
// stays as it was.
#pragma once

#include "core/check/arguments.hpp"
#include "core/tensor/tensor_descriptor.hpp"
#include "mlu_op.h"

namespace mluop {

/// What a setter changes besides the sizes.
struct TensorKind {
  mluOpTensorLayout_t layout;
  mluOpDataType_t dtype;
};

/// Refuses rank 0 unless the pointer mode of `desc` is HOST; says nothing about negative ranks.
void require_rank(int dimNb, const mluOpTensorStruct& desc);

/// A copy of `desc` with new sizes; without `dimStride` the strides are dense. Rank 0 makes it a
/// scalar and looks at neither array. `Int` is int or std::int64_t. Throws a Failure for a
/// negative rank or a missing array; sizes are not judged, but an element count that overflows an
/// `Int` is logged as a warning of `function`.
template <class Int>
mluOpTensorStruct reshaped(const char* function, const mluOpTensorStruct& desc, int dimNb,
                           const Int* dimSize, const PointerArgument* dimStride = nullptr);

/// The same with a new layout and dtype, neither negative, and with require_rank.
template <class Int>
mluOpTensorStruct redefined(const char* function, const mluOpTensorStruct& desc, TensorKind kind,
                            int dimNb, const Int* dimSize,
                            const PointerArgument* dimStride = nullptr);

}  // namespace mluop
