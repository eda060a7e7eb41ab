// Checked calls of mluOpNms as test cases.
#include "ops/nms/recording.hpp"

#include "core/status/text.hpp"

namespace mluop::nms {
namespace {

constexpr const char* layouts[] = {"NMS_INPUT_LAYOUT_NUM_ATTR", "NMS_INPUT_LAYOUT_ATTR_NUM"};
constexpr const char* outputs[] = {"NMS_INDICES", "NMS_CONFIDENCE_AND_POS_1",
                                   "NMS_CONFIDENCE_AND_POS_2", "NMS_BATCH_AND_CLASS"};
constexpr const char* algos[] = {"NMS_ALGO_EXCLUDE_BOUNDARY", "NMS_ALGO_INCLUDE_BOUNDARY"};
constexpr const char* methods[] = {"NMS_HARD_NMS", "NMS_SOFT_NMS_LINEAR", "NMS_SOFT_NMS_GAUSSIAN"};
constexpr const char* box_modes[] = {"NMS_BOX_DIAGONAL", "NMS_BOX_CENTER"};

std::vector<recorder::Parameter> parameters_of(const cnnlNmsStruct& nms) {
  return {{"run_mode", "0"},
          {"max_output_boxes", text_of(nms.max_output_size)},
          {"iou_threshold", text_of(nms.iou_threshold)},
          {"confidence_threshold", text_of(nms.confidence_threshold)},
          {"input_layout", layouts[nms.input_layout]},
          {"mode", outputs[nms.output_mode]},
          {"algo", algos[nms.algo]},
          {"offset", text_of(nms.offset)},
          {"method_mode", methods[nms.method_mode]},
          {"box_mode", box_modes[nms.box_mode]},
          {"soft_nms_sigma", text_of(nms.soft_nms_sigma)},
          {"pad_to_max_output_size", nms.pad_to_max_output_size ? "true" : "false"}};
}

}  // namespace

recorder::Description description_of(const Arguments& call, const Problem& problem,
                                     const mluOpTensorStruct& number) {
  using recorder::Need;
  // A case has two inputs; that of 3-D boxes does not look at the second.
  const Tensor& second = problem.scores != nullptr ? call.confidence : call.boxes;
  return {.op = "nms",
          .inputs = {{call.boxes, Need::structure, {0, 100}},
                     {{"confidence", second.desc, second.data}, Need::structure, {0, 1}}},
          .outputs = {call.output, {"output_size", &number, call.output_size}},
          .parameters_name = "nms_param",
          .parameters = parameters_of(*call.nms),
          .criteria = {{"DIFF3", 0}}};
}

}  // namespace mluop::nms
