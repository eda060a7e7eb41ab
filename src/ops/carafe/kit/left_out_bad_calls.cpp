// Calls of CARAFE backward without a gradient that must fail: half of one missing, both missing, or any on the card.
#include <string>

#include "ops/carafe/kit/spoilable_call.hpp"

namespace mluop::carafe::checks {
namespace {

void leave_out_both(Args& args) {
  args.leave_out(&Args::grad_input);
  args.leave_out(&Args::grad_mask);
}

class LeftOutGradients : public BadCalls {
 public:
  LeftOutGradients() : BadCalls(true) {}

  void without_limits();
  void on_the_card();

 private:
  /// `gradient` without its descriptor and without its data, with or without `other`.
  void add_halves(const std::string& name, TensorArgument Args::*gradient,
                  TensorArgument Args::*other);
};

void LeftOutGradients::add_halves(const std::string& name, TensorArgument Args::*gradient,
                                  TensorArgument Args::*other) {
  for (const bool alone : {false, true}) {
    const std::string row = name + (alone ? ", the other left out" : "");
    table.add("descriptor of " + row, BAD_PARAM,
              name + "_desc must not be null unless " + name + " is null, too", [=](Args& args) {
                if (alone) args.leave_out(other);
                (args.*gradient).has_desc = false;
              });
    table.add("data of " + row, BAD_PARAM,
              name + " must not be null unless " + name + "_desc is null, too", [=](Args& args) {
                if (alone) args.leave_out(other);
                (args.*gradient).has_data = false;
              });
  }
}

void LeftOutGradients::without_limits() {
  table.add("both gradients", BAD_PARAM, "grad_input_desc and grad_mask_desc must not both be null",
            leave_out_both);
  add_halves("grad_input", &Args::grad_input, &Args::grad_mask);
  add_halves("grad_mask", &Args::grad_mask, &Args::grad_input);
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void LeftOutGradients::on_the_card() {
  table.add("grad_input", BAD_PARAM, "grad_input_desc must not be null",
            [](Args& args) { args.leave_out(&Args::grad_input); });
  table.add("grad_mask", BAD_PARAM, "grad_mask_desc must not be null",
            [](Args& args) { args.leave_out(&Args::grad_mask); });
  table.add("both gradients", BAD_PARAM, "grad_input_desc must not be null", leave_out_both);
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

}  // namespace

void try_left_out_gradients() {
  LeftOutGradients{}.without_limits();
  LeftOutGradients{}.on_the_card();
}

}  // namespace mluop::carafe::checks
