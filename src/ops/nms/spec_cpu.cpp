// The checks of the three functions of mlu_op_cpu.h.
#include "core/numbers/dtype.hpp"
#include "ops/nms/spec_rules.hpp"

namespace mluop::nms {
namespace {

constexpr DtypeSet index_dtypes{bits_of(MLUOP_DTYPE_INT32, MLUOP_DTYPE_INT64)};

/// Without boxes the number kept is written if there is room for it, and the call is done.
void done_without_boxes(Check& check, const Tensor& boxes, const Tensor& output,
                        const void* result_num) {
  if (!check.running() || !boxes.desc->empty()) return;
  if (result_num != nullptr) {
    write_number(const_cast<void*>(result_num), output.desc->dtype, 0);
  }
  check.done_if_empty(boxes);
}

Region number_region(const Tensor& output, const void* result_num) {
  return {"result_num", result_num, size_of(output.desc->dtype)};
}

/// What both that suppress have in common.
Problem problem_of(const Tensor& boxes, const Tensor& output, const void* result_num) {
  const std::int64_t N = boxes.desc->dim(0);
  return {.N = N,
          .dtype = boxes.desc->dtype,
          .boxes = boxes.data,
          .most = N,
          .index_dtype = output.desc->dtype,
          .output = const_cast<void*>(output.data),
          .output_bytes = Region(output).bytes,
          .result_num = const_cast<void*>(result_num)};
}

}  // namespace

void check_cpu_nms(Check& check, const CpuArguments& call, Problem& problem) {
  Dim N{"N"};
  auto all = check.tensors(call.boxes, call.scores, call.output);
  all.present();
  check.tensors(call.boxes, call.scores).dtype(floating).same_dtype();
  check.tensors(call.output).dtype(index_dtypes);
  check.tensors(call.boxes).rank(2);
  check.tensors(call.scores, call.output).rank(1);
  all.contiguous();
  check.shape(call.boxes, {N, 4}).shape(call.scores, {N}).shape(call.output, {N});
  check.require("offset", call.offset, one_of(0, 1));
  all.addressable();
  done_without_boxes(check, call.boxes, call.output, call.result_num);
  check.support("number of boxes", N, at_most(most_boxes));
  all.data_present();
  check.present("result_num", call.result_num);
  if (!check.running()) return;
  check.no_overlap({call.boxes, call.scores},
                   {call.output, number_region(call.output, call.result_num)});
  if (!check.running()) return;
  problem = problem_of(call.boxes, call.output, call.result_num);
  problem.scores = call.scores.data;
  problem.iou_threshold = call.iou_threshold;
  problem.offset = static_cast<float>(call.offset);
}

void check_nms3d(Check& check, const StandingArguments& call, Problem& problem) {
  Dim N{"N"};
  auto all = check.tensors(call.boxes, call.output);
  all.present();
  check.tensors(call.boxes).dtype(floating);
  check.tensors(call.output).dtype(index_dtypes);
  check.tensors(call.boxes).rank(2);
  check.tensors(call.output).rank(1);
  all.contiguous();
  check.shape(call.boxes, {N, 7}).shape(call.output, {N});
  check.require("ignore_heading", call.ignore_heading, one_of(0, 1));
  all.addressable();
  done_without_boxes(check, call.boxes, call.output, call.result_num);
  check.support("number of boxes", N, at_most(most_boxes));
  all.data_present();
  check.present("result_num", call.result_num);
  if (!check.running()) return;
  check.no_overlap({call.boxes}, {call.output, number_region(call.output, call.result_num)});
  if (!check.running()) return;
  problem = problem_of(call.boxes, call.output, call.result_num);
  problem.shape = call.ignore_heading == 1 ? Shape::upright : Shape::turned;
  problem.iou_threshold = call.iou_threshold;
}

void check_overlap(Check& check, const OverlapArguments& call, OverlapProblem& problem) {
  Dim N{"N"}, M{"M"};
  auto all = check.tensors(call.boxes_a, call.boxes_b, call.overlap);
  all.present().dtype(floating).same_dtype().rank(2).contiguous();
  check.shape(call.boxes_a, {N, 7}).shape(call.boxes_b, {M, 7}).shape(call.overlap, {N, M});
  all.addressable();
  check.done_if_empty(call.boxes_a, call.boxes_b, call.overlap);
  check.support("number of boxes_a", N, at_most(most_boxes));
  check.support("number of boxes_b", M, at_most(most_boxes));
  all.data_present();
  check.no_overlap({call.boxes_a, call.boxes_b}, {call.overlap});
  if (!check.running()) return;
  problem = {N.value(),         M.value(),         call.boxes_a.desc->dtype,
             call.boxes_a.data, call.boxes_b.data, const_cast<void*>(call.overlap.data)};
}

}  // namespace mluop::nms
