// Every bad call of the tables of voxelization is refused as stated, and which of two faults is reported.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "ops/voxelization/kit/spoilable_call.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::voxelization::checks {
namespace {

class VoxelizationChecks : public ::testing::TestWithParam<const Variant*>, protected BadCalls {
 protected:
  VoxelizationChecks() : BadCalls(*GetParam()) {}

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

INSTANTIATE_TEST_SUITE_P(, VoxelizationChecks, ::testing::ValuesIn(variants),
                         [](const auto& test) { return std::string(test.param->name); });

TEST_P(VoxelizationChecks, TablesAreRefusedAsStated) {
  const auto outcomes = bad_calls(variant);
  EXPECT_GT(outcomes.size(), 70u);
  for (const auto& outcome : outcomes) testing::fail_on(outcome);
}

TEST_P(VoxelizationChecks, OrderOfRulesInBothModes) {
  table.add("handle before descriptors", BAD_PARAM, "handle must not be null", [](Args& args) {
    args.points.has_desc = false;
    args.has_handle = false;
  });
  table.add("descriptors before rank", BAD_PARAM, "coors_desc must not be null", [](Args& args) {
    args.coors.has_desc = false;
    args.points.dims.pop_back();
  });
  table.add("rank of points before shape of voxel_size", BAD_PARAM, "points must have 2 dims",
            [](Args& args) {
              args.points.dims.pop_back();
              args.voxel_size.dims[0] = 2;
            });
  table.add("shape of voxel_size before rank of coors", BAD_PARAM, "voxel_size dim 0 must be 3",
            [](Args& args) {
              args.voxel_size.dims[0] = 2;
              args.coors.dims.pop_back();
            });
  table.add("shapes before NDim", BAD_PARAM, "coors dim 1 must be 3", [](Args& args) {
    args.coors.dims[1] = 4;
    args.NDim = 2;
  });
  table.add("NDim before strides", BAD_PARAM, "NDim must be 3, got 2", [](Args& args) {
    args.NDim = 2;
    args.points.strides = {5, 1};
  });
  table.add("strides before dtypes", NOT_SUPPORTED, "coors must be contiguous", [](Args& args) {
    args.coors.strides = {4, 1};
    args.points.dtype = MLUOP_DTYPE_INT32;
  });
  table.add("dtype of points before that of coors", BAD_PARAM, "points dtype must be",
            [](Args& args) {
              args.points.dtype = MLUOP_DTYPE_INT32;
              args.coors.dtype = MLUOP_DTYPE_INT64;
            });
  if (!variant.query) {
    table.add("dtypes before data", BAD_PARAM, "coors dtype must be INT32", [](Args& args) {
      args.coors.dtype = MLUOP_DTYPE_INT64;
      args.points.has_data = false;
    });
    table.add("features before data", BAD_PARAM, "points dim 1 must be at least 3",
              [](Args& args) {
                args.cloud(5, 2);
                args.points.has_data = false;
              });
    table.add("data before overlap", BAD_PARAM, "voxel_size must not be null", [](Args& args) {
      args.voxel_size.has_data = false;
      args.coors.place = args.points_data.data();
    });
  }
  expect_refused_in_both_modes();
}

TEST_P(VoxelizationChecks, OrderOfRulesAboutVoxels) {
  if (variant.dynamic) return;
  table.add("dtypes before empty points", BAD_PARAM, "coors dtype must be INT32", [](Args& args) {
    args.cloud(0, 4);
    args.coors.dtype = MLUOP_DTYPE_FLOAT;
  });
  table.add("shape of voxels before rank of coors", BAD_PARAM, "voxels dim 1 must be max_points",
            [](Args& args) {
              args.max_points = 9;
              args.coors.dims.pop_back();
            });
  table.add("voxel_size before coors_range", NOT_SUPPORTED, "voxel_size must be contiguous",
            [](Args& args) { args.voxel_size.strides = args.coors_range.strides = {2}; });
  if (!variant.query) {
    table.add("empty points before the workspace", BAD_PARAM, "points must not be empty",
              [](Args& args) {
                args.cloud(0, 4);
                args.workspace_size = 8;
              });
    table.add("workspace before no room", BAD_PARAM, "workspace must not be null",
              [](Args& args) {
                args.caps(0, 6);
                args.workspace_size = 8;
              });
  }
  expect_refused_in_both_modes();
  table = {};
  table.add("deterministic before shapes", BAD_PARAM, "deterministic must be 1", [](Args& args) {
    args.deterministic = false;
    args.voxel_size.dims[0] = 2;
  });
  table.add("size before empty points", NOT_SUPPORTED, "coors must have fewer than",
            [](Args& args) {
              args.cloud(0, 4);
              args.caps(1, 1 << 30);
            });
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

TEST_P(VoxelizationChecks, WhatIsNoFault) {
  for (const mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    expect_accepted("any layout", limits, true, [](Args& args) {
      args.points.layout = MLUOP_LAYOUT_NC;
      args.coors.layout = MLUOP_LAYOUT_NHWC;
    });
    expect_accepted("strides of dims of size 1", limits, true, [](Args& args) {
      args.cloud(1, 4);
      args.points.strides = {9, 1};
      args.voxel_num.strides = {5};
    });
    expect_accepted("voxel_size in the memory of coors_range", limits, true, [](Args& args) {
      if (!args.variant->query) args.voxel_size.place = args.range_data.data();
    });
  }
  for (const mluOpDataType_t dtype : {MLUOP_DTYPE_HALF, MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_BFLOAT16}) {
    expect_accepted("a dtype the card lacks", MLUOP_CPU_LIMITS_NONE, true,
                    [dtype](Args& args) { args.dtypes(dtype); });
  }
  if (variant.dynamic) return;
  expect_accepted("not deterministic", MLUOP_CPU_LIMITS_NONE, true,
                  [](Args& args) { args.deterministic = false; });
}

/// Without room for a point, the number of voxels is all there is to write, and to have memory for.
TEST_P(VoxelizationChecks, NoRoom) {
  if (variant.dynamic) return;
  for (const mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    for (const auto& [points, voxels] : {std::pair{0, 6}, std::pair{3, 0}, std::pair{-1, 0}}) {
      if (points < 0 && limits == MLUOP_CPU_LIMITS_MLU) continue;
      SCOPED_TRACE(std::to_string(points) + " points, " + std::to_string(voxels) + " voxels");
      Args args(variant);
      args.limits = limits;
      args.caps(points, voxels);
      args.points.has_data = args.voxels.has_data = args.coors.has_data = false;
      ASSERT_EQ(call(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
      if (variant.query) {
        EXPECT_EQ(args.size, 0u);
        continue;
      }
      EXPECT_EQ(args.num_data.front(), 0);
      args.num_data.front() = -7;
      EXPECT_TRUE(args.outputs_untouched());
      args.voxel_num.has_data = false;
      EXPECT_EQ(call(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    }
  }
}

TEST_P(VoxelizationChecks, NoPoints) {
  if (!variant.dynamic) return;
  for (const mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    expect_accepted("no points, no data", limits, false, [](Args& args) {
      args.cloud(0, 2);
      args.points.has_data = args.voxel_size.has_data = args.coors.has_data = false;
    });
  }
}

/// The query answers 0, and a call takes any workspace.
TEST(VoxelizationWorkspace, IsNotNeeded) {
  Args query(query_variant);
  ASSERT_EQ(call(query), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(query.size, 0u);
  Args args(hard_variant);
  std::vector<std::byte> given(120, std::byte{7});
  args.workspace = given.data();
  args.workspace_size = given.size();
  ASSERT_EQ(call(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(given, std::vector<std::byte>(120, std::byte{7}));
  EXPECT_EQ(args.num_data.front(), 1);
}

}  // namespace
}  // namespace mluop::voxelization::checks
