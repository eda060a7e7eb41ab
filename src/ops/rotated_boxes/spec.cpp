// The checks of the two operators, in the order the contract gives.
#include <limits>

#include "ops/rotated_boxes/problem.hpp"
#include "ops/suppression/tiles.hpp"

namespace mluop::rotated_boxes {
namespace {

constexpr DtypeSet floating_here{floating.all, bits_of(MLUOP_DTYPE_FLOAT)};

constexpr std::int64_t most_aligned_on_card = 10'000'000;

/// Five fields, unless there is no box.
void check_width(Check& check, const Tensor& boxes) {
  if (check.running() && boxes.desc->dim(0) != 0) check.dim(boxes, 1, box_fields);
}

/// The card looks at the rows of ious before it knows how many dims they should have.
void check_ious(Check& check, const IouArguments& call, Dim& N, Dim& M) {
  const int rank = call.aligned ? 1 : 2;
  if (check.running() && call.ious.desc->rank() == 0) check.tensors(call.ious).rank(rank);
  check.dim(call.ious, 0, N);
  check.tensors(call.ious).rank(rank);
  if (call.aligned) {
    check.dim(call.bbox2, 0, N);
    check.on_card("bbox1 dim 0", N, at_most(most_aligned_on_card));
  } else {
    check.dim(call.bbox2, 0, M).dim(call.ious, 1, M);
  }
}

}  // namespace

void check_iou(Check& check, const IouArguments& call, IouProblem& problem) {
  Dim N{"N"}, M{"M"};
  const auto all = [&] { return check.tensors(call.bbox1, call.bbox2, call.ious); };
  all().present();
  check.tensors(call.bbox1).dtype(floating_here);
  all().same_dtype();
  check.require("mode", call.mode, one_of(0, 1));
  check.tensors(call.bbox1, call.bbox2).rank(2);
  check_width(check, call.bbox1);
  check_width(check, call.bbox2);
  check.dim(call.bbox1, 0, N);
  check_ious(check, call, N, M);
  all().contiguous();
  check.done_if_empty(call.bbox1, call.bbox2);
  all().size_limits().data_present();
  check.no_overlap({call.bbox1, call.bbox2}, {call.ious});
  if (!check.running()) return;
  problem = {.N = N.value(),
             .M = call.bbox2.desc->dim(0),
             .over_first = call.mode == 1,
             .aligned = call.aligned,
             .dtype = call.bbox1.desc->dtype,
             .bbox1 = call.bbox1.data,
             .bbox2 = call.bbox2.data,
             .ious = const_cast<void*>(call.ious.data)};
}

void check_nms(Check& check, const NmsArguments& call, NmsProblem& problem) {
  Dim N{"N"}, fields{"fields"};
  const auto all = [&] { return check.tensors(call.boxes, call.scores, call.output); };
  all().present();
  check.tensors(call.boxes).dtype(floating_here);
  check.tensors(call.boxes, call.scores).same_dtype();
  check.tensors(call.output).dtype(int32);
  check.tensors(call.boxes).rank(2);
  check.tensors(call.scores, call.output).rank(1);
  all().contiguous();
  check.dim(call.boxes, 0, N).dim(call.scores, 0, N).dim(call.output, 0, N);
  check.dim(call.boxes, 1, fields);
  check.require("boxes dim 1", fields, one_of(box_fields, box_fields + 1));
  check.tensors(call.boxes).size_limits();
  check.tensors(call.scores, call.output).addressable();
  check.done_if_empty(call.boxes);
  all().data_present();
  check.present("result_num", call.result_num);
  check.workspace(call.workspace.data, call.workspace.bytes, 0);
  // A limit of this library: an index is an int32, and so is its place in a tile.
  check.support("boxes dim 0", N,
                at_most(std::numeric_limits<std::int32_t>::max() - suppression::tile_boxes));
  check.no_overlap({call.boxes, call.scores},
                   {call.output, {"result_num", call.result_num, sizeof *call.result_num}},
                   call.workspace);
  if (!check.running()) return;
  problem = {.N = N.value(),
             .fields = fields.value(),
             .iou_threshold = call.iou_threshold,
             .dtype = call.boxes.desc->dtype,
             .boxes = call.boxes.data,
             .scores = call.scores.data,
             .output = static_cast<std::int32_t*>(const_cast<void*>(call.output.data)),
             .result_num = call.result_num};
}

}  // namespace mluop::rotated_boxes
