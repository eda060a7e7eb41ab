// The checks of both directions, in the order the contract gives.
#include <string>

#include "core/status/text.hpp"
#include "ops/roi_align/descriptor.hpp"
#include "ops/roi_align/problem.hpp"

namespace mluop::roi_align {
namespace {

struct Dims {
  Dim N{"N"}, H{"H"}, W{"W"}, C{"C"}, K{"K"}, PH{"PH"}, PW{"PW"};
};

/// The images that boxes name, with fractions cut off, exist: the first box that names another fails.
void check_images(Check& check, const Tensor& boxes, std::int64_t N, const char* images) {
  if (!check.running()) return;
  with_floating(boxes.desc->dtype, [&]<class T>(T) {
    const auto* const fields = static_cast<const T*>(boxes.data);
    for (std::int64_t k = 0; k < boxes.desc->dim(0); ++k) {
      const Compute<T> image = to_compute(fields[5 * k]);
      if (image > -1 && double{image} < static_cast<double>(N)) continue;
      check.fail(MLUOP_STATUS_BAD_PARAM, std::string(boxes.name) + '[' + text_of(k) +
                                             ",0] must be at least 0 and below " + text_of(N) +
                                             " (images of " + images + "), got " + text_of(image));
      return;
    }
  });
}

/// Rank, layout and dtype of the tensors that both modes have.
void check_tensors(Check& check, const Tensor& first, const Tensor& boxes, const Tensor& last) {
  check.tensors(first).rank(4);
  check.tensors(boxes).rank(2);
  check.tensors(last).rank(4);
}

Problem problem_of(const Dims& dims) {
  Problem problem{};
  problem.N = dims.N.value();
  problem.H = dims.H.value();
  problem.W = dims.W.value();
  problem.C = dims.C.value();
  problem.K = dims.K.value();
  problem.PH = dims.PH.value();
  problem.PW = dims.PW.value();
  return problem;
}

void fill(const ForwardArguments& call, const Dims& dims, Problem& problem) {
  const cnnlRoiAlignStruct& roialign = *call.roialign;
  problem = problem_of(dims);
  problem.spatial_scale = roialign.spatial_scale;
  problem.sampling_ratio = roialign.sampling_ratio;
  problem.aligned = roialign.aligned;
  problem.average = roialign.pool_mode == pool_average;
  problem.dtype = call.input.desc->dtype;
  problem.boxes = call.boxes.data;
  problem.source = call.input.data;
  problem.result = const_cast<void*>(call.output.data);
  if (problem.average) return;
  problem.argmax_x = const_cast<void*>(call.argmax_x.data);
  problem.argmax_y = const_cast<void*>(call.argmax_y.data);
}

void fill(const BackwardArguments& call, const Dims& dims, Problem& problem) {
  problem = problem_of(dims);
  if (call.grads.desc->empty()) problem.K = 0;
  problem.spatial_scale = call.spatial_scale;
  problem.sampling_ratio = call.sampling_ratio;
  problem.aligned = call.aligned;
  problem.average = call.pool_mode == pool_average;
  problem.dtype = call.grads.desc->dtype;
  problem.boxes = call.boxes.data;
  problem.source = call.grads.data;
  problem.result = const_cast<void*>(call.grads_image.data);
  if (problem.average) return;
  problem.argmax_x = const_cast<void*>(call.argmax_x.data);
  problem.argmax_y = const_cast<void*>(call.argmax_y.data);
}

}  // namespace

void check_forward(Check& check, const ForwardArguments& call, Problem& problem) {
  const auto& [roialign, input, boxes, output, argmax_x, argmax_y] = call;
  check.present("roialign_desc", roialign);
  check.tensors(input, boxes, output).present().data_present();
  if (!check.running()) return;
  const bool maximum = roialign->pool_mode == pool_max;
  if (maximum) {
    check.tensors(argmax_x).present().data_present();
    check.tensors(argmax_y).present().data_present();
  }
  auto argmax = check.tensors(argmax_x, argmax_y);
  check_tensors(check, input, boxes, output);
  if (maximum) argmax.rank(4);
  check.tensors(input, output).layout(MLUOP_LAYOUT_NHWC);
  if (maximum) argmax.layout(MLUOP_LAYOUT_NHWC);
  check.tensors(input).dtype(floating);
  check.tensors(input, boxes, output).same_dtype();
  if (maximum) check.tensors(input, argmax_x, argmax_y).same_dtype();

  Dims dims;
  Dim PH{"pooled_height", roialign->pooled_height}, PW{"pooled_width", roialign->pooled_width};
  check.require("pooled_height", PH, at_least(1)).require("pooled_width", PW, at_least(1));
  check.shape(boxes, {dims.K, 5}).shape(input, {dims.N, dims.H, dims.W, dims.C});
  check.shape(output, {dims.K, PH, PW, dims.C});
  if (maximum) {
    for (const Tensor* tensor : {&argmax_x, &argmax_y}) {
      check.shape(*tensor, {dims.K, PH, PW, dims.C});
    }
  }
  check.shape(output, {dims.K, dims.PH, dims.PW, dims.C});
  check.tensors(input, boxes, output).contiguous();
  if (maximum) argmax.contiguous();
  check.tensors(input, boxes, output).size_limits();
  if (maximum) argmax.size_limits();
  check.done_if_empty(output);
  check.tensors(input).not_empty();
  if (maximum) {
    check.no_overlap({input, boxes}, {output, argmax_x, argmax_y});
  } else {
    check.no_overlap({input, boxes}, {output});
  }
  if (check.running()) check_images(check, boxes, dims.N.value(), input.name);
  if (check.running()) fill(call, dims, problem);
}

void check_backward(Check& check, const BackwardArguments& call, Problem& problem) {
  const Tensor &grads = call.grads, &boxes = call.boxes, &grads_image = call.grads_image;
  const Tensor &argmax_x = call.argmax_x, &argmax_y = call.argmax_y;
  for (const Tensor* tensor : {&grads, &boxes, &grads_image}) {
    check.tensors(*tensor).present().data_present();
  }
  const bool maximum = call.pool_mode == pool_max;
  if (maximum) {
    check.tensors(argmax_x).present().data_present();
    check.tensors(argmax_y).present().data_present();
  }
  check.require("pool_mode", call.pool_mode, one_of(pool_max, pool_average));
  if (!maximum) check.require("spatial_scale", call.spatial_scale, finite());
  auto argmax = check.tensors(argmax_x, argmax_y);
  check_tensors(check, grads, boxes, grads_image);
  if (maximum) argmax.rank(4);
  check.tensors(grads, grads_image).layout(MLUOP_LAYOUT_NHWC);
  if (maximum) argmax.layout(MLUOP_LAYOUT_NHWC);
  check.tensors(grads).dtype(floating);
  check.tensors(grads, boxes, grads_image).same_dtype();
  if (maximum) check.tensors(grads, argmax_x, argmax_y).same_dtype();

  Dims dims;
  check.shape(boxes, {dims.K, 5}).shape(grads, {dims.K, dims.PH, dims.PW, dims.C});
  check.shape(grads_image, {dims.N, dims.H, dims.W, dims.C});
  if (maximum) {
    for (const Tensor* tensor : {&argmax_x, &argmax_y}) {
      check.shape(*tensor, {dims.K, dims.PH, dims.PW, dims.C});
    }
  }
  auto all = check.tensors(grads, boxes, grads_image);
  all.contiguous();
  if (maximum) argmax.contiguous();
  all.size_limits();
  if (maximum) argmax.size_limits();
  if (!check.running()) return;
  const bool no_bins = grads.desc->empty();
  if (no_bins) {
    check.done_if_empty(grads_image);
  } else {
    check.tensors(grads_image).not_empty();
  }
  if (maximum) {
    check.no_overlap({grads, boxes, argmax_x, argmax_y}, {grads_image});
  } else {
    check.no_overlap({grads, boxes}, {grads_image});
  }
  if (!no_bins && check.running()) {
    check_images(check, boxes, dims.N.value(), grads_image.name);
  }
  if (check.running()) fill(call, dims, problem);
}

}  // namespace mluop::roi_align
