// The functions of mlu_op.h for the descriptor of RoI align.
#include "ops/roi_align/descriptor.hpp"

#include "core/check/arguments.hpp"
#include "core/status/status.hpp"
#include "ops/roi_align/problem.hpp"

using namespace mluop;  // NOLINT(google-build-using-namespace): the C entry points are global

mluOpStatus_t MLUOP_WIN_API
mluOpCreateRoiAlignForwardDescriptor(mluOpRoiAlignForwardDescriptor_t* desc) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    *desc = new cnnlRoiAlignStruct;
  });
}

mluOpStatus_t MLUOP_WIN_API
mluOpDestroyRoiAlignForwardDescriptor(mluOpRoiAlignForwardDescriptor_t desc) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    delete desc;
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpSetRoiAlignForwardDescriptor_v2(
    mluOpRoiAlignForwardDescriptor_t roialign_desc, const int pooled_height, const int pooled_width,
    const int sampling_ratio, const float spatial_scale, const int pool_mode, const bool aligned) {
  return guarded(__func__, [&] {
    require_present({{"roialign_desc", roialign_desc}});
    require("pooled_height", pooled_height, at_least(1));
    require("pooled_width", pooled_width, at_least(1));
    require_real("spatial_scale", spatial_scale, finite());
    require("pool_mode", pool_mode, one_of(roi_align::pool_max, roi_align::pool_average));
    *roialign_desc = {pooled_height, pooled_width, sampling_ratio,
                      spatial_scale, pool_mode,    aligned};
  });
}
