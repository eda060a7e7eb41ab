// The tensor-descriptor functions of mlu_op.h.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/arguments.hpp"
#include "core/log.hpp"
#include "core/status.hpp"
#include "core/tensor_descriptor.hpp"
#include "core/text.hpp"
#include "mlu_op.h"

using namespace mluop;  // NOLINT(google-build-using-namespace): the C entry points are global

namespace {

using Sizes = std::vector<std::int64_t>;

/// What a setter changes besides the sizes.
struct Kind {
  mluOpTensorLayout_t layout;
  mluOpDataType_t dtype;
};

/// The API lets a product overflow the caller's integers and only warns.
template <class Int>
void warn_of_overflow(const char* function, const Sizes& dims) {
  if (!log_enabled(MLUOP_CPU_LOG_WARNING)) return;
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return;
  Int product = 1;
  for (std::int64_t size : dims) {
    if (__builtin_mul_overflow(product, size, &product)) {
      log(MLUOP_CPU_LOG_WARNING, std::string{function} + ": the number of elements of " +
                                     list_of(dims) + " does not fit a " + text_of(8 * sizeof(Int)) +
                                     "-bit integer");
      return;
    }
  }
}

/// A copy of `desc` with new sizes, so that one that is refused stays as it was. Without
/// `dimStride` the strides are dense.
template <class Int>
mluOpTensorStruct reshaped(const char* function, const mluOpTensorStruct& desc, int dimNb,
                           const Int* dimSize, const PointerArgument* dimStride = nullptr) {
  require("dimNb", dimNb, at_least(0));
  if (dimNb == 0 && desc.pointer_mode != MLUOP_POINTER_MODE_HOST) {
    throw Failure{MLUOP_STATUS_BAD_PARAM,
                  "dimNb must be at least 1 unless the pointer mode is HOST, got 0"};
  }
  mluOpTensorStruct next = desc;
  if (dimNb == 0) {
    next.reshape({}, {});
    return next;
  }
  require_present({{"dimSize", dimSize}});
  if (dimStride != nullptr) require_present({*dimStride});

  Sizes dims(dimSize, dimSize + dimNb);
  warn_of_overflow<Int>(function, dims);
  if (dimStride == nullptr) {
    Sizes strides = dense_strides(dims);
    next.reshape(std::move(dims), std::move(strides));
  } else {
    const Int* const given = static_cast<const Int*>(dimStride->pointer);
    next.reshape(std::move(dims), Sizes(given, given + dimNb));
  }
  return next;
}

template <class Int>
mluOpTensorStruct redefined(const char* function, const mluOpTensorStruct& desc, Kind kind,
                            int dimNb, const Int* dimSize,
                            const PointerArgument* dimStride = nullptr) {
  require("layout", kind.layout, at_least(0));
  require("dtype", kind.dtype, at_least(0));
  mluOpTensorStruct next = reshaped(function, desc, dimNb, dimSize, dimStride);
  next.layout = kind.layout;
  next.dtype = kind.dtype;
  return next;
}

template <class Int>
Status set(const char* function, mluOpTensorDescriptor_t desc, Kind kind, int dimNb,
           const Int* dimSize) {
  return guarded(function, [&] {
    require_present({{"desc", desc}});
    *desc = redefined(function, *desc, kind, dimNb, dimSize);
  });
}

template <class Int>
Status set_with_strides(const char* function, mluOpTensorDescriptor_t desc, Kind kind, int dimNb,
                        const Int* dimSize, const Int* dimStride) {
  return guarded(function, [&] {
    require_present({{"desc", desc}});
    const PointerArgument strides{"dimStride", dimStride};
    *desc = redefined(function, *desc, kind, dimNb, dimSize, &strides);
  });
}

template <class Int>
Status set_sizes(const char* function, mluOpTensorDescriptor_t desc, int dimNb,
                 const Int* dimSize) {
  return guarded(function, [&] {
    require_present({{"desc", desc}});
    *desc = reshaped(function, *desc, dimNb, dimSize);
  });
}

/// The descriptors behind a group, each present.
std::vector<mluOpTensorDescriptor_t> members(mluOpTensorDescriptor_t* const* group, int count) {
  std::vector<mluOpTensorDescriptor_t> descriptors;
  for (int i = 0; i < count; ++i) {
    const std::string name = "group_desc[" + text_of(i) + "]";
    require_present({{name.c_str(), group[i]}});
    require_present({{("*" + name).c_str(), *group[i]}});
    descriptors.push_back(*group[i]);
  }
  return descriptors;
}

template <class Int>
Status set_group(const char* function, mluOpTensorDescriptor_t* const* group_desc,
                 const mluOpTensorLayout_t* group_layout, const mluOpDataType_t* group_dtype,
                 const int* group_dimNb, const Int* group_dimSize, int desc_num) {
  return guarded(function, [&] {
    require_present({{"group_desc", group_desc},
                     {"group_layout", group_layout},
                     {"group_dtype", group_dtype},
                     {"group_dimNb", group_dimNb},
                     {"group_dimSize", group_dimSize}});
    require("desc_num", desc_num, at_least(1));
    const auto descriptors = members(group_desc, desc_num);

    std::vector<mluOpTensorStruct> next;
    const Int* sizes = group_dimSize;
    for (std::size_t i = 0; i < descriptors.size(); ++i) {
      next.push_back(redefined(function, *descriptors[i], {group_layout[i], group_dtype[i]},
                               group_dimNb[i], sizes));
      sizes += group_dimNb[i];
    }
    for (std::size_t i = 0; i < next.size(); ++i) *descriptors[i] = std::move(next[i]);
  });
}

template <class Value>
void store(Value* pointer, Value value) {
  if (pointer != nullptr) *pointer = value;
}

template <class Int>
void store(Int* array, const Sizes& values) {
  if (array == nullptr) return;
  std::transform(values.begin(), values.end(), array,
                 [](std::int64_t value) { return static_cast<Int>(value); });
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

mluOpStatus_t mluOpCreateGroupTensorDescriptors(mluOpTensorDescriptor_t* group_desc[],
                                                const int desc_num) {
  return guarded(__func__, [&] {
    require_present({{"group_desc", group_desc}});
    require("desc_num", desc_num, at_least(1));
    std::vector<std::unique_ptr<mluOpTensorStruct>> created;
    for (int i = 0; i < desc_num; ++i) {
      require_present({{("group_desc[" + text_of(i) + "]").c_str(), group_desc[i]}});
      created.push_back(std::make_unique<mluOpTensorStruct>());
    }
    for (int i = 0; i < desc_num; ++i)
      *group_desc[i] = created[static_cast<std::size_t>(i)].release();
  });
}

mluOpStatus_t mluOpDestroyTensorDescriptor(mluOpTensorDescriptor_t desc) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    delete desc;
  });
}

