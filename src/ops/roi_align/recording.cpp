// Checked calls of RoI align as test cases.
#include "ops/roi_align/recording.hpp"

#include "ops/roi_align/descriptor.hpp"
#include "recorder/text/values.hpp"

namespace mluop::roi_align {
namespace {

using recorder::Description;
using recorder::Need;

const char* text_of_bool(bool value) { return value ? "true" : "false"; }

}  // namespace

/// Random boxes might name images that there are not.
Description description_of(const ForwardArguments& call) {
  const cnnlRoiAlignStruct& roialign = *call.roialign;
  Description description{
      .op = "roialign_forward",
      .inputs = {{call.input, Need::nothing, {-100, 100}}, {call.boxes, Need::always, {0, 100}}},
      .outputs = {call.output},
      .parameters_name = "roialign_param",
      .parameters = {{"pooled_height", text_of(roialign.pooled_height)},
                     {"pooled_width", text_of(roialign.pooled_width)},
                     {"sampling_ratio", text_of(roialign.sampling_ratio)},
                     {"spatial_scale", recorder::decimals_of(roialign.spatial_scale)},
                     {"aligned", text_of_bool(roialign.aligned)},
                     {"pool_mode", text_of(roialign.pool_mode)},
                     {"version", "1"}}};
  if (roialign.pool_mode == pool_max) {
    description.outputs.push_back(call.argmax_x);
    description.outputs.push_back(call.argmax_y);
  }
  return description;
}

Description description_of(const BackwardArguments& call) {
  Description description{
      .op = "roi_align_backward",
      .inputs = {{call.grads, Need::nothing, {-100, 100}}, {call.boxes, Need::always, {0, 100}}},
      .outputs = {call.grads_image},
      .parameters_name = "roi_align_backward_param",
      .parameters = {{"spatial_scale", recorder::decimals_of(call.spatial_scale)},
                     {"sampling_ratio", text_of(call.sampling_ratio)},
                     {"aligned", text_of_bool(call.aligned)},
                     {"pool_mode", text_of(call.pool_mode)},
                     {"version", "1"}}};
  if (call.pool_mode == pool_max) {
    description.inputs.push_back({call.argmax_x, Need::structure, {0, 100}});
    description.inputs.push_back({call.argmax_y, Need::structure, {0, 100}});
  }
  return description;
}

}  // namespace mluop::roi_align
