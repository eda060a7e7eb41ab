// Every bad call of the tables of points in boxes is refused as stated, and which of two faults is reported.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "ops/points_in_boxes/kit/spoilable_call.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::points_in_boxes::checks {
namespace {

class PointsInBoxesChecks : public ::testing::TestWithParam<const Variant*>, protected BadCalls {
 protected:
  PointsInBoxesChecks() : BadCalls(*GetParam()) {}

  void expect_accepted(const char* what, mluOpCpuLimits_t limits, bool written,
                       const std::function<void(Args&)>& change) const {
    SCOPED_TRACE(what);
    Args args(variant);
    args.limits = limits;
    change(args);
    EXPECT_EQ(call(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(args.outputs_untouched(), !written);
  }
};

INSTANTIATE_TEST_SUITE_P(, PointsInBoxesChecks, ::testing::ValuesIn(variants),
                         [](const auto& test) { return test.param->name(); });

TEST_P(PointsInBoxesChecks, TablesAreRefusedAsStated) {
  const auto outcomes = bad_calls(variant);
  EXPECT_GT(outcomes.size(), 80u);
  for (const auto& outcome : outcomes) testing::fail_on(outcome);
}

TEST_P(PointsInBoxesChecks, OrderOfRulesInBothModes) {
  table.add("handle before descriptors", BAD_PARAM, "handle must not be null", [](Args& args) {
    args.points.has_desc = false;
    args.has_handle = false;
  });
  table.add("descriptors before rank", BAD_PARAM, result() + "_desc must not be null",
            [](Args& args) {
              args.result.has_desc = false;
              args.points.dims.pop_back();
            });
  table.add("rank before dtype", BAD_PARAM, result() + " must have", [](Args& args) {
    args.result.dims.push_back(1);
    args.points.dtype = MLUOP_DTYPE_INT32;
  });
  table.add("dtype before layout", BAD_PARAM, result() + " dtype must be INT32", [](Args& args) {
    args.result.dtype = MLUOP_DTYPE_FLOAT;
    args.points.layout = MLUOP_LAYOUT_NHWC;
  });
  table.add("layout before shape", BAD_PARAM, result() + " layout must be ARRAY", [](Args& args) {
    args.result.layout = MLUOP_LAYOUT_NHWC;
    args.points.dims[2] = 4;
  });
  table.add("shape before strides", BAD_PARAM, "boxes dim 2 must be 7", [](Args& args) {
    args.boxes.dims[2] = 6;
    args.points.strides = {16, 3, 1};
  });
  table.add("strides before data", NOT_SUPPORTED, "points must be contiguous", [](Args& args) {
    args.points.strides = {16, 3, 1};
    args.points.has_data = false;
  });
  table.add("points before boxes", BAD_PARAM, "points must not be null", [](Args& args) {
    args.boxes.has_data = args.points.has_data = args.result.has_data = false;
  });
  table.add("data before overlap", BAD_PARAM, "boxes must not be null", [](Args& args) {
    args.boxes.has_data = false;
    args.points.place = args.result_data.data();
  });
  if (variant.flags) {
    table.add("layout before box_major", BAD_PARAM, "flags layout must be ARRAY", [](Args& args) {
      args.result.layout = MLUOP_LAYOUT_NHWC;
      args.box_major = 2;
    });
    table.add("box_major before shape", BAD_PARAM, "box_major must be one of 0, 1", [](Args& args) {
      args.box_major = 2;
      args.points.dims[2] = 4;
    });
  }
  expect_refused_in_both_modes();
}

TEST_P(PointsInBoxesChecks, OrderOfTheCardsRules) {
  table.add("strides before size", NOT_SUPPORTED, "points must be contiguous", [](Args& args) {
    args.sizes(1, 1 << 30, 4);
    args.points.strides = {0, 4, 1};
  });
  table.add("size before data", NOT_SUPPORTED, "points must have fewer than 2147483648 elements",
            [](Args& args) {
              args.sizes(1, 1 << 30, 4);
              args.points.has_data = false;
            });
  if (variant.formula == reference::Formula::points_in_boxes) {
    table.add("data before on-chip memory", BAD_PARAM, "points_indices must not be null",
              [](Args& args) {
                args.sizes(1, 5, 23405);
                args.result.has_data = false;
              });
  }
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

TEST_P(PointsInBoxesChecks, WhatIsNoFault) {
  for (const mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    const auto without_data = [](Args& args) {
      args.points.has_data = args.boxes.has_data = args.result.has_data = false;
    };
    expect_accepted("no points", limits, false, [&](Args& args) {
      args.sizes(2, 0, 4);
      without_data(args);
    });
    expect_accepted("no batch", limits, false, [&](Args& args) {
      args.sizes(0, 5, 4);
      without_data(args);
    });
    expect_accepted("nothing at all", limits, false, [&](Args& args) {
      args.sizes(0, 0, 0);
      without_data(args);
    });
    expect_accepted("strides of an empty tensor", limits, false, [](Args& args) {
      args.sizes(2, 0, 4);
      args.points.strides = {9, 9, 9};
    });
    expect_accepted("strides of dims of size 1", limits, true, [](Args& args) {
      args.sizes(1, 5, 4);
      args.points.strides = {7, 3, 1};
      args.boxes.strides = {-3, 7, 1};
    });
    expect_accepted("points in the memory of boxes", limits, true,
                    [](Args& args) { args.points.place = args.boxes_data.data(); });
  }
  for (const mluOpDataType_t dtype : {MLUOP_DTYPE_HALF, MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_BFLOAT16}) {
    expect_accepted("a dtype the card lacks", MLUOP_CPU_LIMITS_NONE, true,
                    [dtype](Args& args) { args.dtypes(dtype); });
  }
}

/// The card leaves the indices alone, we say that there is no box; neither needs the other data.
TEST_P(PointsInBoxesChecks, NoBoxes) {
  const auto no_boxes = [](Args& args) {
    args.sizes(2, 5, 0);
    args.points.has_data = args.boxes.has_data = false;
  };
  expect_accepted("no boxes on the card", MLUOP_CPU_LIMITS_MLU, false, no_boxes);
  expect_accepted("no boxes", MLUOP_CPU_LIMITS_NONE, !variant.flags, no_boxes);
  if (variant.flags) return;
  Args args(variant);
  no_boxes(args);
  ASSERT_EQ(call(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(args.result_data[i], i < 10 ? -1 : -7) << i;
}

}  // namespace
}  // namespace mluop::points_in_boxes::checks
