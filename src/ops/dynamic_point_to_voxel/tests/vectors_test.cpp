// Vectors that are known in full.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "ops/dynamic_point_to_voxel/kit/operands.hpp"
#include "testing/data/handle.hpp"

namespace mluop::dynamic_point_to_voxel {
namespace {

using testing::Handle;
using Values = std::vector<double>;

constexpr double inf = std::numeric_limits<double>::infinity();

/// The example of MLU-OPS' design document, with its errors corrected: points 0 and 1 are invalid, points 2 and 3
/// share a voxel, and point 4's comes before it.
Tensors example(const Values& feats) {
  Tensors inputs = forward_inputs({5, 3, 3, 5}, MLUOP_DTYPE_FLOAT);
  inputs[0].assign(feats);
  inputs[1].assign(Values{-1, -1, -1, 2, -1, 0, 4, 5, 6, 4, 5, 6, 1, 9, 9});
  return inputs;
}
const Values example_feats{9, 9, 9, 9, 9, 9, 1, 5, 3, 4, 2, 3, 7, 8, 6};

TEST(DynamicPointToVoxelVectors, ExampleOfTheDesignDocument) {
  const Tensors inputs = example(example_feats);
  const Tensors max = compute(forward_direction, Handle(), MLUOP_REDUCE_DMAX, inputs, 5);
  EXPECT_EQ(max[0].values(),
            (Values{7, 8, 6, 4, 5, 3, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf}));
  EXPECT_EQ(max[1].values(), (Values{1, 9, 9, 4, 5, 6, -1, -1, -1, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(max[2].values(), (Values{-1, -1, 1, 1, 0}));
  EXPECT_EQ(max[3].values(), (Values{1, 2, 0, 0, 0}));
  EXPECT_EQ(max[4].values(), Values{2});
  const Tensors mean = compute(forward_direction, Handle(), MLUOP_REDUCE_DMEAN, inputs, 5);
  EXPECT_EQ(mean[0].values(), (Values{7, 8, 6, 2.5, 3.5, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  const Tensors sum = compute(forward_direction, Handle(), MLUOP_REDUCE_DSUM, inputs, 5);
  EXPECT_EQ(sum[0].values(), (Values{7, 8, 6, 5, 7, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(DynamicPointToVoxelVectors, GradientsOfTheExample) {
  const Tensors inputs = example(example_feats);
  const Values g{10, 20, 30, 40, 50, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const auto gradient = [&](mluOpReduceMode_t type) {
    return compute(backward_direction, Handle(), type,
                   backward_inputs({5, 3, 3, 5}, type, inputs, g), 5)[0]
        .values();
  };
  EXPECT_EQ(gradient(MLUOP_REDUCE_DMAX),
            (Values{0, 0, 0, 0, 0, 0, 0, 50, 60, 40, 0, 0, 10, 20, 30}));
  EXPECT_EQ(gradient(MLUOP_REDUCE_DMEAN),
            (Values{0, 0, 0, 0, 0, 0, 20, 25, 30, 20, 25, 30, 10, 20, 30}));
  EXPECT_EQ(gradient(MLUOP_REDUCE_DSUM),
            (Values{0, 0, 0, 0, 0, 0, 40, 50, 60, 40, 50, 60, 10, 20, 30}));
}

TEST(DynamicPointToVoxelVectors, RowsAreOrderedAsSignedNumbersFromTheFirstColumn) {
  Tensors inputs = forward_inputs({6, 1, 2, 6}, MLUOP_DTYPE_FLOAT);
  inputs[0].assign(Values{0, 1, 2, 3, 4, 5});
  constexpr double most = INT32_MAX;
  inputs[1].assign(Values{most, 0, 0, most, 256, 1, 1, 256, 0, 0, INT32_MIN, 5});
  const Tensors outputs = compute(forward_direction, Handle(), MLUOP_REDUCE_DMAX, inputs, 6);
  EXPECT_EQ(outputs[1].values(), (Values{0, 0, 0, most, 1, 256, 256, 1, most, 0, -1, -1}));
  EXPECT_EQ(outputs[2].values(), (Values{4, 1, 3, 2, 0, -1}));
}

}  // namespace
}  // namespace mluop::dynamic_point_to_voxel
