// The struct that mluOpNmsDescriptor_t points to.
#pragma once

#include "mlu_op.h"

/// A new descriptor allows no boxes: max_output_size is one that mluOpNms refuses.
struct cnnlNmsStruct {
  mluOpNmsBoxPointMode_t box_mode = MLUOP_NMS_BOX_DIAGONAL;
  mluOpNmsOutputMode_t output_mode = MLUOP_NMS_OUTPUT_TARGET_INDICES;
  mluOpNmsAlgo_t algo = MLUOP_NMS_ALGO_EXCLUDE_BOUNDARY;
  mluOpNmsMethodMode_t method_mode = MLUOP_NMS_HARD_NMS;
  float iou_threshold = 0;
  float soft_nms_sigma = 0;
  int max_output_size = -1;
  float confidence_threshold = 0;
  float offset = 0;
  int input_layout = 0;
  bool pad_to_max_output_size = false;
};
