// Points in boxes against numbers computed elsewhere or by hand.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/points_in_boxes/kit/cases.hpp"
#include "testing/data/handle.hpp"

namespace mluop::points_in_boxes {
namespace {

using Point = std::array<double, 3>;
using Box = std::array<double, 7>;
using Indices = std::vector<std::int32_t>;
using testing::Handle;

/// What an operator makes of points and boxes of `batch` elements, boxes as they are.
Indices run(const Variant& variant, mluOpDataType_t dtype, const std::vector<Point>& points,
            const std::vector<Box>& boxes, std::int64_t batch = 1) {
  const reference::Shape shape{batch, std::ssize(points) / batch, std::ssize(boxes) / batch};
  testing::HostTensor p("points", dtype, MLUOP_LAYOUT_ARRAY, {shape.B, shape.M, 3});
  testing::HostTensor b("boxes", dtype, MLUOP_LAYOUT_ARRAY, {shape.B, shape.T, 7});
  testing::HostTensor result(variant.result, MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY,
                             variant.result_dims(shape));
  p.assign({points.front().data(), 3 * points.size()});
  b.assign({boxes.front().data(), 7 * boxes.size()});
  EXPECT_EQ(variant.run(Handle(), p, b, result), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  const auto values = integers(result);
  return {values.begin(), values.end()};
}

// The numbers of mmcv's unit tests.
const std::vector<Point> mmcv_points = {
    {1, 2, 3.3},     {1.2, 2.5, 3.0},     {0.8, 2.1, 3.5}, {1.6, 2.6, 3.6},
    {0.8, 1.2, 3.9}, {-9.2, 21, 18.2},    {3.8, 7.9, 6.3}, {4.7, 3.5, -12.2},
    {3.8, 7.6, -2},  {-10.6, -12.9, -20}, {-16, -18, 9},   {-21.3, -52, -5},
    {0, 0, 0},       {6, 7, 8},           {-2, -3, -4},    {6, 4, 9}};
const std::vector<Box> mmcv_boxes = {{1, 2, 3, 4, 5, 6, 0.3}, {-10, 23, 16, 10, 20, 20, 0.5}};

TEST(PointsInBoxesVectors, MmcvPart) {
  const Indices none(8, -1);
  Indices expected{0, 0, 0, 0, 0, -1, -1, -1};
  expected.insert(expected.end(), none.begin(), none.end());
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    // One batch element has the first box, the other the second.
    EXPECT_EQ(run(part_variant, dtype, mmcv_points, mmcv_boxes, 2), expected) << name_of(dtype);
  }
}

TEST(PointsInBoxesVectors, MmcvAll) {
  const std::vector<Point> points(mmcv_points.begin(), mmcv_points.end() - 1);
  Indices by_point(30, 0), by_box(30, 0);
  for (const std::size_t p : {0, 1, 2, 3, 4}) by_point[2 * p] = by_box[p] = 1;
  by_point[2 * 5 + 1] = by_box[15 + 5] = 1;
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    EXPECT_EQ(run(all_variant, dtype, points, mmcv_boxes), by_point) << name_of(dtype);
    EXPECT_EQ(run(by_box_variant, dtype, points, mmcv_boxes), by_box) << name_of(dtype);
  }
}

TEST(PointsInBoxesVectors, MmcvThirtyDegrees) {
  const std::vector<Point> points = {{4, 6.928, 0},   {6.928, 4, 0},  {4, -6.928, 0},
                                     {6.928, -4, 0},  {-4, 6.928, 0}, {-6.928, 4, 0},
                                     {-4, -6.928, 0}, {-6.928, -4, 0}};
  const std::vector<Box> boxes = {{0, 0, 0, 1, 20, 1, 0.523598}};
  for (const mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE}) {
    EXPECT_EQ(run(part_variant, dtype, points, boxes), (Indices{-1, -1, 0, -1, 0, -1, -1, -1}));
    EXPECT_EQ(run(all_variant, dtype, points, boxes), (Indices{0, 0, 1, 0, 1, 0, 0, 0}));
    EXPECT_EQ(run(points_in_boxes_variant, dtype, points, boxes),
              (Indices{-1, -1, 0, -1, 0, -1, -1, -1}));
  }
}

/// The two formulas differ in z: the box is 3 to 9 high, or 0 to 6.
TEST(PointsInBoxesVectors, CentreOrBottom) {
  const std::vector<Point> points = {{0, 0, 0}, {1, 2, 8.9}, {1, 2, 0.5}, {1, 2, 5}};
  const std::vector<Box> boxes = {{1, 2, 3, 4, 5, 6, 0.3}};
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    SCOPED_TRACE(name_of(dtype));
    EXPECT_EQ(run(points_in_boxes_variant, dtype, points, boxes), (Indices{0, -1, 0, 0}));
    EXPECT_EQ(run(part_variant, dtype, points, boxes), (Indices{-1, 0, -1, 0}));
    EXPECT_EQ(run(all_variant, dtype, points, boxes), (Indices{0, 1, 0, 1}));
  }
}

