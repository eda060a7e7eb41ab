// The tensor set behind mluOpTensorSetDescriptor_t.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/tensor/tensor_descriptor.hpp"
#include "mlu_op.h"

/// Descriptors in a grid, the last dim fastest. The data of the members lie one behind the other.
struct mluOpTensorSetStruct {
  /// Throws a mluop::Failure if a size is below 1 or the members do not fit an int.
  mluOpTensorSetStruct(int dimNb, const int* dimSize);

  /// The number of a member; throws a mluop::Failure unless the index has as many numbers as the set has
  /// dims, each in range.
  std::size_t position_of(int setDimNb, const int* tensorIndex) const;

  /// The bytes of the first `count` members; throws a mluop::Failure if they do not fit an int. `what` they
  /// are is for its message.
  int bytes_of_first(std::size_t count, const char* what) const;

  std::vector<std::int64_t> dims;
  std::vector<mluOpTensorStruct> members;
};
