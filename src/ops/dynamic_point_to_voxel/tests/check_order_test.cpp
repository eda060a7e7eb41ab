// Which of two faults is reported, what is no fault at all, and the workspace queries.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ops/dynamic_point_to_voxel/kit/spoilable_call.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::dynamic_point_to_voxel::checks {
namespace {

using Spoil = std::function<void(Args&)>;

struct Fault {
  std::string what;
  mluOpStatus_t status;
  std::string text;
  Spoil spoil;
};

class VoxelCheckOrder : public ::testing::TestWithParam<const Direction*>, protected BadCalls {
 protected:
  VoxelCheckOrder() : BadCalls(*GetParam()) {}

  static void wrong_rank(Args& args) { args.map.dims.push_back(1); }
  static void strided(Args& args) { args.voxel_feats.strides = {10, 2}; }
  static void wrong_dtype(Args& args) { args.map.dtype = MLUOP_DTYPE_INT64; }
  static void wrong_reduction(Args& args) { args.reduce_type = 9; }
  static void wrong_shape(Args& args) { args.voxel_num.dims[0] = 2; }

  /// One fault for each step of the contract, in its order; later ones do not undo earlier ones.
  std::vector<Fault> faults() const {
    const Fault rank{"rank", BAD_PARAM, "point2voxel_map must have 1 dims, got 2", wrong_rank},
        strides{"strides", NOT_SUPPORTED, "voxel_feats must be contiguous", strided},
        dtype{"dtype", BAD_PARAM, "point2voxel_map dtype must be INT32, got INT64", wrong_dtype},
        reduction{"reduction", BAD_PARAM, "reduce_type must be one of 0, 1, 2, got 9",
                  wrong_reduction},
        shape{"shape", BAD_PARAM, "voxel_num dim 0 must be 1, got 2", wrong_shape};
    std::vector<Fault> all{{"handle", BAD_PARAM, "handle must not be null",
                            [](Args& args) { args.has_handle = false; }},
                           {"descriptor", BAD_PARAM, "voxel_points_count_desc must not be null",
                            [](Args& args) { args.counts.has_desc = false; }}};
    if (backward()) {
      all.insert(all.end(), {strides, dtype, rank, shape, reduction});
    } else {
      all.insert(all.end(), {rank, strides, dtype, reduction, shape});
    }
    const Fault workspace{"workspace", BAD_PARAM, "workspace must not be null",
                          [](Args&args) { args.workspace_size = 8; }},
        data{"data", BAD_PARAM, "voxel_num must not be null",
             [](Args&args) { args.voxel_num.has_data = false; }},
        overlap{"overlap", BAD_PARAM, "must not overlap", [](Args&args) {
                  args.grad_feats.place = args.voxel_coors.place = args.feats_data.data();
                }};
    if (backward()) {
      all.insert(all.end(), {data, workspace, overlap});
      all.push_back({"voxel_num", BAD_PARAM, "voxel_num[0] must be at least 0",
                     [](Args& args) { args.voxel_num_data[0] = -1; }});
      all.push_back({"map", BAD_PARAM, "point2voxel_map[0] must be at least -1",
                     [](Args& args) { args.map_data[0] = -2; }});
    } else {
      all.insert(all.end(), {workspace, data, overlap});
    }
    return all;
  }
};

INSTANTIATE_TEST_SUITE_P(, VoxelCheckOrder, ::testing::ValuesIn(directions),
                         [](const auto& test) { return std::string{test.param->op}; });

TEST_P(VoxelCheckOrder, TheFirstOfTwoFaultsIsReported) {
  const std::vector<Fault> all = faults();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      table.add(all[i].what + " before " + all[j].what, all[i].status, all[i].text,
                [first = all[i].spoil, second = all[j].spoil](Args& args) {
                  second(args);
                  first(args);
                });
    }
  }
  expect_refused_in_both_modes();
}

