// The functions of mlu_op.h for the descriptor of mluOpNms.
#include "ops/nms/descriptor.hpp"

#include <string>

#include "core/check/arguments.hpp"
#include "core/status/status.hpp"
#include "core/status/text.hpp"

using namespace mluop;  // NOLINT(google-build-using-namespace): the C entry points are global

mluOpStatus_t MLUOP_WIN_API mluOpCreateNmsDescriptor(mluOpNmsDescriptor_t* desc) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    *desc = new cnnlNmsStruct;
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpDestroyNmsDescriptor(mluOpNmsDescriptor_t desc) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}});
    delete desc;
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpSetNmsDescriptor(
    mluOpNmsDescriptor_t nms_desc, const mluOpNmsBoxPointMode_t box_mode,
    const mluOpNmsOutputMode_t output_mode, const mluOpNmsAlgo_t algo,
    const mluOpNmsMethodMode_t method_mode, const float iou_threshold, const float soft_nms_sigma,
    const int max_output_size, const float confidence_threshold, const float offset,
    const int input_layout, const bool pad_to_max_output_size) {
  return guarded(__func__, [&] {
    require_present({{"nms_desc", nms_desc}});
    require("max_output_size", max_output_size, at_least(0));
    require_real("offset", offset, one_of(0, 1));
    require("input_layout", input_layout, one_of(0, 1));
    require_real("soft_nms_sigma", soft_nms_sigma, at_least(0));
    require("box_mode", box_mode, one_of(MLUOP_NMS_BOX_DIAGONAL, MLUOP_NMS_BOX_CENTER));
    require("output_mode", output_mode, one_of(0, 1, 2, 3));
    require("algo", algo, one_of(MLUOP_NMS_ALGO_EXCLUDE_BOUNDARY, MLUOP_NMS_ALGO_INCLUDE_BOUNDARY));
    require("method_mode", method_mode, one_of(0, 1, 2));
    *nms_desc = {box_mode,        output_mode,           algo,
                 method_mode,     iou_threshold,         soft_nms_sigma,
                 max_output_size, confidence_threshold,  offset,
                 input_layout,    pad_to_max_output_size};
  });
}
