// The functions of mlu_op.h for the CARAFE descriptor.
#include "ops/carafe/descriptor.hpp"

#include "core/check/arguments.hpp"
#include "core/status/status.hpp"

using namespace mluop;  // NOLINT(google-build-using-namespace): the C entry points are global

mluOpStatus_t MLUOP_WIN_API mluOpCreateCarafeDescriptor(mluOpCarafeDescriptor_t* carafe_desc) {
  return guarded(__func__, [&] {
    require_present({{"carafe_desc", carafe_desc}});
    *carafe_desc = new mluOpCarafeStruct;
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpSetCarafeDescriptor(mluOpCarafeDescriptor_t carafe_desc,
                                                     const int dimNb, const int kernel_size,
                                                     const int group_size, const int scale_factor) {
  return guarded(__func__, [&] {
    require_present({{"carafe_desc", carafe_desc}});
    require("kernel_size", kernel_size, at_least(1));
    require("kernel_size", kernel_size, odd());
    require("group_size", group_size, at_least(1));
    require("scale_factor", scale_factor, at_least(1));
    require("dimNb", dimNb, equal_to(4));
    *carafe_desc = {dimNb, kernel_size, group_size, scale_factor};
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpDestroyCarafeDescriptor(mluOpCarafeDescriptor_t carafe_desc) {
  return guarded(__func__, [&] {
    require_present({{"carafe_desc", carafe_desc}});
    delete carafe_desc;
  });
}
