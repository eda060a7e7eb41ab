// What CARAFE refuses, with which status and sentence.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "ops/carafe/kit/spoilable_call.hpp"
#include "testing/faults/scoped_environment.hpp"

namespace mluop::carafe::checks {
namespace {

const std::string card_suffix = " (a limit of the card, in force on this handle)";

class CarafeBadCalls : public BadCalls {
 public:
  using BadCalls::BadCalls;

  void null();
  void descriptor_that_was_never_set();
  void parameters();
  void rank();
  void layout();
  void strides();
  void dtype();
  void sizes_of_both_directions();
  void sizes_of_forward();
  void sizes_of_backward();
  void sizes_of_gradients();
  void negative_and_immense_sizes();
  void empty_is_no_fault();
  void limits_of_the_card();
  void without_limits_the_check_accepts_large_tensors();
  void card_may_limit_each_dim_instead();
  void overlaps();
};

void CarafeBadCalls::null() {
  table.add("handle", BAD_PARAM, "handle must not be null",
            [](Args& args) { args.has_handle = false; });
  table.add("carafe_desc", BAD_PARAM, "carafe_desc must not be null",
            [](Args& args) { args.has_carafe = false; });
  table.add_missing(tensors());
  expect_refused_in_both_modes();
}

void CarafeBadCalls::descriptor_that_was_never_set() {
  table.add("unset", BAD_PARAM, "dimNb must be 4, got 0", [](Args& args) { args.carafe = {}; });
  expect_refused_in_both_modes();
}

/// Only forward checks these again.
void CarafeBadCalls::parameters() {
  if (backward()) return;
  table.add("k 0", BAD_PARAM, "kernel_size must be at least 1, got 0",
            [](Args& args) { args.carafe.kernel_size = 0; });
  table.add("k 2", BAD_PARAM, "kernel_size must be odd, got 2",
            [](Args& args) { args.carafe.kernel_size = 2; });
  table.add("G 0", BAD_PARAM, "group_size must be at least 1, got 0",
            [](Args& args) { args.carafe.group_size = 0; });
  table.add("s 0", BAD_PARAM, "scale_factor must be at least 1, got 0",
            [](Args& args) { args.carafe.scale_factor = 0; });
  expect_refused_in_both_modes();
}

void CarafeBadCalls::rank() {
  for (const auto& [name, tensor] : tensors()) table.add_wrong_ranks(name, tensor, 4);
  expect_refused_in_both_modes();
}

void CarafeBadCalls::layout() {
  for (const auto& [name, tensor] : tensors()) {
    for (const auto& [layout, word] :
         {std::pair{MLUOP_LAYOUT_NCHW, "NCHW"}, std::pair{MLUOP_LAYOUT_ARRAY, "ARRAY"}}) {
      table.add(name + ' ' + word, BAD_PARAM, name + " layout must be NHWC, got " + word,
                [tensor = tensor, layout = layout](Args& args) { (args.*tensor).layout = layout; });
    }
  }
  expect_refused_in_both_modes();
}

void CarafeBadCalls::strides() {
  // The same fault, with another status in each direction.
  const mluOpStatus_t status = backward() ? NOT_SUPPORTED : BAD_PARAM;
  for (const auto& [name, tensor] : tensors()) {
    table.add_strided(name, tensor, "with padded images", status,
                      [](auto& strides) { strides[0] += 1; });
    table.add_strided(name, tensor, "with padded pixels", status,
                      [](auto& strides) { strides[2] += 1; });
    table.add_strided(name, tensor, "with spaced channels", status,
                      [](auto& strides) { strides[3] = 2; });
    table.add_strided(name, tensor, "broadcast", status, [](auto& strides) { strides[0] = 0; });
  }
  expect_refused_in_both_modes();
}

void CarafeBadCalls::dtype() {
  table.add("INT32", BAD_PARAM, "input dtype must be HALF",
            [](Args& args) { args.dtypes(MLUOP_DTYPE_INT32); });
  table.add("complex", BAD_PARAM, "got COMPLEX_FLOAT",
            [](Args& args) { args.dtypes(MLUOP_DTYPE_COMPLEX_FLOAT); });
  for (const auto& [name, tensor] : tensors()) {
    if (name == "input") continue;
    table.add(name, BAD_PARAM, name + " dtype must be that of input (FLOAT), got HALF",
              [tensor = tensor](Args& args) { (args.*tensor).dtype = MLUOP_DTYPE_HALF; });
  }
  expect_refused_in_both_modes();
}

void CarafeBadCalls::sizes_of_both_directions() {
  for (const auto& [name, tensor] : tensors()) {
    if (name == "input") continue;
    table.add(name + " N", BAD_PARAM, name + " dim 0 must be N = 2 (input dim 0), got 3",
              [tensor = tensor](Args& args) { (args.*tensor).dims[0] = 3; });
  }
  table.add("channels that groups do not divide", BAD_PARAM,
            "input dim 3 must be a multiple of 3, got 8",
            [](Args& args) { args.carafe.group_size = 3; });
  table.add(high() + " C", BAD_PARAM, high() + " dim 3 must be C = 8 (input dim 3), got 7",
            [](Args& args) { args.high.dims[3] = 7; });
  table.add("mask C", BAD_PARAM, "mask dim 3 must be 2 * 3 * 3 = 18, got 17",
            [](Args& args) { args.mask.dims[3] = 17; });
  expect_refused_in_both_modes();
}

void CarafeBadCalls::sizes_of_forward() {
  if (backward()) return;
  table.add("mask H", BAD_PARAM, "mask dim 1 must be 2 * H = 6, got 5",
            [](Args& args) { args.mask.dims[1] = 5; });
  table.add("mask W", BAD_PARAM, "mask dim 2 must be 2 * W = 8, got 9",
            [](Args& args) { args.mask.dims[2] = 9; });
  table.add("output H", BAD_PARAM, "output dim 1 must be Ho = 6 (mask dim 1), got 3",
            [](Args& args) { args.high.dims[1] = 3; });
  table.add("output W", BAD_PARAM, "output dim 2 must be Wo = 8 (mask dim 2), got 4",
            [](Args& args) { args.high.dims[2] = 4; });
  expect_refused_in_both_modes();
}

void CarafeBadCalls::sizes_of_backward() {
  if (!backward()) return;
  table.add("grad_output H", BAD_PARAM, "grad_output dim 1 must be Ho = 6 (mask dim 1), got 3",
            [](Args& args) { args.high.dims[1] = 3; });
  table.add("grad_output W", BAD_PARAM, "grad_output dim 2 must be Wo = 8 (mask dim 2), got 4",
            [](Args& args) { args.high.dims[2] = 4; });
  table.add("all high maps too high", BAD_PARAM, "grad_output dim 1 must be 2 * H = 6, got 9",
            [](Args& args) { args.mask.dims[1] = args.high.dims[1] = args.grad_mask.dims[1] = 9; });
  table.add(
      "all high maps too wide", BAD_PARAM, "grad_output dim 2 must be 2 * W = 8, got 12",
      [](Args& args) { args.mask.dims[2] = args.high.dims[2] = args.grad_mask.dims[2] = 12; });
  expect_refused_in_both_modes();
}

void CarafeBadCalls::sizes_of_gradients() {
  if (backward() && has(&Args::grad_input)) {
    table.add("grad_input H", BAD_PARAM, "grad_input dim 1 must be H = 3 (input dim 1), got 4",
              [](Args& args) { args.grad_input.dims[1] = 4; });
    table.add("grad_input W", BAD_PARAM, "grad_input dim 2 must be W = 4 (input dim 2), got 3",
              [](Args& args) { args.grad_input.dims[2] = 3; });
    table.add("grad_input C", BAD_PARAM, "grad_input dim 3 must be C = 8 (input dim 3), got 6",
              [](Args& args) { args.grad_input.dims[3] = 6; });
  }
  if (backward() && has(&Args::grad_mask)) {
    table.add("grad_mask H", BAD_PARAM, "grad_mask dim 1 must be Ho = 6 (mask dim 1), got 3",
              [](Args& args) { args.grad_mask.dims[1] = 3; });
    table.add("grad_mask W", BAD_PARAM, "grad_mask dim 2 must be Wo = 8 (mask dim 2), got 4",
              [](Args& args) { args.grad_mask.dims[2] = 4; });
    table.add("grad_mask C", BAD_PARAM, "grad_mask dim 3 must be 2 * 3 * 3 = 18, got 9",
              [](Args& args) { args.grad_mask.dims[3] = 9; });
  }
  expect_refused_in_both_modes();
}

void CarafeBadCalls::negative_and_immense_sizes() {
  table.add("negative", BAD_PARAM, "input dim 0 must be at least 0, got -2", [](Args& args) {
    args.shape({-2, 3, 4, 8, 3, 2, 2});
  });
  table.add("no address space is this large", BAD_PARAM,
            "input must fit an address space, got dims", [](Args& args) {
              args.shape({1 << 20, 1 << 20, 1 << 20, 8, 3, 2, 2});
            });
  table.add("a mask that overflows", BAD_PARAM, "which overflows", [](Args& args) {
    args.carafe.kernel_size = args.carafe.group_size = 2147483647;
    args.input.dims[3] = args.high.dims[3] = args.grad_input.dims[3] = 2147483647;
  });
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void CarafeBadCalls::empty_is_no_fault() {
  for (int axis = 0; axis < 4; ++axis) {
    table.add("dim " + std::to_string(axis) + " is 0", SUCCESS, "", [axis](Args& args) {
      reference::Shape shape{2, 3, 4, 8, 3, 2, 2};
      (axis == 0 ? shape.N : axis == 1 ? shape.H : axis == 2 ? shape.W : shape.C) = 0;
      args.shape(shape);
    });
  }
  table.add("without data", SUCCESS, "", [](Args& args) {
    args.shape({0, 3, 4, 8, 3, 2, 2});
    for (const auto& [name, tensor] : Args::tensors(true)) (args.*tensor).has_data = false;
  });
  table.add("with odd strides", SUCCESS, "", [](Args& args) {
    args.shape({0, 3, 4, 8, 3, 2, 2});
    args.input.strides = {9, 9, 9, 9};
  });
  expect_refused_in_both_modes();
}

void CarafeBadCalls::limits_of_the_card() {
  const std::string large = " must have fewer than 2147483648 elements, got ";
  table.add("2^31 inputs", NOT_SUPPORTED, "input" + large + "2147483648" + card_suffix,
            [](Args& args) {
              args.shape({1, 1, 1 << 21, 1 << 10, 1, 1, 1});
            });
  table.add("2^31 weights", NOT_SUPPORTED, "mask" + large + "2415919104" + card_suffix,
            [](Args& args) {
              args.shape({1, 1 << 14, 1 << 14, 1, 3, 1, 1});
            });
  table.add("2^31 outputs", NOT_SUPPORTED, high() + large + "4294967296" + card_suffix,
            [](Args& args) {
              args.shape({1, 1 << 10, 1 << 10, 1 << 10, 1, 1, 2});
            });
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_DOUBLE, "DOUBLE"}, std::pair{MLUOP_DTYPE_BFLOAT16, "BFLOAT16"}}) {
    table.add(name, BAD_PARAM,
              std::string("input dtype must be HALF or FLOAT, got ") + name + card_suffix,
              [dtype = dtype](Args& args) { args.dtypes(dtype); });
  }
  if (backward()) {
    table.add("k 139", NOT_SUPPORTED, "kernel_size must be at most 137, got 139" + card_suffix,
              [](Args& args) {
                args.shape({1, 1, 1, 2, 139, 1, 1});
              });
  } else {
    table.add("k 47", NOT_SUPPORTED, "kernel_size must be at most 45, got 47" + card_suffix,
              [](Args& args) {
                args.shape({1, 1, 1, 2, 47, 1, 1});
              });
    table.add("s 6", NOT_SUPPORTED, "scale_factor must be at most 5, got 6" + card_suffix,
              [](Args& args) {
                args.shape({1, 1, 1, 2, 3, 1, 6});
              });
  }
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void CarafeBadCalls::without_limits_the_check_accepts_large_tensors() {
  for (const auto& [name, shape] :
       {std::pair{"2^31 inputs", reference::Shape{1, 1, 1 << 21, 1 << 10, 1, 1, 1}},
        std::pair{"2^31 weights", reference::Shape{1, 1 << 14, 1 << 14, 1, 3, 1, 1}}}) {
    table.add(name, BAD_PARAM, "input must not be null", [shape = shape](Args& args) {
      args.shape(shape);
      args.input.has_data = false;
    });
  }
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void CarafeBadCalls::card_may_limit_each_dim_instead() {
  // Every row creates its own handle, and a handle reads the variable when it is created.
  const testing::ScopedEnvironment check_dim_size{"MLUOP_CHECK_DIM_SIZE", "1"};
  table.add("2^31 channels", NOT_SUPPORTED,
            "input dim 3 must be less than 2147483648, got 2147483648", [](Args& args) {
              args.shape({1, 1, 1, std::int64_t{1} << 31, 1, 1, 1});
            });
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

/// A gradient that is left out overlaps nothing; the other tensors are checked as usual.
void CarafeBadCalls::overlaps() {
  for (mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    if (!complete() && limits == MLUOP_CPU_LIMITS_MLU) continue;
    testing::expect_overlaps_refused(function(), mode_of(limits), [&] {
      const auto args = std::make_shared<Args>(valid_call(limits));
      return testing::PlaceableCall{args->memory(), [args] { return call(*args); }};
    });
  }
}

}  // namespace

std::vector<testing::BadCallOutcome> bad_calls(bool backward) {
  std::vector<TensorArgument Args::*> left_out{nullptr};
  if (backward) left_out.insert(left_out.end(), {&Args::grad_input, &Args::grad_mask});
  return testing::outcomes_of([&] {
    for (const auto rows :
         {&CarafeBadCalls::null, &CarafeBadCalls::descriptor_that_was_never_set,
          &CarafeBadCalls::parameters, &CarafeBadCalls::rank, &CarafeBadCalls::layout,
          &CarafeBadCalls::strides, &CarafeBadCalls::dtype,
          &CarafeBadCalls::sizes_of_both_directions, &CarafeBadCalls::sizes_of_forward,
          &CarafeBadCalls::sizes_of_backward, &CarafeBadCalls::sizes_of_gradients,
          &CarafeBadCalls::negative_and_immense_sizes, &CarafeBadCalls::empty_is_no_fault,
          &CarafeBadCalls::limits_of_the_card,
          &CarafeBadCalls::without_limits_the_check_accepts_large_tensors,
          &CarafeBadCalls::card_may_limit_each_dim_instead, &CarafeBadCalls::overlaps}) {
      for (const auto tensor : left_out) {
        CarafeBadCalls calls(backward, tensor);
        (calls.*rows)();
      }
    }
    if (backward) try_left_out_gradients();
  });
}

}  // namespace mluop::carafe::checks