/// Bottom and top are inside, sides are outside; the margin of 1e-5 takes them in.
TEST(PointsInBoxesVectors, Faces) {
  const std::vector<Box> standing = {{0, 0, -1, 4, 2, 2, 0}}, centred = {{0, 0, 0, 4, 2, 2, 0}};
  const std::vector<Point> points = {{0, 0, -1},    {0, 0, 1},     {0, 0, -1.125}, {0, 0, 1.125},
                                     {2, 0, 0},     {-2, 0, 0},    {0, 1, 0},      {0, -1, 0},
                                     {1.875, 0, 0}, {2.125, 0, 0}, {0, 0.875, 0},  {0, -1.125, 0}};
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    SCOPED_TRACE(name_of(dtype));
    EXPECT_EQ(run(part_variant, dtype, points, standing),
              (Indices{0, 0, -1, -1, -1, -1, -1, -1, 0, -1, 0, -1}));
    EXPECT_EQ(run(points_in_boxes_variant, dtype, points, centred),
              (Indices{0, 0, -1, -1, 0, 0, 0, 0, 0, -1, 0, -1}));
  }
}

/// The margin is the float 1e-5, added in double and compared in double.
TEST(PointsInBoxesVectors, MarginInDouble) {
  const float side =
      2 + 1e-5f;  // of the box's half, as float: the sum in double lies between floats
  const double limit = 2 + static_cast<double>(1e-5f);
  const float below = side < limit ? side : std::nextafter(side, 0.0f);
  const float above = std::nextafter(below, 3.0f);
  ASSERT_LT(below, limit);
  ASSERT_GE(above, limit);
  const std::vector<Point> points = {{below, 0, 0}, {above, 0, 0}, {-below, 0, 0}, {-above, 0, 0}};
  EXPECT_EQ(run(points_in_boxes_variant, MLUOP_DTYPE_FLOAT, points, {{0, 0, 0, 4, 4, 1, 0}}),
            (Indices{0, -1, 0, -1}));
  const double next = std::nextafter(limit, 3.0);
  const std::vector<Point> doubles = {
      {std::nextafter(limit, 0.0), 0, 0}, {limit, 0, 0}, {next, 0, 0}};
  EXPECT_EQ(run(points_in_boxes_variant, MLUOP_DTYPE_DOUBLE, doubles, {{0, 0, 0, 4, 4, 1, 0}}),
            (Indices{0, -1, -1}));
}

/// A box of no or little negative width still has the margin.
TEST(PointsInBoxesVectors, WidthsWithinTheMargin) {
  const std::vector<Point> points = {{0, 0, 0}, {9e-6, 0, 0}, {4e-6, 0, 0}};
  const auto index = [&](double width) {
    return run(points_in_boxes_variant, MLUOP_DTYPE_FLOAT, points, {{0, 0, 0, width, 1, 1, 0}});
  };
  EXPECT_EQ(index(0), (Indices{0, 0, 0}));
  EXPECT_EQ(index(-1e-5), (Indices{0, -1, 0}));
  EXPECT_EQ(index(-3e-5), (Indices{-1, -1, -1}));
  EXPECT_EQ(run(part_variant, MLUOP_DTYPE_FLOAT, points, {{0, 0, 0, 0, 1, 1, 0}}),
            (Indices{-1, -1, -1}));
}

TEST(PointsInBoxesVectors, FirstBoxWins) {
  const Box wide{0, 0, 0, 8, 8, 8, 0}, narrow{1, 1, 0, 2, 2, 8, 0}, away{50, 50, 0, 1, 1, 1, 0};
  const std::vector<Point> points = {{1, 1, 1}, {3, 3, 1}, {50, 50, 0.5}, {-20, 0, 0}};
  const auto part = [&](const std::vector<Box>& boxes) {
    return run(part_variant, MLUOP_DTYPE_FLOAT, points, boxes);
  };
  EXPECT_EQ(part({wide, narrow, away}), (Indices{0, 0, 2, -1}));
  EXPECT_EQ(part({narrow, wide, away}), (Indices{0, 1, 2, -1}));
  EXPECT_EQ(part({away, away, narrow, narrow, wide}), (Indices{2, 4, 0, -1}));
}

/// Headings are counter-clockwise from x, and a whole turn more is the same but for rounding.
TEST(PointsInBoxesVectors, Headings) {
  const double quarter = std::acos(-1.0) / 4;
  const std::vector<Point> points = {{3, 3, 0}, {-3, -3, 0}, {3, -3, 0}, {-3, 3, 0}};
  for (const double turns : {0.0, 1.0, -1.0, 100.0}) {
    const double heading = quarter + turns * 8 * quarter;
    for (const Variant* variant : {&points_in_boxes_variant, &part_variant}) {
      EXPECT_EQ(run(*variant, MLUOP_DTYPE_FLOAT, points, {{0, 0, 0, 10, 1, 1, heading}}),
                (Indices{0, 0, -1, -1}))
          << turns;
    }
  }
}

}  // namespace
}  // namespace mluop::points_in_boxes
