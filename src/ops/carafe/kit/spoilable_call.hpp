// Calls of CARAFE that rows of a table can spoil.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/carafe/descriptor.hpp"
#include "ops/carafe/kit/calls.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/bad_calls.hpp"
#include "testing/suite/tensor_argument.hpp"

namespace mluop::carafe::checks {

inline constexpr mluOpStatus_t BAD_PARAM = MLUOP_STATUS_BAD_PARAM;
inline constexpr mluOpStatus_t NOT_SUPPORTED = MLUOP_STATUS_NOT_SUPPORTED;
inline constexpr mluOpStatus_t SUCCESS = MLUOP_STATUS_SUCCESS;

using testing::TensorArgument;

/// A valid call until a row spoils it: k 3, G 2, s 2. Forward takes input, mask and output; backward
/// input, mask, grad_output, grad_input and grad_mask.
struct Args {
  TensorArgument input{{2, 3, 4, 8}, MLUOP_LAYOUT_NHWC};
  TensorArgument mask{{2, 6, 8, 18}, MLUOP_LAYOUT_NHWC};
  TensorArgument high{{2, 6, 8, 8}, MLUOP_LAYOUT_NHWC};  // output, grad_output
  TensorArgument grad_input{{2, 3, 4, 8}, MLUOP_LAYOUT_NHWC};
  TensorArgument grad_mask{{2, 6, 8, 18}, MLUOP_LAYOUT_NHWC};
  /// Written without mluOpSetCarafeDescriptor, which would refuse some values.
  mluOpCarafeStruct carafe{4, 3, 2, 2};
  bool has_carafe = true, has_handle = true, backward = false;
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;

  // The data fit the valid call in any dtype; a larger tensor must be refused before they are read.
  static constexpr double untouched = -7.0;
  std::vector<double> input_data = std::vector<double>(192, 1.0);
  std::vector<double> mask_data = std::vector<double>(1728, 1.0);
  std::vector<double> high_data = std::vector<double>(768, untouched);
  std::vector<double> grad_input_data = std::vector<double>(192, untouched);
  std::vector<double> grad_mask_data = std::vector<double>(1728, untouched);

  bool outputs_untouched() const {
    if (!backward) return high_data == std::vector<double>(768, untouched);
    return grad_input_data == std::vector<double>(192, untouched) &&
           grad_mask_data == std::vector<double>(1728, untouched);
  }

  /// Every tensor of this call, by its name in messages and in the order of the arguments.
  struct Named {
    std::string name;
    TensorArgument Args::*tensor;
  };
  static std::vector<Named> tensors(bool backward) {
    if (!backward) return {{"input", &Args::input}, {"mask", &Args::mask}, {"output", &Args::high}};
    return {{"input", &Args::input},
            {"mask", &Args::mask},
            {"grad_output", &Args::high},
            {"grad_input", &Args::grad_input},
            {"grad_mask", &Args::grad_mask}};
  }

