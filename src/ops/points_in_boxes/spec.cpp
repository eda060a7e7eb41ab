// The checks of the three operators, in the order the contract gives.
#include "ops/points_in_boxes/problem.hpp"

namespace mluop::points_in_boxes {
namespace {

constexpr DtypeSet floating_here{floating.all, bits_of(MLUOP_DTYPE_FLOAT)};

/// Boxes that fit the on-chip memory of the card that has most of it.
constexpr std::int64_t most_boxes_on_card = 23404;

struct Dims {
  Dim B{"B"}, M{"M"}, T{"T"};
};

/// Descriptors, ranks, dtypes and layouts.
void check_tensors(Check& check, const Arguments& call, int result_rank) {
  check.tensors(call.points, call.boxes, call.result).present();
  check.tensors(call.points, call.boxes).rank(3);
  check.tensors(call.result).rank(result_rank);
  check.tensors(call.points, call.boxes).dtype(floating_here).same_dtype();
  check.tensors(call.result).dtype(int32);
  check.tensors(call.points, call.boxes, call.result).layout(MLUOP_LAYOUT_ARRAY);
}

/// Strides and sizes. The card counts the elements of points and boxes only.
void check_sizes(Check& check, const Arguments& call) {
  check.tensors(call.points, call.boxes, call.result).contiguous();
  check.tensors(call.points, call.boxes).size_limits();
  check.tensors(call.result).addressable();
}

void check_data(Check& check, const Arguments& call) {
  check.tensors(call.points, call.boxes, call.result).data_present();
  check.no_overlap({call.points, call.boxes}, {call.result});
}

void fill(const Arguments& call, const Dims& dims, Problem& problem) {
  problem = {dims.B.value(),
             dims.M.value(),
             dims.T.value(),
             call.geometry,
             call.box_major == 1,
             call.points.desc->dtype,
             call.points.data,
             call.boxes.data,
             static_cast<std::int32_t*>(const_cast<void*>(call.result.data))};
}

}  // namespace

void check_first(Check& check, const Arguments& call, Problem& problem) {
  Dims dims;
  check_tensors(check, call, 2);
  check.shape(call.points, {dims.B, dims.M, 3})
      .shape(call.boxes, {dims.B, dims.T, 7})
      .shape(call.result, {dims.B, dims.M});
  check_sizes(check, call);
  // The card does nothing without boxes, and leaves the indices as they are.
  const bool only_boxes_empty =
      check.running() && call.boxes.desc->empty() && !call.result.desc->empty();
  if (only_boxes_empty && !check.card_limits()) {
    check.tensors(call.result).data_present();
    if (check.running()) fill(call, dims, problem);
    return;
  }
  check.done_if_empty(call.points, call.boxes, call.result);
  check.tensors(call.points, call.boxes, call.result).data_present();
  if (call.geometry == Geometry::centred) {
    check.on_card("boxes dim 1", dims.T, at_most(most_boxes_on_card), MLUOP_STATUS_BAD_PARAM);
  }
  check.support("boxes dim 1", dims.T,
                at_most(INT32_MAX));  // a limit of this library: an index is an int32
  check.no_overlap({call.points, call.boxes}, {call.result});
  if (check.running()) fill(call, dims, problem);
}

void check_all(Check& check, const Arguments& call, Problem& problem) {
  Dims dims;
  check_tensors(check, call, 3);
  check.require("box_major", call.box_major, one_of(0, 1));
  check.shape(call.points, {dims.B, dims.M, 3}).shape(call.boxes, {dims.B, dims.T, 7});
  if (call.box_major == 1) {
    check.shape(call.result, {dims.B, dims.T, dims.M});
  } else {
    check.shape(call.result, {dims.B, dims.M, dims.T});
  }
  check_sizes(check, call);
  check.done_if_empty(call.points, call.boxes, call.result);
  check_data(check, call);
  if (check.running()) fill(call, dims, problem);
}

}  // namespace mluop::points_in_boxes
