// RoI-aware pooling against numbers computed elsewhere or by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "mlu_op_cpu.h"
#include "ops/roiaware_pool3d/kit/cases.hpp"
#include "testing/data/handle.hpp"

namespace mluop::roiaware_pool3d {
namespace {

using testing::Handle;
using Integers = std::vector<std::int32_t>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

/// The sums that mmcv's unit test of this operator expects.
TEST(RoiAwareVectors, MmcvUnitTest) {
  const double pi = std::numbers::pi;
  const Scene scene{
      {1.0, 2.0, 3.0, 5.0, 4.0, 6.0, -0.3 - pi / 2,  //
       -10.0, 23.0, 16.0, 20.0, 10.0, 20.0, -0.5 - pi / 2},
      {1,    2,    3.3,  1.2,   2.5, 3.0, 0.8, 2.1, 3.5,   1.6, 2.6, 3.6, 0.8,   1.2,   3.9,
       -9.2, 21.0, 18.2, 3.8,   7.9, 6.3, 4.7, 3.5, -12.2, 3.8, 7.6, -2,  -10.6, -12.9, -20,
       -16,  -18,  9,    -21.3, -52, -5,  0,   0,   0,     6,   7,   8,   -2,    -3,    -4}};
  for (const bool average : {false, true}) {
    ForwardCall call({2, 4, 4, 4, 128, 3, 15, average}, MLUOP_DTYPE_FLOAT, scene, scene.points);
    ASSERT_EQ(call.run(Handle()), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    const std::vector<double> pooled = call.outputs()[2].values();
    EXPECT_NEAR(std::accumulate(pooled.begin(), pooled.end(), 0.0), average ? 49.75 : 51.1, 1e-3);
  }
}

/// One upright box around the origin, 2 × 2 × 2 in size with its bottom at 0, of 2 × 2 × 2 voxels; the
/// lists of one point each.
Integers voxel_of_point(mluOpDataType_t dtype, const std::vector<double>& point,
                        double heading = 0) {
  ForwardCall call({1, 2, 2, 2, 2, 1, 1}, dtype, {{0, 0, 0, 2, 2, 2, heading}, point},
                   std::vector<double>{1.0});
  testing::expect_success(call.run(Handle()), "mluOpRoiAwarePool3dForward");
  Integers voxels;
  const auto lists = integers(call.outputs()[1]);
  for (std::int32_t voxel = 0; voxel < 8; ++voxel) {
    if (lists[static_cast<std::size_t>(2 * voxel)] == 1) voxels.push_back(voxel);
  }
  return voxels;
}

TEST(RoiAwareVectors, SidesAreOutsideBottomAndTopInside) {
  struct Row {
    std::vector<double> point;
    Integers voxels;  // (x * 2 + y) * 2 + z
  };
  const Row rows[] = {{{0, 0, 0}, {6}},        {{0, 0, 2}, {7}},    {{-0.5, -0.5, 1}, {1}},
                      {{0.5, -0.5, 0.5}, {4}}, {{-1, 0, 1}, {}},    {{1, 0, 1}, {}},
                      {{0, -1, 1}, {}},        {{0, 1, 1}, {}},     {{-0.9375, 0.9375, 1}, {3}},
                      {{0, 0, -0.0625}, {}},   {{0, 0, 2.0625}, {}}};
  for (mluOpDataType_t dtype : testing::floating_dtypes) {
    for (const Row& row : rows) {
      EXPECT_EQ(voxel_of_point(dtype, row.point), row.voxels)
          << name_of(dtype) << ' ' << row.point[0] << ' ' << row.point[1] << ' ' << row.point[2];
    }
  }
}

TEST(RoiAwareVectors, HeadingsTurnCounterClockwise) {
  // A quarter turn takes the box's x axis to y: a point on +y is far along the box's x.
  const double quarter = std::numbers::pi / 2;
  for (mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE}) {
    EXPECT_EQ(voxel_of_point(dtype, {0.25, 0.5, 0.5}, quarter), Integers{4});
    EXPECT_EQ(voxel_of_point(dtype, {0.25, 0.5, 0.5}, -quarter), Integers{2});
  }
}

/// Products are rounded before they are added. x·c and y·s nearly cancel here: a fused multiply-add
/// would keep the rounding error of one product and see the point on the other side of the middle.
TEST(RoiAwareVectors, GeometryIsNotFused) {
  int differing = 0;
  testing::Generator random("roiaware_pool3d/fused");
  for (int i = 0; i < 2000; ++i) {
    const float heading = static_cast<float>(random.uniform(0.2, 1.3));
    const float c = std::cos(-heading), s = std::sin(-heading);
    const float x = static_cast<float>(random.uniform(-0.5, 0.5));
    const float y = x * c / s;  // (x, y) lies across the heading
    const float rounded = x * c + y * -s, fused = std::fma(x, c, y * -s);
    const std::int32_t expected = static_cast<std::int32_t>((rounded + 1) / 1);
    if (expected == static_cast<std::int32_t>((fused + 1) / 1) || std::abs(y) > 0.9f) continue;
    ++differing;
    const Integers voxels = voxel_of_point(MLUOP_DTYPE_FLOAT, {x, y, 0.5}, heading);
    ASSERT_EQ(voxels.size(), 1u);
    EXPECT_EQ(voxels[0] / 4, expected) << "heading " << heading << " point " << x << ' ' << y;
  }
  EXPECT_GT(differing, 0);
}

/// One box that holds all points in one voxel.
ForwardCall in_one_voxel(const Shape& shape, mluOpDataType_t dtype,
                         const std::vector<double>& features) {
  std::vector<double> points;
  for (std::int64_t p = 0; p < shape.M; ++p) points.insert(points.end(), {0.25, 0.25, 0.25});
  ForwardCall call(shape, dtype, {{0, 0, 0, 2, 2, 2, 0}, points}, features);
  testing::expect_success(call.run(Handle()), "mluOpRoiAwarePool3dForward");
  return call;
}

TEST(RoiAwareVectors, MaximaOfTiesNanAndInfinity) {
  // Channels: a tie, NaN first, all NaN, minus infinity only, infinity, all negative.
  const std::vector<double> features = {1, nan, nan, -inf, 2,   -3,  //
                                        4, 5,   nan, -inf, inf, -1,  //
                                        4, 5,   nan, -inf, inf, -2};
  for (mluOpDataType_t dtype : testing::floating_dtypes) {
    SCOPED_TRACE(name_of(dtype));
    const ForwardCall call = in_one_voxel({1, 1, 1, 1, 8, 6, 3}, dtype, features);
    const auto argmax = integers(call.outputs()[0]), lists = integers(call.outputs()[1]);
    EXPECT_EQ(Integers(argmax.begin(), argmax.end()), (Integers{1, 1, -1, -1, 1, 1}));
    EXPECT_EQ(Integers(lists.begin(), lists.end()), (Integers{3, 0, 1, 2, 0, 0, 0, 0}));
    EXPECT_EQ(call.outputs()[2].values(), (std::vector<double>{4, 5, 0, 0, inf, -1}));
  }
}

TEST(RoiAwareVectors, AveragesAndOverflow) {
  const std::vector<double> features = {1, nan, 2, 2, 6, 3, 100, 100};
  for (mluOpDataType_t dtype : testing::floating_dtypes) {
    SCOPED_TRACE(name_of(dtype));
    // Four points, room for three: the last one is dropped.
    const ForwardCall call = in_one_voxel({1, 1, 1, 1, 4, 2, 4, true}, dtype, features);
    const auto lists = integers(call.outputs()[1]);
    EXPECT_EQ(Integers(lists.begin(), lists.end()), (Integers{3, 0, 1, 2}));
    const std::vector<double> pooled = call.outputs()[2].values();
    EXPECT_EQ(pooled[0], 3);
    EXPECT_TRUE(std::isnan(pooled[1]));
    EXPECT_EQ(integers(call.outputs()[0])[0], 0);
    // No room at all.
    const ForwardCall none = in_one_voxel({1, 1, 1, 1, 1, 2, 4, true}, dtype, features);
    EXPECT_EQ(integers(none.outputs()[1])[0], 0);
    EXPECT_EQ(none.outputs()[2].values(), (std::vector<double>{0, 0}));
  }
}

TEST(RoiAwareVectors, Gradients) {
  const Indices indices{{2, 0, 2, 0, 0, 0, 1, 2, 0, 0}, {0, -1, 2, 2, -1, -1, 2, 0, 1, -1}};
  const std::vector<double> gradients = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  for (mluOpDataType_t dtype : testing::floating_dtypes) {
    SCOPED_TRACE(name_of(dtype));
    BackwardCall maximum({1, 1, 1, 5, 2, 2, 3}, dtype, indices, gradients);
    ASSERT_EQ(maximum.run(Handle()), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(maximum.grad_in().values(), (std::vector<double>{1, 8, 9, 0, 10, 4}));
    const Indices lists{{2, 0, 2, 0, 99, 99, 1, 2, 0}, std::vector<std::int32_t>(6)};
    BackwardCall average({1, 1, 1, 3, 3, 2, 3, true}, dtype, lists,
                         std::vector<double>{1, 2, inf, nan, 5, 6});
    ASSERT_EQ(average.run(Handle()), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(average.grad_in().values(), (std::vector<double>{0.5, 1, 0, 0, 5.5, 7}));
  }
}

TEST(RoiAwareVectors, UnreadGradientsDoNotMatter) {
  // A voxel without a maximum adds nothing, whatever its gradient.
  BackwardCall call({1, 1, 1, 1, 2, 3, 1}, MLUOP_DTYPE_FLOAT, {{0, 0}, {-1, 0, -1}},
                    std::vector<double>{nan, 2, inf});
  ASSERT_EQ(call.run(Handle()), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(call.grad_in().values(), (std::vector<double>{0, 2, 0}));
}

}  // namespace
}  // namespace mluop::roiaware_pool3d
