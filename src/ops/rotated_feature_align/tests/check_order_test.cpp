// Which of two faults rotated feature align reports, and what is no fault at all.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "ops/rotated_feature_align/kit/bad_calls.hpp"

namespace mluop::rotated_feature_align::checks {
namespace {

class RotatedFeatureAlignCheckOrder : public BadCallsTest {};

INSTANTIATE_TEST_SUITE_P(, RotatedFeatureAlignCheckOrder,
                         ::testing::Values(&forward_direction, &backward_direction),
                         [](const auto& test) { return test.param->name(); });

TEST_P(RotatedFeatureAlignCheckOrder, RulesOfBothModes) {
  table.add("null before rank", BAD_PARAM, to() + "_desc must not be null", [](Args& args) {
    args.to.has_desc = false;
    args.from.dims.pop_back();
  });
  table.add("handle before descriptors", BAD_PARAM, "handle must not be null", [](Args& args) {
    args.from.has_desc = false;
    args.has_handle = false;
  });
  table.add("rank before dtype", BAD_PARAM, to() + " must have 4 dims, got 3", [](Args& args) {
    args.to.dims.pop_back();
    args.from.dtype = MLUOP_DTYPE_INT32;
  });
  table.add("dtype before layout", BAD_PARAM, to() + " dtype must be that of " + from(),
            [](Args& args) {
              args.to.dtype = MLUOP_DTYPE_HALF;
              args.from.layout = MLUOP_LAYOUT_NCHW;
            });
  table.add("layout before strides", BAD_PARAM, to() + " layout must be NHWC", [](Args& args) {
    args.to.layout = MLUOP_LAYOUT_NCHW;
    args.from.strides = {96, 32, 8, 2};
  });
  table.add("strides before shape", NOT_SUPPORTED, to() + " must be contiguous", [](Args& args) {
    args.to.strides = {96, 32, 8, 2};
    args.bboxes.dims[3] = 6;
  });
  table.add("result's shape before that of the boxes", BAD_PARAM, to() + " dim 3 must be C = 8",
            [](Args& args) {
              args.to.dims[3] = 7;
              args.bboxes.dims[0] = 7;
            });
  table.add("shape before parameters", BAD_PARAM, "bboxes dim 3 must be 5", [](Args& args) {
    args.bboxes.dims[3] = 6;
    args.points = 2;
  });
  table.add("shape before empty", BAD_PARAM, "bboxes dim 0 must be N = 0", [](Args& args) {
    args.dims({0, 3, 4, 8});
  });
  table.add("points before scale", BAD_PARAM, "points must be one of 1, 5, got 2", [](Args& args) {
    args.points = 2;
    args.spatial_scale = 0;
  });
  table.add("scale before data", BAD_PARAM, "spatial_scale must be above 0", [](Args& args) {
    args.spatial_scale = 0;
    args.from.has_data = false;
  });
  table.add("empty before data", BAD_PARAM, from() + " must not be empty: dim 3 is 0",
            [](Args& args) {
              args.dims({2, 3, 4, 0});
              args.from.has_data = args.bboxes.has_data = args.to.has_data = false;
            });
  table.add("data before overlap", BAD_PARAM, to() + " must not be null", [](Args& args) {
    args.to.has_data = false;
    args.bboxes.place = args.from.place = args.to_data.data();
  });
  table.add("strides of an empty tensor do not matter", BAD_PARAM,
            from() + " must not be empty: dim 3 is 0", [](Args& args) {
              args.dims({2, 3, 4, 0});
              args.from.strides = {9, 9, 9, 9};
            });
  expect_refused_in_both_modes();
}

TEST_P(RotatedFeatureAlignCheckOrder, RulesOfTheCard) {
  table.add("shape before size", BAD_PARAM, "bboxes dim 3 must be 5, got 6", [](Args& args) {
    large_features(args);
    args.bboxes.dims[3] = 6;
  });
  table.add("size before empty", NOT_SUPPORTED, "bboxes must have fewer than 2147483648 elements",
            [](Args& args) {
              large_boxes(args);
              args.from.dims[3] = args.to.dims[3] = 0;
            });
  table.add("size before data", NOT_SUPPORTED, from() + " must have fewer than 2147483648 elements",
            [](Args& args) {
              large_features(args);
              args.from.has_data = false;
            });
  table.expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void empty_and_two_points(Args& args) {
  args.dims({2, 3, 4, 0});
  args.points = 2;
}
void empty_and_scale_0(Args& args) {
  args.dims({2, 3, 4, 0});
  args.spatial_scale = 0;
}
void large_and_two_points(Args& args) {
  large_features(args);
  args.points = 2;
}

/// Forward checks sizes first, backward parameters first.
TEST_P(RotatedFeatureAlignCheckOrder, SizesAndParameters) {
  Table on_card(direction());
  if (direction().backward) {
    table.add("points before empty", BAD_PARAM, "points must be one of 1, 5, got 2",
              empty_and_two_points);
    table.add("scale before empty", BAD_PARAM, "spatial_scale must be above 0", empty_and_scale_0);
    on_card.add("points before size", BAD_PARAM, "points must be one of 1, 5, got 2",
                large_and_two_points);
  } else {
    table.add("empty before points", BAD_PARAM, "input must not be empty: dim 3 is 0",
              empty_and_two_points);
    table.add("empty before scale", BAD_PARAM, "input must not be empty: dim 3 is 0",
              empty_and_scale_0);
    on_card.add("size before points", NOT_SUPPORTED,
                "input must have fewer than 2147483648 elements", large_and_two_points);
  }
  expect_refused_in_both_modes();
  on_card.expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void too_many_cells(Args& args) {
  args.dims({1, 1 << 17, 1 << 16, 1});
  args.bboxes.dims = {1, 1 << 17, 1 << 16, 5};
}

/// The limit of this library is checked after all rules of the contract.
TEST_P(RotatedFeatureAlignCheckOrder, CellsOfAnImageComeLast) {
  table.add("cells", NOT_SUPPORTED, "H * W must be at most 4294967295, got 8589934592",
            too_many_cells);
  table.add("points before cells", BAD_PARAM, "points must be one of 1, 5, got 2", [](Args& args) {
    too_many_cells(args);
    args.points = 2;
  });
  table.add("data before cells", BAD_PARAM, from() + " must not be null", [](Args& args) {
    too_many_cells(args);
    args.from.has_data = false;
  });
  table.expect_refused(MLUOP_CPU_LIMITS_NONE);
}

class RotatedFeatureAlignGoodCalls : public BadCallsTest {
 protected:
  void expect_accepted(const char* what, mluOpCpuLimits_t limits,
                       const std::function<void(Args&)>& change) const {
    SCOPED_TRACE(what);
    Args args;
    args.limits = limits;
    change(args);
    EXPECT_EQ(call(direction(), args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_FALSE(args.outputs_untouched());
  }
};

INSTANTIATE_TEST_SUITE_P(, RotatedFeatureAlignGoodCalls,
                         ::testing::Values(&forward_direction, &backward_direction),
                         [](const auto& test) { return test.param->name(); });

TEST_P(RotatedFeatureAlignGoodCalls, InBothModes) {
  for (mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    for (mluOpTensorLayout_t layout : {MLUOP_LAYOUT_NCHW, MLUOP_LAYOUT_NHWC, MLUOP_LAYOUT_NDHWC}) {
      expect_accepted("the layout of bboxes does not matter", limits,
                      [layout](Args& args) { args.bboxes.layout = layout; });
    }
    expect_accepted("strides of dims of size 1 do not matter", limits, [](Args& args) {
      args.dims({1, 3, 1, 8});
      args.bboxes.dims = {1, 3, 1, 5};
      args.from.strides = {7, 8, 0, 1};
      args.bboxes.strides = {-3, 5, 1000, 1};
      args.to.strides = {1, 8, 24, 1};
    });
    expect_accepted("dense strides", limits, [](Args& args) {
      args.from.strides = {96, 32, 8, 1};
    });
    expect_accepted("HALF", limits, [](Args& args) { args.dtypes(MLUOP_DTYPE_HALF); });
    expect_accepted("one point", limits, [](Args& args) { args.points = 1; });
  }
}

TEST_P(RotatedFeatureAlignGoodCalls, BeyondTheCard) {
  for (mluOpDataType_t dtype : {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_BFLOAT16}) {
    expect_accepted("a dtype the card lacks", MLUOP_CPU_LIMITS_NONE,
                    [dtype](Args& args) { args.dtypes(dtype); });
  }
}

}  // namespace
}  // namespace mluop::rotated_feature_align::checks