  void dtypes(mluOpDataType_t dtype) {
    for (const Named& named : tensors(true)) (this->*named.tensor).dtype = dtype;
  }
  void leave_out(TensorArgument Args::*tensor) {
    (this->*tensor).has_desc = (this->*tensor).has_data = false;
  }
  std::vector<testing::PlaceableMemory> memory() {
    using Role = testing::PlaceableMemory::Role;
    std::vector<testing::PlaceableMemory> all;
    for (const auto& [name, tensor] : tensors(backward)) {
      const bool read = all.size() < (backward ? 3 : 2);
      if (!(this->*tensor).has_desc) continue;
      all.push_back((this->*tensor).memory(name, read ? Role::input : Role::output));
    }
    return all;
  }
  /// Consistent shapes for another problem.
  void shape(const reference::Shape& s) {
    input.dims = grad_input.dims = {s.N, s.H, s.W, s.C};
    high.dims = {s.N, s.s * s.H, s.s * s.W, s.C};
    mask.dims = grad_mask.dims = {s.N, s.s * s.H, s.s * s.W, s.mask_channels()};
    carafe = {4, static_cast<int>(s.k), static_cast<int>(s.G), static_cast<int>(s.s)};
  }
};

inline mluOpStatus_t call(Args& args) {
  testing::Handle handle;
  handle.limits(args.limits);
  const testing::Descriptor input = args.input.make_descriptor();
  const testing::Descriptor mask = args.mask.make_descriptor();
  const testing::Descriptor high = args.high.make_descriptor();
  const testing::Descriptor grad_input = args.grad_input.make_descriptor();
  const testing::Descriptor grad_mask = args.grad_mask.make_descriptor();
  const mluOpHandle_t used = args.has_handle ? handle.get() : nullptr;
  const mluOpCarafeDescriptor_t carafe = args.has_carafe ? &args.carafe : nullptr;
  if (!args.backward) {
    return mluOpCarafeForward(used, carafe, input.get(), args.input.data(args.input_data),
                              mask.get(), args.mask.data(args.mask_data), high.get(),
                              args.high.data(args.high_data));
  }
  return mluOpCarafeBackward(used, carafe, input.get(), args.input.data(args.input_data),
                             mask.get(), args.mask.data(args.mask_data), high.get(),
                             args.high.data(args.high_data), grad_input.get(),
                             args.grad_input.data(args.grad_input_data), grad_mask.get(),
                             args.grad_mask.data(args.grad_mask_data));
}

/// Rows under construction for one direction, or for backward without one of its gradients.
class BadCalls {
 public:
  explicit BadCalls(bool backward, TensorArgument Args::*left_out = nullptr)
      : backward_(backward), left_out_(left_out) {}

 protected:
  bool backward() const { return backward_; }
  const char* function() const { return backward() ? "mluOpCarafeBackward" : "mluOpCarafeForward"; }
  /// Those that the valid call has.
  std::vector<Args::Named> tensors() const {
    std::vector<Args::Named> given = Args::tensors(backward());
    std::erase_if(given, [this](const Args::Named& named) { return named.tensor == left_out_; });
    return given;
  }
  bool has(TensorArgument Args::*tensor) const { return tensor != left_out_; }
  bool complete() const { return left_out_ == nullptr; }
  std::string high() const { return backward() ? "grad_output" : "output"; }

  Args valid_call(mluOpCpuLimits_t limits) const {
    Args args;
    args.limits = limits;
    args.backward = backward();
    if (!complete()) args.leave_out(left_out_);
    return args;
  }
  /// "without limits, grad_mask left out".
  std::string mode_of(mluOpCpuLimits_t limits) const {
    std::string mode = testing::mode_of(limits);
    if (left_out_ == &Args::grad_input) mode += ", grad_input left out";
    if (left_out_ == &Args::grad_mask) mode += ", grad_mask left out";
    return mode;
  }

  /// On the card nothing may be left out: there are no such rows then.
  void expect_refused(mluOpCpuLimits_t limits) const {
    if (!complete() && limits == MLUOP_CPU_LIMITS_MLU) return;
    const auto make_valid = [this, limits] { return valid_call(limits); };
    table.expect_refused(function(), mode_of(limits), make_valid,
                         [](Args& args) { return call(args); });
  }
  /// The same rows must hold whether or not the card's limits apply.
  void expect_refused_in_both_modes() const {
    expect_refused(MLUOP_CPU_LIMITS_NONE);
    expect_refused(MLUOP_CPU_LIMITS_MLU);
  }

  testing::BadCallTable<Args> table;

 private:
  bool backward_;
  TensorArgument Args::*left_out_;
};

/// Tries every row of the tables.
std::vector<testing::BadCallOutcome> bad_calls(bool backward);
/// Those of them that leave out gradients.
void try_left_out_gradients();

}  // namespace mluop::carafe::checks
