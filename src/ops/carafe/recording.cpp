// Checked CARAFE calls as test cases.
#include "ops/carafe/recording.hpp"

#include "ops/carafe/descriptor.hpp"

namespace mluop::carafe {
namespace {

using recorder::Bounds;
using recorder::Description;
using recorder::Need;

constexpr Bounds input_bounds{-5.3, 5.1}, mask_bounds{0, 1}, gradient_bounds{-1.8, 1.7};

std::vector<recorder::Parameter> parameters_of(const mluOpCarafeStruct& carafe) {
  return {{"dimnb", text_of(carafe.dimNb)},
          {"kernel_size", text_of(carafe.kernel_size)},
          {"group_size", text_of(carafe.group_size)},
          {"scale_factor", text_of(carafe.scale_factor)}};
}

}  // namespace

Description description_of(const ForwardArguments& call) {
  return {.op = "carafe_forward",
          .inputs = {{call.input, Need::nothing, input_bounds},
                     {call.mask, Need::nothing, mask_bounds}},
          .outputs = {call.output},
          .parameters_name = "carafe_param",
          .parameters = parameters_of(*call.carafe)};
}

Description description_of(const BackwardArguments& call) {
  return {.op = "carafe_backward",
          .inputs = {{call.input, Need::nothing, input_bounds},
                     {call.mask, Need::nothing, mask_bounds},
                     {call.grad_output, Need::nothing, gradient_bounds}},
          .outputs = {call.grad_input, call.grad_mask},
          .parameters_name = "carafe_param",
          .parameters = parameters_of(*call.carafe)};
}

}  // namespace mluop::carafe
