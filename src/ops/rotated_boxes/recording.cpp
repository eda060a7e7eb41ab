// Checked calls of rotated boxes as test cases.
#include "ops/rotated_boxes/recording.hpp"

#include "recorder/text/values.hpp"

namespace mluop::rotated_boxes {

using recorder::Need;

recorder::Description iou_description(const IouArguments& call) {
  return {
      .op = "box_iou_rotated",
      .inputs = {{{"box1", call.bbox1.desc, call.bbox1.data}, Need::structure, {0, 100}},
                 {{"box2", call.bbox2.desc, call.bbox2.data}, Need::structure, {0, 100}}},
      .outputs = {call.ious},
      .parameters_name = "box_iou_rotated_param",
      .parameters = {{"mode", text_of(call.mode)}, {"aligned", call.aligned ? "true" : "false"}}};
}

recorder::Description nms_description(const NmsArguments& call, mluOpTensorStruct& result_num) {
  result_num.reshape({1}, {1});
  result_num.dtype = MLUOP_DTYPE_INT32;
  return {
      .op = "nms_rotated",
      .inputs = {{call.boxes, Need::structure, {0, 100}}, {call.scores, Need::structure, {0, 1}}},
      .outputs = {call.output, {"result_num", &result_num, call.result_num}},
      .parameters_name = "nms_rotated_param",
      .parameters = {{"iou_threshold", recorder::decimals_of(call.iou_threshold)}},
      .criteria = {{"DIFF3", 0}}};
}

}  // namespace mluop::rotated_boxes
