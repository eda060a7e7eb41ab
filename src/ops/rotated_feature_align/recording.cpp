// Checked calls of rotated feature align as test cases.
#include "ops/rotated_feature_align/recording.hpp"

#include "recorder/text/values.hpp"

namespace mluop::rotated_feature_align {
namespace {

using recorder::Description;
using recorder::Need;

/// Case files call the tensors the same in both directions.
Description description(const char* op, const char* parameters, const Arguments& call) {
  return {
      .op = op,
      .inputs = {{{"input", call.features.desc, call.features.data}, Need::nothing, {-100, 100}},
                 {{"rois", call.boxes.desc, call.boxes.data}, Need::structure, {0, 10}}},
      .outputs = {{"output", call.result.desc, call.result.data}},
      .parameters_name = parameters,
      .parameters = {{"spatial_scale", recorder::decimals_of(call.spatial_scale)},
                     {"points", text_of(call.points)}}};
}

}  // namespace

Description forward_description(const Arguments& call) {
  return description("rotated_feature_align_forward", "rotated_feature_align_forward_param", call);
}

Description backward_description(const Arguments& call) {
  return description("rotated_feature_align_backward", "rotated_feature_align_backward_param",
                     call);
}

}  // namespace mluop::rotated_feature_align
