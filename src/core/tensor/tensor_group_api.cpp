// The functions of mlu_op.h for a group of tensor descriptors.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/check/arguments.hpp"
#include "core/status/status.hpp"
#include "core/status/text.hpp"
#include "core/tensor/tensor_descriptor.hpp"
#include "core/tensor/tensor_redefinition.hpp"
#include "mlu_op.h"

using namespace mluop;  // NOLINT(google-build-using-namespace): the C entry points are global

namespace {

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

}  // namespace

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

mluOpStatus_t mluOpDestroyGroupTensorDescriptors(mluOpTensorDescriptor_t* group_desc[],
                                                 const int desc_num) {
  return guarded(__func__, [&] {
    require_present({{"group_desc", group_desc}});
    require("desc_num", desc_num, at_least(1));
    for (mluOpTensorDescriptor_t desc : members(group_desc, desc_num)) delete desc;
  });
}

mluOpStatus_t mluOpSetGroupTensorDescriptors(mluOpTensorDescriptor_t* group_desc[],
                                             const mluOpTensorLayout_t group_layout[],
                                             const mluOpDataType_t group_dtype[],
                                             const int group_dimNb[], const int group_dimSize[],
                                             const int desc_num) {
  return guarded(__func__, [&] {
    require_present({{"group_desc", group_desc},
                     {"group_layout", group_layout},
                     {"group_dtype", group_dtype},
                     {"group_dimNb", group_dimNb},
                     {"group_dimSize", group_dimSize}});
    require("desc_num", desc_num, at_least(1));
    const auto descriptors = members(group_desc, desc_num);

    std::vector<mluOpTensorStruct> next;
    const int* sizes = group_dimSize;
    for (std::size_t i = 0; i < descriptors.size(); ++i) {
      next.push_back(redefined(__func__, *descriptors[i], {group_layout[i], group_dtype[i]},
                               group_dimNb[i], sizes));
      sizes += group_dimNb[i];
    }
    for (std::size_t i = 0; i < next.size(); ++i) *descriptors[i] = std::move(next[i]);
  });
}
