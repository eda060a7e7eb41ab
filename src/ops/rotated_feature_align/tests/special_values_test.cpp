// NaN and infinity in features and boxes: they go where the formula takes them, and nowhere else.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/rotated_feature_align/kit/cases.hpp"
#include "ops/rotated_feature_align/kit/direction.hpp"
#include "testing/data/handle.hpp"

namespace mluop::rotated_feature_align {
namespace {

using reference::Shape;
using testing::Handle;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

using Box = std::vector<double>;
const Box outside = {-9, -9, 0, 0, 0};

/// `special` at one pixel, `outside` at all others.
std::vector<double> boxes_with(const Shape& shape, std::int64_t pixel, const Box& special) {
  std::vector<double> boxes;
  for (std::int64_t p = 0; p < shape.pixels(); ++p) {
    const Box& box = p == pixel ? special : outside;
    boxes.insert(boxes.end(), box.begin(), box.end());
  }
  return boxes;
}

/// Every pixel has these values in all channels; the result too, by every implementation and dtype.
void expect_channels(const Direction& direction, const Shape& shape,
                     const std::vector<double>& pixel_values, const std::vector<double>& boxes,
                     const std::vector<double>& expected) {
  std::vector<double> source;
  for (double value : pixel_values) {
    source.insert(source.end(), static_cast<std::size_t>(shape.C), value);
  }
  for (const std::string& level : Handle().levels()) {
    for (mluOpDataType_t dtype : testing::floating_dtypes) {
      SCOPED_TRACE(std::string(direction.op) + ' ' + level + ' ' + name_of(dtype));
      Handle handle;
      handle.isa(level);
      const std::vector<double> result = direction.compute(handle, shape, dtype, source, boxes);
      for (std::size_t i = 0; i < result.size(); ++i) {
        const double value = expected[i / static_cast<std::size_t>(shape.C)];
        EXPECT_TRUE(std::isnan(value) ? std::isnan(result[i]) : result[i] == value)
            << "at " << i << ": " << result[i] << " instead of " << value;
      }
    }
  }
}

/// The same with 19 channels, which end in no full vector at any width; and with five points, of which
/// a box without size leaves the centre, and 24 floats or 28 doubles: rows of an odd number of half
/// cache lines, whose even and odd cells are summed separately.
void expect_result(const Direction& direction, Shape shape, const std::vector<double>& pixel_values,
                   std::vector<double> boxes, const std::vector<double>& expected) {
  shape.C = 19;
  expect_channels(direction, shape, pixel_values, boxes, expected);
  if (shape.points == 1) {
    shape.points = 5;
    for (std::size_t width = 2; width < boxes.size(); width += 5) boxes[width] = nan;
  }
  for (const std::int64_t channels : {24, 28}) {
    SCOPED_TRACE(::testing::Message() << channels << " channels");
    shape.C = channels;
    expect_channels(direction, shape, pixel_values, boxes, expected);
  }
}

// A sample exactly on cell (0, 0) of a 2x3 map has the weights 1, 0, 0, 0 on cells 0, 1, 3 and 4.
constexpr Shape two_by_three{1, 2, 3, 1, 1.0f, 1};
const Box on_cell_0 = {0, 0, 0, 0, 0};

TEST(RotatedFeatureAlignSpecialValues, ZeroWeightTimesInfinityIsNan) {
  const std::vector<double> boxes = boxes_with(two_by_three, 2, on_cell_0);
  expect_result(forward_direction, two_by_three, {1, 2, 4, 8, inf, 32}, boxes,
                {1, 2, nan, 8, inf, 32});
  expect_result(forward_direction, two_by_three, {1, 2, 4, -inf, 16, 32}, boxes,
                {1, 2, nan, -inf, 16, 32});
  expect_result(forward_direction, two_by_three, {1, nan, 4, 8, 16, 32}, boxes,
                {1, nan, nan, 8, 16, 32});
  // Cell (1, 2) is none of the four.
  expect_result(forward_direction, two_by_three, {1, 2, 4, 8, 16, inf}, boxes,
                {1, 2, 5, 8, 16, inf});
}

TEST(RotatedFeatureAlignSpecialValues, InfiniteGradientSpreadsToZeroWeightNeighbours) {
  const std::vector<double> boxes = boxes_with(two_by_three, 2, on_cell_0);
  expect_result(backward_direction, two_by_three, {1, 2, inf, 8, 16, 32}, boxes,
                {inf, nan, inf, nan, nan, 32});
  expect_result(backward_direction, two_by_three, {1, 2, nan, 8, 16, 32}, boxes,
                {nan, nan, nan, nan, nan, 32});
  expect_result(backward_direction, two_by_three, {inf, 2, 4, 8, 16, 32}, boxes,
                {inf, 2, 4, 8, 16, 32});
}

TEST(RotatedFeatureAlignSpecialValues, CellThatIsLowAndHighCountsTwice) {
  // On the last cell low and high coincide, and the second time the weight is 0.
  const std::vector<double> boxes = boxes_with(two_by_three, 0, {2, 3, 0, 0, 0});
  expect_result(forward_direction, two_by_three, {1, 2, 4, 8, 16, inf}, boxes,
                {nan, 2, 4, 8, 16, inf});
  expect_result(backward_direction, two_by_three, {inf, 2, 4, 8, 16, 32}, boxes,
                {inf, 2, 4, 8, 16, nan});
}

TEST(RotatedFeatureAlignSpecialValues, PositiveWeightKeepsTheInfinity) {
  // Between cells 0, 1, 3 and 4, a quarter each.
  const std::vector<double> boxes = boxes_with(two_by_three, 5, {0.5, 0.5, 0, 0, 0});
  expect_result(forward_direction, two_by_three, {1, 2, 4, -inf, 16, 32}, boxes,
                {1, 2, 4, -inf, 16, -inf});
  expect_result(forward_direction, two_by_three, {inf, 2, 4, -inf, 16, 32}, boxes,
                {inf, 2, 4, -inf, 16, nan});
  expect_result(backward_direction, two_by_three, {1, 2, 4, 8, 16, -inf}, boxes,
                {-inf, -inf, 4, -inf, -inf, -inf});
}

TEST(RotatedFeatureAlignSpecialValues, OutsideSamplesTouchNothing) {
  const std::vector<double> everywhere = boxes_with(two_by_three, 0, outside);
  for (const Direction* direction : {&forward_direction, &backward_direction}) {
    expect_result(*direction, two_by_three, {1, nan, inf, -inf, 16, 32}, everywhere,
                  {1, nan, inf, -inf, 16, 32});
  }
}

TEST(RotatedFeatureAlignSpecialValues, CoordinatesThatAreNoNumbersAreOutside) {
  const Box broken[] = {{nan, 0, 0, 0, 0}, {0, nan, 0, 0, 0},  {nan, nan, 0, 0, 0},
                        {inf, 0, 0, 0, 0}, {0, -inf, 0, 0, 0}, {-inf, inf, 0, 0, 0}};
  for (const Box& box : broken) {
    SCOPED_TRACE(::testing::Message() << "y " << box[0] << " x " << box[1]);
    for (const Direction* direction : {&forward_direction, &backward_direction}) {
      expect_result(*direction, two_by_three, {1, 2, 4, 8, 16, 32},
                    boxes_with(two_by_three, 4, box), {1, 2, 4, 8, 16, 32});
    }
  }
}

TEST(RotatedFeatureAlignSpecialValues, BrokenSizesLeaveTheCentre) {
  constexpr Shape five_points{1, 2, 3, 1, 1.0f, 5};
  const Box broken[] = {{0, 1, nan, 1, 0.5}, {0, 1, 1, nan, 0.5},  {0, 1, 1, 1, nan},
                        {0, 1, inf, 1, 0.5}, {0, 1, 1, -inf, 0.5}, {0, 1, 1, 1, inf}};
  for (const Box& box : broken) {
    SCOPED_TRACE(::testing::Message() << "w " << box[2] << " h " << box[3] << " angle " << box[4]);
    const std::vector<double> boxes = boxes_with(five_points, 4, box);
    expect_result(forward_direction, five_points, {1, 2, 4, 8, 16, 32}, boxes,
                  {1, 2, 4, 8, 18, 32});
    expect_result(backward_direction, five_points, {1, 2, 4, 8, 16, 32}, boxes,
                  {1, 18, 4, 8, 16, 32});
  }
}

}  // namespace
}  // namespace mluop::rotated_feature_align
