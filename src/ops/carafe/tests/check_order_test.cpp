// Which of two faults CARAFE reports, and what is no fault at all.
#include <gtest/gtest.h>

#include <functional>

#include "ops/carafe/kit/bad_calls.hpp"

namespace mluop::carafe::checks {
namespace {

class CarafeCheckOrder : public BadCallsTest {
 protected:
  void overlap(Args& args) const {
    args.input.place = (backward() ? args.grad_mask_data : args.high_data).data();
  }
};

INSTANTIATE_TEST_SUITE_P(, CarafeCheckOrder, ::testing::Bool(), direction_name);

TEST_P(CarafeCheckOrder, OfBothDirections) {
  table.add("handle before descriptors", BAD_PARAM, "handle must not be null",
            [](Args& args) { args.has_handle = args.has_carafe = false; });
  table.add("carafe_desc before tensors", BAD_PARAM, "carafe_desc must not be null",
            [](Args& args) { args.has_carafe = args.input.has_desc = false; });
  table.add("null before values", BAD_PARAM, high() + "_desc must not be null", [](Args& args) {
    args.high.has_desc = false;
    args.carafe.dimNb = 3;
  });
  table.add("values before rank", BAD_PARAM, "dimNb must be 4, got 3", [](Args& args) {
    args.carafe.dimNb = 3;
    args.input.dims.pop_back();
  });
  table.add("rank before layout", BAD_PARAM, high() + " must have 4 dims, got 3", [](Args& args) {
    args.high.dims.pop_back();
    args.input.layout = MLUOP_LAYOUT_NCHW;
  });
  table.add("group before channels of the output", BAD_PARAM,
            "input dim 3 must be a multiple of 3, got 8", [](Args& args) {
              args.carafe.group_size = 3;
              args.high.dims[3] = 7;
            });
  table.add("channels before mask channels", BAD_PARAM, high() + " dim 3 must be C = 8",
            [](Args& args) {
              args.high.dims[3] = 7;
              args.mask.dims[3] = 17;
            });
  table.add("shape before empty", BAD_PARAM, "mask dim 0 must be N = 0",
            [](Args& args) { args.input.dims[0] = 0; });
  table.add("shape before data", BAD_PARAM, "mask dim 3 must be 2 * 3 * 3 = 18", [](Args& args) {
    args.mask.dims[3] = 17;
    args.input.has_data = false;
  });
  table.add("data before overlap", BAD_PARAM, "mask must not be null", [this](Args& args) {
    args.mask.has_data = false;
    overlap(args);
  });
  table.add("empty before overlap", SUCCESS, "", [this](Args& args) {
    args.shape({0, 3, 4, 8, 3, 2, 2});
    overlap(args);
  });
  expect_refused_in_both_modes();
}

/// Layout, strides, dtype, sizes.
TEST_P(CarafeCheckOrder, OfForward) {
  if (backward()) return;
  table.add("kernel_size before group_size", BAD_PARAM, "kernel_size must be odd", [](Args& args) {
    args.carafe.kernel_size = 4;
    args.carafe.group_size = 0;
  });
  table.add("group_size before scale_factor", BAD_PARAM, "group_size must be at least 1",
            [](Args& args) { args.carafe.group_size = args.carafe.scale_factor = 0; });
  table.add("layout before strides", BAD_PARAM, "output layout must be NHWC", [](Args& args) {
    args.high.layout = MLUOP_LAYOUT_NCHW;
    args.input.strides = {96, 32, 8, 2};
  });
  table.add("strides before dtype", BAD_PARAM, "input must be contiguous", [](Args& args) {
    args.input.strides = {96, 32, 8, 2};
    args.dtypes(MLUOP_DTYPE_INT32);
  });
  table.add("dtype before sizes", BAD_PARAM, "output dtype must be that of input", [](Args& args) {
    args.high.dtype = MLUOP_DTYPE_HALF;
    args.mask.dims[0] = 3;
  });
  table.add("N before height", BAD_PARAM, "output dim 0 must be N = 2", [](Args& args) {
    args.high.dims[0] = 3;
    args.mask.dims[1] = 5;
  });
  table.add("mask before output", BAD_PARAM, "mask dim 2 must be 2 * W = 8", [](Args& args) {
    args.mask.dims[2] = 9;
    args.high.dims[1] = 5;
  });
  table.add("height before groups", BAD_PARAM, "output dim 1 must be Ho = 6", [](Args& args) {
    args.high.dims[1] = 5;
    args.carafe.group_size = 3;
  });
  expect_refused_in_both_modes();
}

/// Layout, sizes, dtype, strides.
TEST_P(CarafeCheckOrder, OfBackward) {
  if (!backward()) return;
  table.add("layout before sizes", BAD_PARAM, "grad_mask layout must be NHWC", [](Args& args) {
    args.grad_mask.layout = MLUOP_LAYOUT_NCHW;
    args.mask.dims[0] = 3;
  });
  table.add("N before grad_input's height", BAD_PARAM, "grad_mask dim 0 must be N = 2",
            [](Args& args) {
              args.grad_mask.dims[0] = 3;
              args.grad_input.dims[1] = 4;
            });
  table.add("grad_input before grad_mask", BAD_PARAM, "grad_input dim 2 must be W = 4",
            [](Args& args) {
              args.grad_input.dims[2] = 3;
              args.grad_mask.dims[1] = 3;
            });
  table.add("grad_mask before grad_output", BAD_PARAM, "grad_mask dim 2 must be Wo = 8",
            [](Args& args) {
              args.grad_mask.dims[2] = 4;
              args.high.dims[1] = 3;
            });
  table.add("scale before groups", BAD_PARAM, "grad_output dim 1 must be 2 * H = 6",
            [](Args& args) {
              args.mask.dims[1] = args.high.dims[1] = args.grad_mask.dims[1] = 9;
              args.carafe.group_size = 3;
            });
  table.add("channels before dtype", BAD_PARAM, "grad_mask dim 3 must be 2 * 3 * 3 = 18",
            [](Args& args) {
              args.grad_mask.dims[3] = 9;
              args.dtypes(MLUOP_DTYPE_INT32);
            });
  table.add("dtype before strides", BAD_PARAM, "grad_mask dtype must be that of input",
            [](Args& args) {
              args.grad_mask.dtype = MLUOP_DTYPE_HALF;
              args.input.strides = {96, 32, 8, 2};
            });
  table.add("strides before data", NOT_SUPPORTED, "input must be contiguous", [](Args& args) {
    args.input.strides = {96, 32, 8, 2};
    args.mask.has_data = false;
  });
  expect_refused_in_both_modes();
}

/// Which faults come before the gradients' own, and which after.
TEST_P(CarafeCheckOrder, WithoutGradients) {
  if (!backward()) return;
  const auto leave_out_both = [](Args& args) {
    args.leave_out(&Args::grad_input), args.leave_out(&Args::grad_mask);
  };
  table.add("descriptors of inputs first", BAD_PARAM, "grad_output_desc must not be null",
            [=](Args& args) { leave_out_both(args), args.high.has_desc = false; });
  table.add("half of one is not left out", BAD_PARAM, "grad_mask_desc must not be null unless",
            [=](Args& args) { leave_out_both(args), args.grad_mask.has_data = true; });
  table.add("both before values", BAD_PARAM, "must not both be null",
            [=](Args& args) { leave_out_both(args), args.carafe.dimNb = 3; });
  table.add("both before empty", BAD_PARAM, "must not both be null", [=](Args& args) {
    args.shape({0, 3, 4, 8, 3, 2, 2});
    leave_out_both(args);
  });
  table.add("rank of grad_input before layout", BAD_PARAM, "grad_input must have 4 dims, got 3",
            [](Args& args) {
              args.leave_out(&Args::grad_mask);
              args.grad_input.dims.pop_back();
              args.mask.layout = MLUOP_LAYOUT_NCHW;
            });
  table.add("grad_input before heights", BAD_PARAM, "grad_input dim 1 must be H = 3",
            [](Args& args) {
              args.leave_out(&Args::grad_mask);
              args.grad_input.dims[1] = 4;
              args.high.dims[1] = 3;
            });
  table.add("mask before grad_mask", BAD_PARAM, "mask dim 3 must be 2 * 3 * 3 = 18, got 17",
            [](Args& args) {
              args.leave_out(&Args::grad_input);
              args.mask.dims[3] = 17;
              args.grad_mask.dims[3] = 9;
            });
  table.add("data of inputs before that of grad_mask", BAD_PARAM, "mask must not be null",
            [](Args& args) {
              args.leave_out(&Args::grad_input);
              args.mask.has_data = args.grad_mask.has_data = false;
            });
  table.add("data before overlap", BAD_PARAM, "grad_mask must not be null unless", [](Args& args) {
    args.leave_out(&Args::grad_input);
    args.grad_mask.has_data = false;
    args.mask.place = args.input_data.data();
  });
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

TEST_P(CarafeCheckOrder, OfTheCard) {
  if (backward()) {
    table.add("data before kernel_size", BAD_PARAM, "grad_mask must not be null", [](Args& args) {
      args.shape({1, 1, 1, 2, 139, 1, 1});
      args.grad_mask.has_data = false;
    });
    table.add("kernel_size before size", NOT_SUPPORTED, "kernel_size must be at most 137",
              [](Args& args) {
                args.shape({1, 1 << 9, 1 << 9, 1, 139, 1, 1});
              });
    table.add("empty before kernel_size", SUCCESS, "", [](Args& args) {
      args.shape({0, 1, 1, 2, 139, 1, 1});
    });
  } else {
    table.add("kernel_size before scale_factor", NOT_SUPPORTED, "kernel_size must be at most 45",
              [](Args& args) {
                args.carafe = {4, 47, 2, 6};
              });
    table.add("limits before rank", NOT_SUPPORTED, "scale_factor must be at most 5",
              [](Args& args) {
                args.carafe.scale_factor = 6;
                args.input.dims.pop_back();
              });
  }
  table.add("data before size", BAD_PARAM, "mask must not be null", [](Args& args) {
    args.shape({1, 1, 1 << 21, 1 << 10, 1, 1, 1});
    args.mask.has_data = false;
  });
  table.add("size before overlap", NOT_SUPPORTED, "input must have fewer than", [this](Args& args) {
    args.shape({1, 1, 1 << 21, 1 << 10, 1, 1, 1});
    overlap(args);
  });
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

class CarafeGoodCalls : public BadCallsTest {
 protected:
  void expect_accepted(const char* what, mluOpCpuLimits_t limits,
                       const std::function<void(Args&)>& change) const {
    SCOPED_TRACE(what);
    Args args;
    args.limits = limits;
    args.backward = backward();
    change(args);
    EXPECT_EQ(call(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_FALSE(args.outputs_untouched());
  }
};

INSTANTIATE_TEST_SUITE_P(, CarafeGoodCalls, ::testing::Bool(), direction_name);

TEST_P(CarafeGoodCalls, InBothModes) {
  for (mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    expect_accepted("HALF", limits, [](Args& args) { args.dtypes(MLUOP_DTYPE_HALF); });
    expect_accepted("dense strides", limits, [](Args& args) {
      args.input.strides = {96, 32, 8, 1};
    });
    expect_accepted("strides of dims of size 1 do not matter", limits, [](Args& args) {
      args.shape({1, 3, 1, 8, 3, 2, 1});
      for (const auto& [name, tensor] : Args::tensors(true)) {
        const std::int64_t last = (args.*tensor).dims[3];
        (args.*tensor).strides = {7, last, 0, 1};
      }
    });
    expect_accepted("the largest window and scale of the card", limits, [](Args& args) {
      args.shape({1, 1, 1, 8, 3, 2, 5});
    });
  }
}

TEST_P(CarafeGoodCalls, NeedOneGradientOnly) {
  if (!backward()) return;
  for (const auto tensor : {&Args::grad_input, &Args::grad_mask}) {
    expect_accepted("one of two", MLUOP_CPU_LIMITS_NONE,
                    [tensor](Args& args) { args.leave_out(tensor); });
    expect_accepted(
        "whatever else lies where it would be", MLUOP_CPU_LIMITS_NONE, [tensor](Args& args) {
          auto& own = tensor == &Args::grad_input ? args.grad_input_data : args.grad_mask_data;
          args.leave_out(tensor);
          args.input.place = own.data();
        });
  }
}

TEST_P(CarafeGoodCalls, BeyondTheCard) {
  for (mluOpDataType_t dtype : {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_BFLOAT16}) {
    expect_accepted("a dtype the card lacks", MLUOP_CPU_LIMITS_NONE,
                    [dtype](Args& args) { args.dtypes(dtype); });
  }
  expect_accepted("scale 7", MLUOP_CPU_LIMITS_NONE, [](Args& args) {
    args.shape({1, 1, 1, 4, 3, 2, 7});
  });
}

}  // namespace
}  // namespace mluop::carafe::checks