mluOpStatus_t mluOpDestroyGroupTensorDescriptors(mluOpTensorDescriptor_t* group_desc[],
                                                 const int desc_num) {
  return guarded(__func__, [&] {
    require_present({{"group_desc", group_desc}});
    require("desc_num", desc_num, at_least(1));
    for (mluOpTensorDescriptor_t desc : members(group_desc, desc_num)) delete desc;
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
  return set_sizes(__func__, desc, dimNb, dimSize);
}

mluOpStatus_t mluOpSetTensorDescriptorDim_v2(mluOpTensorDescriptor_t desc, int dimNb,
                                             const int64_t* dimSize) {
  return set_sizes(__func__, desc, dimNb, dimSize);
}

mluOpStatus_t mluOpSetGroupTensorDescriptors(mluOpTensorDescriptor_t* group_desc[],
                                             const mluOpTensorLayout_t group_layout[],
                                             const mluOpDataType_t group_dtype[],
                                             const int group_dimNb[], const int group_dimSize[],
                                             const int desc_num) {
  return set_group(__func__, group_desc, group_layout, group_dtype, group_dimNb, group_dimSize,
                   desc_num);
}

mluOpStatus_t mluOpSetGroupTensorDescriptors_v2(mluOpTensorDescriptor_t* group_desc[],
                                                const mluOpTensorLayout_t group_layout[],
                                                const mluOpDataType_t group_dtype[],
                                                const int group_dimNb[],
                                                const int64_t group_dimSize[], const int desc_num) {
  return set_group(__func__, group_desc, group_layout, group_dtype, group_dimNb, group_dimSize,
                   desc_num);
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
