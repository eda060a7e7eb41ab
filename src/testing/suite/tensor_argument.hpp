// A tensor argument that a row of a table can spoil: what its descriptor says, where its data lie, and
// what is missing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mlu_op.h"
#include "testing/data/handle.hpp"
#include "testing/suite/overlaps.hpp"

namespace mluop::testing {

struct DestroyDescriptor {
  void operator()(mluOpTensorDescriptor_t desc) const { mluOpDestroyTensorDescriptor(desc); }
};
using Descriptor = std::unique_ptr<mluOpTensorStruct, DestroyDescriptor>;

struct TensorArgument {
  std::vector<std::int64_t> dims;
  mluOpTensorLayout_t layout = MLUOP_LAYOUT_ARRAY;
  mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT;
  std::vector<std::int64_t> strides = {};  // dense when empty
  mluOpDataType_t onchip_dtype = MLUOP_DTYPE_INVALID;
  bool has_desc = true;
  bool has_data = true;
  void* place = nullptr;  // where the data lie, if not in memory of their own

  /// What a call is given, with `own` as memory of their own.
  template <class Element>
  void* data(std::vector<Element>& own) const {
    if (!has_data) return nullptr;
    return place != nullptr ? place : own.data();
  }

  PlaceableMemory memory(std::string name, PlaceableMemory::Role role,
                         const void* contents = nullptr) {
    std::size_t bytes = 0;
    expect_success(mluOpGetSizeOfDataType(dtype, &bytes), "mluOpGetSizeOfDataType");
    for (const std::int64_t dim : dims) bytes *= static_cast<std::size_t>(dim);
    return {std::move(name), role, bytes, &place, contents};
  }

  /// Null without a descriptor.
  Descriptor make_descriptor() const {
    if (!has_desc) return nullptr;
    mluOpTensorDescriptor_t created = nullptr;
    expect_success(mluOpCreateTensorDescriptor(&created), "mluOpCreateTensorDescriptor");
    Descriptor desc{created};
    const int rank = static_cast<int>(dims.size());
    const mluOpStatus_t status =
        strides.empty() ? mluOpSetTensorDescriptor_v2(created, layout, dtype, rank, dims.data())
                        : mluOpSetTensorDescriptorEx_v2(created, layout, dtype, rank, dims.data(),
                                                        strides.data());
    expect_success(status, "mluOpSetTensorDescriptor");
    expect_success(mluOpSetTensorDescriptorOnchipDataType(created, onchip_dtype),
                   "mluOpSetTensorDescriptorOnchipDataType");
    return desc;
  }
};

}  // namespace mluop::testing
