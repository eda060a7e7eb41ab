// The checks of both directions, in the order the contract gives.
#include "ops/rotated_feature_align/problem.hpp"

namespace mluop::rotated_feature_align {
namespace {

/// Ranks, dtypes, layouts, strides and shapes: the same for both directions.
void check_tensors(Check& check, const Arguments& call, Dim& N, Dim& H, Dim& W, Dim& C) {
  auto all = check.tensors(call.features, call.boxes, call.result);
  all.present().rank(4).dtype(floating).same_dtype();
  check.tensors(call.features, call.result).layout(MLUOP_LAYOUT_NHWC);
  all.contiguous();
  check.shape(call.features, {N, H, W, C})
      .shape(call.result, {N, H, W, C})
      .shape(call.boxes, {N, H, W, 5});
}

void check_parameters(Check& check, const Arguments& call) {
  check.require("points", call.points, one_of(1, 5))
      .require("spatial_scale", call.spatial_scale, above(0));
}

/// H * W is a limit of this library: a tap holds the index of its cell in 32 bits.
void check_data(Check& check, const Arguments& call, const Dim& H, const Dim& W) {
  check.tensors(call.features, call.boxes, call.result).data_present();
  if (check.running()) {
    check.support("H * W", H.value() * W.value(), at_most((std::int64_t{1} << 32) - 1));
  }
  check.no_overlap({call.features, call.boxes}, {call.result});
}

void fill(const Arguments& call, const Dim& N, const Dim& H, const Dim& W, const Dim& C,
          Problem& problem) {
  problem = {N.value(),
             H.value(),
             W.value(),
             C.value(),
             call.spatial_scale,
             call.points,
             call.features.desc->dtype,
             call.features.data,
             call.boxes.data,
             const_cast<void*>(call.result.data)};
}

}  // namespace

void check_forward(Check& check, const Arguments& call, Problem& problem) {
  Dim N{"N"}, H{"H"}, W{"W"}, C{"C"};
  check_tensors(check, call, N, H, W, C);
  check.tensors(call.features, call.result, call.boxes).size_limits().not_empty();
  check_parameters(check, call);
  check_data(check, call, H, W);
  if (check.running()) fill(call, N, H, W, C, problem);
}

void check_backward(Check& check, const Arguments& call, Problem& problem) {
  Dim N{"N"}, H{"H"}, W{"W"}, C{"C"};
  check_tensors(check, call, N, H, W, C);
  check_parameters(check, call);
  check.tensors(call.features, call.result, call.boxes).size_limits().not_empty();
  check_data(check, call, H, W);
  if (check.running()) fill(call, N, H, W, C, problem);
}

}  // namespace mluop::rotated_feature_align
