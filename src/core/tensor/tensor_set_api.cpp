// The functions of mlu_op.h for tensor sets.
#include <utility>

#include "core/check/arguments.hpp"
#include "core/status/status.hpp"
#include "core/tensor/outputs.hpp"
#include "core/tensor/tensor_redefinition.hpp"
#include "core/tensor/tensor_set.hpp"
#include "mlu_op.h"

using namespace mluop;  // NOLINT(google-build-using-namespace): the C entry points are global

mluOpStatus_t mluOpCreateTensorSetDescriptor(mluOpTensorSetDescriptor_t* tensorSetDesc,
                                             const int setDimNb, const int setDimSize[]) {
  return guarded(__func__, [&] {
    require_present({{"tensorSetDesc", tensorSetDesc}, {"setDimSize", setDimSize}});
    *tensorSetDesc = new mluOpTensorSetStruct(setDimNb, setDimSize);
  });
}

mluOpStatus_t mluOpGetTensorSetDescriptor(mluOpTensorSetDescriptor_t tensorSetDesc, int* setDimNb,
                                          int setDimSize[]) {
  return guarded(__func__, [&] {
    require_present(
        {{"tensorSetDesc", tensorSetDesc}, {"setDimNb", setDimNb}, {"setDimSize", setDimSize}});
    *setDimNb = static_cast<int>(tensorSetDesc->dims.size());
    store(setDimSize, tensorSetDesc->dims);
  });
}

mluOpStatus_t mluOpDestroyTensorSetDescriptor(mluOpTensorSetDescriptor_t tensorSetDesc) {
  return guarded(__func__, [&] {
    require_present({{"tensorSetDesc", tensorSetDesc}});
    delete tensorSetDesc;
  });
}

mluOpStatus_t mluOpInitTensorSetMemberDescriptor(mluOpTensorSetDescriptor_t tensorSetDesc,
                                                 const int setDimNb, const int tensorIndex[],
                                                 mluOpTensorLayout_t layout, mluOpDataType_t dtype,
                                                 const int dimNb, const int dimSize[]) {
  return guarded(__func__, [&] {
    require_present({{"tensorSetDesc", tensorSetDesc}, {"tensorIndex", tensorIndex}});
    const std::size_t position = tensorSetDesc->position_of(setDimNb, tensorIndex);
    mluOpTensorStruct& member = tensorSetDesc->members[position];
    member = redefined(__func__, member, {layout, dtype}, dimNb, dimSize);
  });
}

mluOpStatus_t mluOpInitTensorSetMemberDescriptorPositionAndScale(
    mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[],
    const int position, const float scale) {
  return guarded(__func__, [&] {
    require_present({{"tensorSetDesc", tensorSetDesc}, {"tensorIndex", tensorIndex}});
    mluOpTensorStruct& member =
        tensorSetDesc->members[tensorSetDesc->position_of(setDimNb, tensorIndex)];
    member.position = position;
    member.scale = scale;
  });
}

mluOpStatus_t mluOpGetTensorSetDescriptorSize(mluOpTensorSetDescriptor_t tensorSetDesc,
                                              int* sizeInBytes) {
  return guarded(__func__, [&] {
    require_present({{"tensorSetDesc", tensorSetDesc}, {"sizeInBytes", sizeInBytes}});
    *sizeInBytes = tensorSetDesc->bytes_of_first(tensorSetDesc->members.size(),
                                                 "the size of the set in bytes");
  });
}

mluOpStatus_t mluOpGetTensorAndDataFromTensorSet(mluOpTensorSetDescriptor_t tensorSetDesc,
                                                 const int setDimNb, const int tensorIndex[],
                                                 void* data, mluOpTensorDescriptor_t* tensorDesc,
                                                 void** dataAddrInDevice) {
  return guarded(__func__, [&] {
    require_present({{"tensorSetDesc", tensorSetDesc},
                     {"tensorIndex", tensorIndex},
                     {"data", data},
                     {"tensorDesc", tensorDesc},
                     {"dataAddrInDevice", dataAddrInDevice}});
    const std::size_t position = tensorSetDesc->position_of(setDimNb, tensorIndex);
    const int offset = tensorSetDesc->bytes_of_first(position, "the offset of the data in bytes");
    *tensorDesc = &tensorSetDesc->members[position];
    *dataAddrInDevice = static_cast<char*>(data) + offset;
  });
}
