// Bad calls of dynamic point to voxel, and index data that is named wherever it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ops/dynamic_point_to_voxel/kit/cases.hpp"
#include "ops/dynamic_point_to_voxel/kit/spoilable_call.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::dynamic_point_to_voxel::checks {
namespace {

TEST(DynamicPointToVoxelBadCalls, Forward) { EXPECT_GT(bad_calls(forward_direction).size(), 100u); }
TEST(DynamicPointToVoxelBadCalls, Backward) {
  EXPECT_GT(bad_calls(backward_direction).size(), 100u);
}

/// In a call that several threads check.
void expect_refused(mluOpReduceMode_t reduce_type, const std::function<void(Tensors&)>& spoil,
                    const std::string& sentence) {
  const auto inputs = cases::make_inputs(cases::definition_named("chunks"), backward_direction,
                                         reduce_type, MLUOP_DTYPE_FLOAT);
  for (const int threads : {1, 2, 3, 7}) {
    SCOPED_TRACE(sentence + ", threads " + std::to_string(threads));
    Tensors tensors = cases::make_inputs(cases::definition_named("chunks"), backward_direction,
                                         reduce_type, MLUOP_DTYPE_FLOAT)
                          .tensors;
    spoil(tensors);
    Tensors outputs = backward_outputs(inputs.shape, MLUOP_DTYPE_FLOAT);
    testing::Handle handle;
    handle.threads(threads);
    testing::detail::leave_another_error();
    EXPECT_EQ(run(backward_direction, handle, reduce_type, tensors, outputs), BAD_PARAM);
    EXPECT_EQ(mluOpCpuGetLastError(), "mluOpDynamicPointToVoxelBackward: " + sentence);
    EXPECT_TRUE(outputs[0].poisoned());
  }
}

TEST(DynamicPointToVoxelBadIndices, TheFirstOneIsNamed) {
  const auto inputs = cases::make_inputs(cases::definition_named("chunks"), backward_direction,
                                         MLUOP_REDUCE_DMAX, MLUOP_DTYPE_FLOAT);
  const std::int64_t N = inputs.shape.N, M = integers(inputs.tensors[5])[0];
  const std::string rule =
      " must be at least -1 and below " + std::to_string(M) + " (voxel_num), got ";
  for (const std::int64_t at : {std::int64_t{0}, std::int64_t{4095}, std::int64_t{4096}, N - 1}) {
    for (const auto value : {static_cast<std::int32_t>(M), -2, INT32_MAX, INT32_MIN}) {
      for (const mluOpReduceMode_t type :
           {MLUOP_REDUCE_DSUM, MLUOP_REDUCE_DMEAN, MLUOP_REDUCE_DMAX}) {
        expect_refused(
            type,
            [=](Tensors& tensors) {
              tensors[3].set(at, value);
              tensors[3].set(N - 1, value);
            },
            "point2voxel_map[" + std::to_string(at) + "]" + rule + std::to_string(value));
      }
    }
  }
}

TEST(DynamicPointToVoxelBadIndices, CountsMatterOnlyWhereTheMeanReadsThem) {
  const auto inputs = cases::make_inputs(cases::definition_named("chunks"), backward_direction,
                                         MLUOP_REDUCE_DMEAN, MLUOP_DTYPE_FLOAT);
  const std::int64_t M = integers(inputs.tensors[5])[0];
  const auto map = integers(inputs.tensors[3]);
  const auto first = std::ranges::find(map, static_cast<std::int32_t>(M - 1)) - map.begin();
  const auto spoil = [=](Tensors& tensors) { tensors[4].set(M - 1, 0); };
  expect_refused(MLUOP_REDUCE_DMEAN, spoil,
                 "voxel_points_count[" + std::to_string(M - 1) +
                     "] must be at least 1, as point2voxel_map[" + std::to_string(first) +
                     "] names it, got 0");
  for (const mluOpReduceMode_t type : {MLUOP_REDUCE_DSUM, MLUOP_REDUCE_DMAX}) {
    auto good = cases::make_inputs(cases::definition_named("chunks"), backward_direction, type,
                                   MLUOP_DTYPE_FLOAT);
    spoil(good.tensors);
    compute(backward_direction, testing::Handle(), type, good.tensors, good.shape.R);
  }
  // A voxel that no point names may have any count.
  auto unnamed = cases::make_inputs(cases::definition_named("chunks"), backward_direction,
                                    MLUOP_REDUCE_DMEAN, MLUOP_DTYPE_FLOAT);
  spoil(unnamed.tensors);
  for (std::int64_t i = 0; i < unnamed.shape.N; ++i) {
    if (unnamed.tensors[3].get(i) == static_cast<double>(M - 1)) unnamed.tensors[3].set(i, -1);
  }
  const Tensors outputs = compute(backward_direction, testing::Handle(), MLUOP_REDUCE_DMEAN,
                                  unnamed.tensors, unnamed.shape.R);
  EXPECT_EQ(outputs[0].get(first * unnamed.shape.C), 0);
}

}  // namespace
}  // namespace mluop::dynamic_point_to_voxel::checks
