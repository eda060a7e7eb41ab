// What the contract singles out by value: ties, zeros of both signs, NaN, infinities, points that are invalid.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ops/dynamic_point_to_voxel/kit/operands.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::dynamic_point_to_voxel {
namespace {

using testing::Handle;
using Values = std::vector<double>;

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

/// All points in one voxel, one value per point, in 19 channels; between them are invalid points.
Tensors one_voxel(const Values& points, mluOpDataType_t dtype) {
  constexpr std::int64_t C = 19;
  const auto N = 2 * std::ssize(points);
  Tensors inputs = forward_inputs({N, C, 3, N}, dtype);
  for (std::int64_t i = 0; i < N; ++i) {
    for (std::int64_t c = 0; c < C; ++c) {
      inputs[0].set(i * C + c, i % 2 == 0 ? points[static_cast<std::size_t>(i / 2)] : 1000);
    }
    for (std::int64_t j = 0; j < 3; ++j)
      inputs[1].set(3 * i + j, i % 2 == 1 && j == i % 3 ? -4 : 7);
  }
  return inputs;
}

/// The row of the voxel and the gradients of its points where that of the voxel is 3; in every dtype and level.
void expect_outcome(const char* what, const Values& points, mluOpReduceMode_t type, double output,
                    const Values& gradients) {
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    for (const std::string& level : Handle().levels()) {
      SCOPED_TRACE(std::string{what} + ", " + level + ", dtype " + std::to_string(dtype));
      Handle handle;
      handle.isa(level);
      const Tensors inputs = one_voxel(points, dtype);
      const std::int64_t N = inputs[0].dims()[0], C = inputs[0].dims()[1];
      const Tensors outputs = compute(forward_direction, handle, type, inputs, N);
      Tensors backward =
          backward_inputs({N, C, 3, N}, type, inputs, Values(static_cast<std::size_t>(N * C), 3));
      backward[2].assign(outputs[0].values());
      const Tensors grad = compute(backward_direction, handle, type, backward, N);
      EXPECT_EQ(outputs[4].get(0), 1);
      EXPECT_EQ(outputs[3].get(0), static_cast<double>(points.size()));
      for (std::int64_t c = 0; c < C; ++c) {
        const double value = outputs[0].get(c);
        EXPECT_TRUE(value == output || (std::isnan(value) && std::isnan(output))) << value;
        EXPECT_EQ(std::signbit(value) && !std::isnan(value),
                  std::signbit(output) && !std::isnan(output));
        for (std::size_t i = 0; i < points.size(); ++i) {
          const auto row = 2 * static_cast<std::int64_t>(i) * C;
          EXPECT_EQ(grad[0].get(row + c), gradients[i]) << "point " << i;
          EXPECT_EQ(grad[0].get(row + C + c), 0) << "an invalid point";
        }
      }
    }
  }
}

TEST(DynamicPointToVoxelSpecialValues, OfTheMaximum) {
  constexpr auto max = MLUOP_REDUCE_DMAX;
  expect_outcome("the greatest", {1, 2, -1}, max, 2, {0, 3, 0});
  expect_outcome("of ties the first point", {1, 2, 2}, max, 2, {0, 3, 0});
  expect_outcome("negative", {-3, -1, -2}, max, -1, {0, 3, 0});
  expect_outcome("the first zero stays", {-0.0, 0.0}, max, -0.0, {3, 0});
  expect_outcome("whatever its sign", {0.0, -0.0}, max, 0.0, {3, 0});
  expect_outcome("NaN never wins", {nan, -1, nan}, max, -1, {0, 3, 0});
  expect_outcome("only NaN", {nan, nan}, max, -inf, {0, 0});
  expect_outcome("minus infinity", {-inf, -inf}, max, -inf, {3, 0});
  expect_outcome("minus infinity and NaN", {nan, -inf}, max, -inf, {0, 3});
  expect_outcome("infinity", {1, inf, inf}, max, inf, {0, 3, 0});
}

TEST(DynamicPointToVoxelSpecialValues, OfSumAndMean) {
  expect_outcome("sum", {1, 2, -0.5}, MLUOP_REDUCE_DSUM, 2.5, {3, 3, 3});
  expect_outcome("mean", {1, 2, -1.5, 0.5}, MLUOP_REDUCE_DMEAN, 0.5, {0.75, 0.75, 0.75, 0.75});
  expect_outcome("NaN", {1, nan}, MLUOP_REDUCE_DSUM, nan, {3, 3});
  expect_outcome("infinities", {inf, -inf}, MLUOP_REDUCE_DMEAN, nan, {1.5, 1.5});
  expect_outcome("negative zero", {-0.0}, MLUOP_REDUCE_DSUM, 0.0, {3});
}

/// 2^24 + 1 is no float: the order of the points decides.
TEST(DynamicPointToVoxelSpecialValues, SumsAreInTheOrderOfThePoints) {
  const Values ascending{0x1p24, 1, 1, -0x1p24}, other{1, 1, 0x1p24, -0x1p24};
  for (const auto& [points, sum] : {std::pair{ascending, 0.0}, std::pair{other, 2.0}}) {
    const Tensors inputs = one_voxel(points, MLUOP_DTYPE_FLOAT);
    const Tensors outputs =
        compute(forward_direction, Handle(), MLUOP_REDUCE_DSUM, inputs, inputs[0].dims()[0]);
    EXPECT_EQ(outputs[0].get(0), sum);
  }
}

/// Sums of half are float, which 2048 + 1 + 1 shows.
TEST(DynamicPointToVoxelSpecialValues, HalfIsSummedInFloat) {
  const Tensors inputs = one_voxel({2048, 1, 1}, MLUOP_DTYPE_HALF);
  const Tensors outputs =
      compute(forward_direction, Handle(), MLUOP_REDUCE_DSUM, inputs, inputs[0].dims()[0]);
  EXPECT_EQ(outputs[0].get(0), 2050);
}

}  // namespace
}  // namespace mluop::dynamic_point_to_voxel