TEST_P(VoxelCheckOrder, LimitsOfTheCardHaveTheirPlace) {
  const auto large = [](Args& args) { args.sizes(std::int64_t{1} << 20, 1 << 11, 4); };
  table.add("elements after shapes", BAD_PARAM, "voxel_num dim 0 must be 1", [=](Args& args) {
    large(args);
    wrong_shape(args);
  });
  table.add("elements before data", NOT_SUPPORTED, "must have fewer than 2147483648 elements",
            [=](Args& args) {
              large(args);
              args.data(false);
            });
  if (backward()) {
    table.add("elements before on-chip memory", NOT_SUPPORTED, "fewer than 2147483648", large);
    table.add("on-chip memory before emptiness", BAD_PARAM, "5 * N + 20 * C + 4 must be at most",
              [](Args& args) { args.sizes(1 << 20, 0, 4); });
  }
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void expect(const Direction& direction, const char* what, mluOpStatus_t status, const Spoil& change,
            const std::function<void(const Args&)>& then) {
  for (const mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    SCOPED_TRACE(what);
    Args args;
    args.limits = limits;
    args.prepare(direction);
    change(args);
    EXPECT_EQ(call(direction, args), status) << mluOpCpuGetLastError();
    then(args);
  }
}

TEST(VoxelEmptyCalls, ForwardStoresThatThereAreNoVoxels) {
  for (const auto& [N, C] : {std::pair{0, 5}, std::pair{6, 0}}) {
    const auto empty = [N = N, C = C](Args& args) {
      args.sizes(N, C, 0);
      args.data(false);
      args.workspace_size = 8;
    };
    expect(
        forward_direction, "voxel_num is given", SUCCESS,
        [&](Args& args) {
          empty(args);
          args.voxel_num.has_data = true;
        },
        [](const Args& args) {
          EXPECT_EQ(args.voxel_num_data[0], 0);
          EXPECT_EQ(args.map_data, std::vector<std::int32_t>(6, -7));
        });
    expect(forward_direction, "voxel_num is not", SUCCESS, empty,
           [](const Args& args) { EXPECT_TRUE(args.outputs_untouched()); });
  }
}

TEST(VoxelEmptyCalls, BackwardWithoutPointsOrChannelsDoesNothing) {
  for (const auto& [N, C, R] : {std::array{0, 5, 0}, std::array{6, 0, 4}}) {
    expect(
        backward_direction, "no gradient", SUCCESS,
        [N = N, C = C, R = R](Args& args) {
          args.sizes(N, C, R);
          args.data(false);
          args.workspace_size = 8;
        },
        [](const Args& args) { EXPECT_TRUE(args.outputs_untouched()); });
  }
}

TEST(VoxelEmptyCalls, BackwardWithoutVoxelsClearsTheGradient) {
  const auto no_rows = [](Args& args) {
    args.sizes(6, 5, 0);
    args.voxel_feats.has_data = args.grad_voxel_feats.has_data = args.counts.has_data = false;
    args.map_data.assign(6, -1);
    args.voxel_num_data = {0};
  };
  const auto cleared = [](const Args& args) {
    const auto* floats = reinterpret_cast<const float*>(args.grad_feats_data.data());
    EXPECT_TRUE(std::all_of(floats, floats + 30, [](float value) { return value == 0; }));
  };
  expect(backward_direction, "no rows", SUCCESS, no_rows, cleared);
  expect(
      backward_direction, "no rows, but a voxel", BAD_PARAM,
      [&](Args& args) {
        no_rows(args);
        args.voxel_num_data = {1};
      },
      [](const Args& args) { EXPECT_TRUE(args.outputs_untouched()); });
}

TEST_P(VoxelCheckOrder, GoodCalls) {
  const auto expect_accepted = [&](const char* what, const Spoil& change) {
    SCOPED_TRACE(what);
    Args args;
    args.prepare(direction());
    change(args);
    EXPECT_EQ(call(direction(), args), SUCCESS) << mluOpCpuGetLastError();
    EXPECT_FALSE(args.outputs_untouched());
  };
  for (const int reduce_type : {0, 1, 2}) {
    expect_accepted("a reduction", [=](Args& args) { args.reduce_type = reduce_type; });
  }
  for (const mluOpDataType_t dtype : {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_HALF}) {
    expect_accepted("a dtype the card lacks", [dtype](Args& args) { args.dtypes(dtype); });
  }
  expect_accepted("layouts do not matter", [](Args& args) {
    args.feats.layout = args.grad_voxel_feats.layout = MLUOP_LAYOUT_NC;
    args.coors.layout = args.map.layout = MLUOP_LAYOUT_NLC;
  });
  expect_accepted("strides of dims of size 1 do not matter", [](Args& args) {
    args.sizes(6, 1, 4);
    args.feats.strides = args.grad_feats.strides = {1, 77};
  });
  std::vector<std::byte> workspace(16);
  expect_accepted("a workspace that is not needed", [&](Args& args) {
    args.workspace = workspace.data();
    args.workspace_size = workspace.size();
  });
}

TEST_P(VoxelCheckOrder, QueriesTestNothingButNull) {
  Args args;
  args.workspace_size = 99;
  args.feats.dims = {7};
  args.coors.dtype = MLUOP_DTYPE_DOUBLE;
  args.grad_voxel_feats.dims = {3, 3, 3};
  args.reduce_type = 77;
  EXPECT_EQ(query(direction(), args), SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(args.workspace_size, 0u);
  const auto refused = [&](const std::string& text, const Spoil& spoil, bool has_size = true) {
    Args bad;
    bad.workspace_size = 99;
    spoil(bad);
    testing::detail::leave_another_error();
    EXPECT_EQ(query(direction(), bad, has_size), BAD_PARAM) << text;
    EXPECT_NE(std::string(mluOpCpuGetLastError()).find("WorkspaceSize: " + text), std::string::npos)
        << mluOpCpuGetLastError();
    EXPECT_EQ(bad.workspace_size, 99u);
  };
  refused("handle must not be null", [](Args& bad) { bad.has_handle = false; });
  refused(
      "workspace_size must not be null", [](Args&) {}, false);
  for (const Named& named : tensors_of(direction())) {
    if (backward() ? named.name == "grad_feats" : named.name != "feats" && named.name != "coors")
      continue;
    refused(named.name + "_desc must not be null",
            [&](Args& bad) { (bad.*named.tensor).has_desc = false; });
  }
}

}  // namespace
}  // namespace mluop::dynamic_point_to_voxel::checks
