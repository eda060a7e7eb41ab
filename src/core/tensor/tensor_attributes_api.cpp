// The functions of mlu_op.h for what a tensor descriptor carries besides its shape.
#include "core/check/arguments.hpp"
#include "core/status/status.hpp"
#include "core/tensor/tensor_descriptor.hpp"
#include "mlu_op.h"

using namespace mluop;  // NOLINT(google-build-using-namespace): the C entry points are global

mluOpStatus_t mluOpSetTensorDescriptorOnchipDataType(mluOpTensorDescriptor_t desc,
                                                     mluOpDataType_t onchip_dtype) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    desc->onchip_dtype = onchip_dtype;
  });
}

mluOpStatus_t mluOpGetTensorDescriptorOnchipDataType(const mluOpTensorDescriptor_t desc,
                                                     mluOpDataType_t* onchip_dtype) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}, {"onchip_dtype", onchip_dtype}});
    *onchip_dtype = desc->onchip_dtype;
  });
}

mluOpStatus_t mluOpSetTensorDescriptorPointerMode(mluOpTensorDescriptor_t desc,
                                                  mluOpPointerMode_t pointer_mode) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    require("pointer_mode", pointer_mode, at_least(0));
    desc->pointer_mode = pointer_mode;
  });
}

mluOpStatus_t mluOpGetTensorDescriptorPointerMode(const mluOpTensorDescriptor_t desc,
                                                  mluOpPointerMode_t* pointer_mode) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}, {"pointer_mode", pointer_mode}});
    *pointer_mode = desc->pointer_mode;
  });
}

mluOpStatus_t mluOpSetTensorDescriptorPosition(mluOpTensorDescriptor_t desc, int position) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    desc->position = position;
  });
}

mluOpStatus_t mluOpSetTensorDescriptorPositionAndScale(mluOpTensorDescriptor_t desc, int position,
                                                       float scale) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    desc->position = position;
    desc->scale = scale;
  });
}

mluOpStatus_t mluOpSetTensorDescriptorPositionScaleAndOffset(mluOpTensorDescriptor_t desc,
                                                             int position, float scale,
                                                             int offset) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    desc->position = position;
    desc->scale = scale;
    desc->offset = offset;
  });
}

mluOpStatus_t mluOpGetTensorDescriptorPosition(const mluOpTensorDescriptor_t desc, int* position) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}, {"position", position}});
    *position = desc->position;
  });
}

mluOpStatus_t mluOpGetTensorDescriptorPositionAndScale(const mluOpTensorDescriptor_t desc,
                                                       int* position, float* scale) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}, {"position", position}, {"scale", scale}});
    *position = desc->position;
    *scale = desc->scale;
  });
}

mluOpStatus_t mluOpGetTensorDescriptorPositionScaleAndOffset(const mluOpTensorDescriptor_t desc,
                                                             int* position, float* scale,
                                                             int* offset) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}, {"position", position}, {"scale", scale}, {"offset", offset}});
    *position = desc->position;
    *scale = desc->scale;
    *offset = desc->offset;
  });
}
