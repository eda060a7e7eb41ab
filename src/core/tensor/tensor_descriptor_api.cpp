// The functions of mlu_op.h for one tensor descriptor: its life, layout, dtype and sizes.
#include <cstdint>

#include "core/check/arguments.hpp"
#include "core/status/status.hpp"
#include "core/tensor/outputs.hpp"
#include "core/tensor/tensor_descriptor.hpp"
#include "core/tensor/tensor_redefinition.hpp"
#include "mlu_op.h"

using namespace mluop;  // NOLINT(google-build-using-namespace): the C entry points are global

namespace {

template <class Int>
Status set(const char* function, mluOpTensorDescriptor_t desc, TensorKind kind, int dimNb,
           const Int* dimSize) {
  return guarded(function, [&] {
    require_present({{"desc", desc}});
    *desc = redefined(function, *desc, kind, dimNb, dimSize);
  });
}

template <class Int>
Status set_with_strides(const char* function, mluOpTensorDescriptor_t desc, TensorKind kind,
                        int dimNb, const Int* dimSize, const Int* dimStride) {
  return guarded(function, [&] {
    require_present({{"desc", desc}});
    const PointerArgument strides{"dimStride", dimStride};
    *desc = redefined(function, *desc, kind, dimNb, dimSize, &strides);
  });
}

template <class Int>
Status get(const char* function, mluOpTensorDescriptor_t desc, mluOpTensorLayout_t* layout,
           mluOpDataType_t* dtype, int* dimNb, Int* dimSize) {
  return guarded(function, [&] {
    require_present({{"desc", desc}});
    store(layout, desc->layout);
    store(dtype, desc->dtype);
    store(dimNb, desc->rank());
    store(dimSize, desc->dims);
  });
}

template <class Int>
Status get_with_strides(const char* function, mluOpTensorDescriptor_t desc,
                        mluOpTensorLayout_t* layout, mluOpDataType_t* dtype, int* dimNb,
                        Int* dimSize, Int* dimStride) {
  return guarded(function, [&] {
    require_present({{"desc", desc},
                     {"layout", layout},
                     {"dtype", dtype},
                     {"dimNb", dimNb},
                     {"dimSize", dimSize},
                     {"dimStride", dimStride}});
    store(dimStride, desc->strides);
    return get(function, desc, layout, dtype, dimNb, dimSize);
  });
}

}  // namespace

mluOpStatus_t mluOpCreateTensorDescriptor(mluOpTensorDescriptor_t* desc) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    *desc = new mluOpTensorStruct;
  });
}

mluOpStatus_t mluOpDestroyTensorDescriptor(mluOpTensorDescriptor_t desc) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    delete desc;
  });
}

mluOpStatus_t mluOpResetTensorDescriptor(mluOpTensorDescriptor_t desc) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    *desc = {};
  });
}

mluOpStatus_t mluOpSetTensorDescriptor(mluOpTensorDescriptor_t desc, mluOpTensorLayout_t layout,
                                       mluOpDataType_t dtype, int dimNb, const int dimSize[]) {
  return set(__func__, desc, {layout, dtype}, dimNb, dimSize);
}

mluOpStatus_t mluOpSetTensorDescriptor_v2(mluOpTensorDescriptor_t desc, mluOpTensorLayout_t layout,
                                          mluOpDataType_t dtype, int dimNb,
                                          const int64_t dimSize[]) {
  return set(__func__, desc, {layout, dtype}, dimNb, dimSize);
}

mluOpStatus_t mluOpSetTensorDescriptorEx(mluOpTensorDescriptor_t desc, mluOpTensorLayout_t layout,
                                         mluOpDataType_t dtype, int dimNb, const int dimSize[],
                                         const int dimStride[]) {
  return set_with_strides(__func__, desc, {layout, dtype}, dimNb, dimSize, dimStride);
}

mluOpStatus_t mluOpSetTensorDescriptorEx_v2(mluOpTensorDescriptor_t desc,
                                            mluOpTensorLayout_t layout, mluOpDataType_t dtype,
                                            int dimNb, const int64_t dimSize[],
                                            const int64_t dimStride[]) {
  return set_with_strides(__func__, desc, {layout, dtype}, dimNb, dimSize, dimStride);
}

mluOpStatus_t mluOpSetTensorDescriptorDim(mluOpTensorDescriptor_t desc, int dimNb,
                                          const int* dimSize) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    require_rank(dimNb, *desc);
    *desc = reshaped(__func__, *desc, dimNb, dimSize);
  });
}

mluOpStatus_t mluOpSetTensorDescriptorDim_v2(mluOpTensorDescriptor_t desc, int dimNb,
                                             const int64_t* dimSize) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    *desc = reshaped(__func__, *desc, dimNb, dimSize);
  });
}

mluOpStatus_t mluOpGetTensorDescriptor(const mluOpTensorDescriptor_t desc,
                                       mluOpTensorLayout_t* layout, mluOpDataType_t* dtype,
                                       int* dimNb, int dimSize[]) {
  return get(__func__, desc, layout, dtype, dimNb, dimSize);
}

mluOpStatus_t mluOpGetTensorDescriptor_v2(const mluOpTensorDescriptor_t desc,
                                          mluOpTensorLayout_t* layout, mluOpDataType_t* dtype,
                                          int* dimNb, int64_t dimSize[]) {
  return get(__func__, desc, layout, dtype, dimNb, dimSize);
}

mluOpStatus_t mluOpGetTensorDescriptorEx(const mluOpTensorDescriptor_t desc,
                                         mluOpTensorLayout_t* layout, mluOpDataType_t* dtype,
                                         int* dimNb, int dimSize[], int dimStride[]) {
  return get_with_strides(__func__, desc, layout, dtype, dimNb, dimSize, dimStride);
}

mluOpStatus_t mluOpGetTensorDescriptorEx_v2(const mluOpTensorDescriptor_t desc,
                                            mluOpTensorLayout_t* layout, mluOpDataType_t* dtype,
                                            int* dimNb, int64_t dimSize[], int64_t dimStride[]) {
  return get_with_strides(__func__, desc, layout, dtype, dimNb, dimSize, dimStride);
}

size_t mluOpGetTensorElementNum(const mluOpTensorDescriptor_t desc) {
  size_t count = 0;
  guarded(__func__, [&] {
    require_present({{"desc", desc}});
    count = desc->element_count;
  });
  return count;
}
