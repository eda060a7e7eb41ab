// The checks of both directions, in the order the contract gives.
#include "ops/carafe/descriptor.hpp"
#include "ops/carafe/problem.hpp"

namespace mluop::carafe {
namespace {

/// Sizes that recur; Ho and Wo are those of the mask.
struct Dims {
  Dim N{"N"}, H{"H"}, W{"W"}, C{"C"}, Ho{"Ho"}, Wo{"Wo"};
};

Problem problem_of(const mluOpCarafeStruct& carafe, const Dims& dims, const Tensor& input,
                   const Tensor& mask) {
  Problem problem{};
  problem.N = dims.N.value();
  problem.H = dims.H.value();
  problem.W = dims.W.value();
  problem.C = dims.C.value();
  problem.k = carafe.kernel_size;
  problem.G = carafe.group_size;
  problem.s = carafe.scale_factor;
  problem.dtype = input.desc->dtype;
  problem.input = input.data;
  problem.mask = mask.data;
  return problem;
}

void check_forward_shapes(Check& check, const ForwardArguments& call, Dims& dims) {
  const int k = call.carafe->kernel_size, G = call.carafe->group_size;
  const int s = call.carafe->scale_factor;
  auto& [N, H, W, C, Ho, Wo] = dims;
  check.shape(call.input, {N, H, W, C}).dim(call.mask, 0, N).dim(call.output, 0, N);
  check.dim(call.mask, 1, s * Size{H}).dim(call.mask, 2, s * Size{W});
  check.dim(call.mask, 1, Ho).dim(call.mask, 2, Wo);
  check.dim(call.output, 1, Ho).dim(call.output, 2, Wo);
  check.require("input dim 3", C, multiple_of(G)).dim(call.output, 3, C);
  check.dim(call.mask, 3, Size{G} * k * k);
}

void check_backward_shapes(Check& check, const BackwardArguments& call, Dims& dims) {
  const int k = call.carafe->kernel_size, G = call.carafe->group_size;
  const int s = call.carafe->scale_factor;
  auto& [N, H, W, C, Ho, Wo] = dims;
  check.shape(call.input, {N, H, W, C}).dim(call.mask, 0, N);
  check.dim(call.grad_output, 0, N).dim(call.grad_input, 0, N).dim(call.grad_mask, 0, N);
  check.dim(call.grad_input, 1, H).dim(call.grad_input, 2, W);
  check.dim(call.mask, 1, Ho).dim(call.mask, 2, Wo);
  check.dim(call.grad_mask, 1, Ho).dim(call.grad_mask, 2, Wo);
  check.dim(call.grad_output, 1, Ho).dim(call.grad_output, 2, Wo);
  check.dim(call.grad_output, 1, s * Size{H}).dim(call.grad_output, 2, s * Size{W});
  check.require("input dim 3", C, multiple_of(G));
  check.dim(call.grad_input, 3, C).dim(call.grad_output, 3, C);
  check.dim(call.mask, 3, Size{G} * k * k).dim(call.grad_mask, 3, Size{G} * k * k);
}

/// Unless the card's limits apply, the caller may leave out one of the gradients.
bool left_out(const Check& check, const Tensor& gradient) {
  return !check.card_limits() && gradient.desc == nullptr && gradient.data == nullptr;
}

/// The call to check. A gradient that is left out is replaced by the tensor it belongs to, which meets every rule for
/// the gradient once it has met its own.
BackwardArguments with_stand_ins(Check& check, BackwardArguments call) {
  const bool no_input = left_out(check, call.grad_input), no_mask = left_out(check, call.grad_mask);
  if (no_input && no_mask) {
    check.fail(MLUOP_STATUS_BAD_PARAM, std::string(call.grad_input.name) + "_desc and " +
                                           call.grad_mask.name + "_desc must not both be null");
  }
  if (no_input) call.grad_input = call.input;
  if (no_mask) call.grad_mask = call.mask;
  return call;
}

/// The descriptor of a gradient ("_desc") or its data (""); `other` is the other one.
void require_part(Check& check, const Tensor& gradient, const void* pointer, const char* part,
                  const char* other) {
  if (pointer != nullptr || !check.running()) return;
  const std::string name = gradient.name;
  const std::string unless = " unless " + name + other + " is null, too";
  check.fail(MLUOP_STATUS_BAD_PARAM,
             name + part + " must not be null" + (check.card_limits() ? "" : unless));
}

}  // namespace

void check_forward(Check& check, const ForwardArguments& call, Problem& problem) {
  Dims dims;
  check.present("carafe_desc", call.carafe);
  auto all = check.tensors(call.input, call.mask, call.output);
  all.present();
  if (!check.running()) return;
  const mluOpCarafeStruct& carafe = *call.carafe;
  check.require("dimNb", carafe.dimNb, equal_to(4))
      .require("kernel_size", carafe.kernel_size, at_least(1))
      .require("kernel_size", carafe.kernel_size, odd())
      .require("group_size", carafe.group_size, at_least(1))
      .require("scale_factor", carafe.scale_factor, at_least(1))
      .on_card("kernel_size", carafe.kernel_size, at_most(45))
      .on_card("scale_factor", carafe.scale_factor, at_most(5));
  all.rank(4).layout(MLUOP_LAYOUT_NHWC).contiguous(MLUOP_STATUS_BAD_PARAM);
  check.tensors(call.input).dtype(floating);
  all.same_dtype();
  check_forward_shapes(check, call, dims);
  check.done_if_empty(call.input, call.mask, call.output);
  all.data_present().size_limits();
  check.no_overlap({call.input, call.mask}, {call.output});
  if (!check.running()) return;
  problem = problem_of(carafe, dims, call.input, call.mask);
  problem.output = const_cast<void*>(call.output.data);
}

void check_backward(Check& check, const BackwardArguments& given, Problem& problem) {
  Dims dims;
  check.present("carafe_desc", given.carafe);
  check.tensors(given.input, given.mask, given.grad_output).present();
  const BackwardArguments call = with_stand_ins(check, given);
  require_part(check, call.grad_input, call.grad_input.desc, "_desc", "");
  require_part(check, call.grad_mask, call.grad_mask.desc, "_desc", "");
  auto all =
      check.tensors(call.input, call.mask, call.grad_output, call.grad_input, call.grad_mask);
  if (!check.running()) return;
  const mluOpCarafeStruct& carafe = *call.carafe;
  // Once set, a descriptor is valid; this finds one that never was.
  check.require("dimNb", carafe.dimNb, equal_to(4));
  all.rank(4).layout(MLUOP_LAYOUT_NHWC);
  check_backward_shapes(check, call, dims);
  check.tensors(call.input).dtype(floating);
  all.same_dtype().contiguous();
  check.done_if_empty(call.input, call.mask, call.grad_output, call.grad_input, call.grad_mask);
  check.tensors(call.input, call.mask, call.grad_output).data_present();
  require_part(check, call.grad_input, call.grad_input.data, "", "_desc");
  require_part(check, call.grad_mask, call.grad_mask.data, "", "_desc");
  check.on_card("kernel_size", carafe.kernel_size, at_most(137));
  all.size_limits();
  check.no_overlap({given.input, given.mask, given.grad_output},
                   {given.grad_input, given.grad_mask});
  if (!check.running()) return;
  problem = problem_of(carafe, dims, call.input, call.mask);
  problem.grad_output = call.grad_output.data;
  problem.grad_input = const_cast<void*>(given.grad_input.data);
  problem.grad_mask = const_cast<void*>(given.grad_mask.data);
}

}  // namespace mluop::carafe
