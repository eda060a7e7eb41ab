// Rotated feature align against numbers computed elsewhere or by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/rotated_feature_align/kit/direction.hpp"
#include "testing/data/handle.hpp"

namespace mluop::rotated_feature_align {
namespace {

using reference::Shape;
using testing::Handle;

// The numbers of mmcv's unit test of this operator, brought from NCHW to NHWC: scale 1/8, one
// point, and a gradient of ones.
// clang-format off
// [2,4,4,3]
constexpr double features[] = {
    1.2924, -1.0943, -1.6271, -0.2172, -0.7495, -1.0276,
    -0.5222, 1.3461, 0.0578, 0.1172, -1.1652, -0.2997,
    0.9144, 0.2034, -0.9684, 1.2248, 0.6763, -1.6946,
    1.3115, -1.2357, -1.3188, -0.969, 0.5231, -1.1938,
    -0.8949, -1.0062, -1.6744, -1.1797, 1.2592, -0.8917,
    -0.9093, 1.4225, -0.6556, -0.3961, -0.3951, 1.0073,
    -0.4586, -0.1242, -0.1205, 0.5062, -1.624, 0.3671,
    -0.7947, 0.1932, -0.3731, -0.7397, 2.7181, -0.5347,
    0.7035, 0.176, -0.586, 0.2089, -0.7639, 0.2124,
    -0.1774, -0.46, -0.87, 3.467, -1.326, 2.42,
    -0.8505, -0.9921, -0.0551, -0.9278, -0.297, -1.5103,
    1.4714, -0.8955, -1.6779, 0.1644, 1.0508, 0.8399,
    0.0898, 1.3515, 0.8431, 0.3531, -0.1641, 1.2414,
    -0.4007, 1.9679, -1.1243, 0.1927, 1.1986, -0.3887,
    1.2569, -0.3616, -2.1254, -0.2636, 0.6287, 0.6047,
    -0.5223, 0.4933, -0.3515, 0.0616, 0.336, 0.7254,
};

// [2,4,4,5]
constexpr double boxes[] = {
    13.08, 12.688, 11.214, 93.944, -0.91905,
    38.104, 10.134, 146.59, 90.306, -0.98211,
    -53.213, 49.508, 51.513, 32.055, -0.31954,
    26.974, 25.248, 54.495, 3.1083, -0.62127,
    -15.604, -51.908, 239.98, 15.008, -1.2546,
    31.354, -7.3635, 67.879, 35.081, -0.33851,
    -5.3292, 9.1946, 12.834, 10.485, -1.3039,
    -23.925, 36.623, 39.875, 72.009, -0.65934,
    72.114, -23.781, 29.106, 84.501, -1.134,
    26.258, -7.7034, 176.29, 106.15, -1.2156,
    38.057, 46.016, 12.965, 6.9384, -1.0855,
    24.428, -16.189, 205.72, 31.622, -0.15719,
    3.8226, 29.608, 14.457, 68.179, -0.91997,
    25.003, -42.49, 96.007, 49.086, -1.4786,
    85.983, 54.98, 78.08, 100.03, -1.0926,
    9.9065, 41.457, 5.9799, 17.973, -0.56313,
    -18.244, 4.6309, 53.01, 24.31, -0.70345,
    19.419, 36.704, 52.39, 54.133, -0.3773,
    56.387, 23.752, 9.0441, 17.792, -1.5583,
    36.303, 16.396, 20.283, 19.148, -0.83419,
    32.169, 30.521, 26.283, 196.8, -0.30454,
    25.788, -32.189, 88.882, 102.07, -1.5328,
    8.4676, -16.668, 24.657, 112.75, -0.40388,
    -10.799, 6.0422, 9.5807, 33.677, -0.35438,
    69.363, 10.85, 25.968, 22.311, -0.16408,
    2.814, 4.6843, 3.1289, 21.48, -0.67583,
    26.661, 45.29, 6.1679, 30.005, -0.89806,
    5.0871, 13.234, 92.087, 49.622, -0.2802,
    -12.643, 25.176, 50.488, 54.246, -0.4484,
    -34.521, 0.98435, 52.413, 9.7996, -0.84218,
    49.829, -10.808, 29.848, 73.579, -0.62672,
    80.446, 28.064, 45.273, 53.809, -1.2359,
};

// [2,4,4,3]
constexpr double expected_output[] = {
    1.1095, -0.3961, -2.6436, -0.2172, -0.7495, -1.0276,
    -0.5222, 1.3461, 0.0578, -0.6225, 1.5528, -0.8344,
    0.9144, 0.2034, -0.9684, 0.7662, 0.5522, -1.8151,
    1.0487, -1.6722, -2.1843, -0.969, 0.5231, -1.1938,
    -0.8949, -1.0062, -1.6744, -1.6384, 1.135, -1.0121,
    -0.9093, 1.4225, -0.6556, -0.3961, -0.3951, 1.0073,
    -0.8604, -0.4826, -0.8474, 0.5062, -1.624, 0.3671,
    -0.7947, 0.1932, -0.3731, -0.7397, 2.7181, -0.5347,
    0.7035, 0.176, -0.586, 0.2089, -0.7639, 0.2124,
    -0.1774, -0.46, -0.87, 3.467, -1.326, 2.42,
    -0.8505, -0.9921, -0.0551, -0.9278, -0.297, -1.5103,
    1.4714, -0.8955, -1.6779, 0.1644, 1.0508, 0.8399,
    0.0898, 1.3515, 0.8431, 0.3064, -0.6125, 0.8455,
    -0.4007, 1.9679, -1.1243, 0.5849, 0.555, -1.5994,
    1.2569, -0.3616, -2.1254, -0.2636, 0.6287, 0.6047,
    -0.5223, 0.4933, -0.3515, 0.0616, 0.336, 0.7254,
};

// [2,4,4], the same for every channel
constexpr double expected_gradient[] = {
    1.0, 1.8507, 1.1493, 1.5222, 1.0, 1.1511, 1.2139, 1.4778,
    1.0, 1.2629, 1.3721, 1.0, 3.0, 1.0, 1.0, 2.0,
    1.2687, 1.5055, 1.2382, 1.0, 1.1458, 1.4258, 1.416, 1.0,
    1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0,
};
// clang-format on

TEST(RotatedFeatureAlignVectors, MmcvUnitTest) {
  constexpr Shape shape{2, 4, 4, 3, 0.125f, 1};
  // Four printed decimals of two features and of the result, and coordinates that are off by
  // 5e-4 / 8 where neighbours differ by less than 3.
  constexpr double output_tolerance = 3 * 5e-5 + 3 * 5e-4 / 8;
  // The same coordinates in a sum of at most four weights.
  constexpr double gradient_tolerance = 5e-5 + 4 * 5e-4 / 8;
  for (mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE}) {
    SCOPED_TRACE(name_of(dtype));
    Handle handle;
    const std::vector<double> output =
        forward_direction.compute(handle, shape, dtype, features, boxes);
    for (std::size_t i = 0; i < output.size(); ++i) {
      EXPECT_NEAR(output[i], expected_output[i], output_tolerance) << "output at " << i;
    }
    const std::vector<double> ones(output.size(), 1.0);
    const std::vector<double> gradient =
        backward_direction.compute(handle, shape, dtype, ones, boxes);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      EXPECT_NEAR(gradient[i], expected_gradient[i / 3], gradient_tolerance) << "gradient at " << i;
    }
  }
}

/// Exact numbers: every dtype gives the same.
void expect_exactly(const Direction& direction, const Shape& shape,
                    const std::vector<double>& source, const std::vector<double>& bboxes,
                    const std::vector<double>& expected) {
  for (mluOpDataType_t dtype :
       {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_BFLOAT16}) {
    Handle handle;
    EXPECT_EQ(direction.compute(handle, shape, dtype, source, bboxes), expected)
        << direction.op << ' ' << name_of(dtype);
  }
}

std::vector<double> same_box(const Shape& shape, const std::vector<double>& box) {
  std::vector<double> bboxes;
  for (std::int64_t pixel = 0; pixel < shape.pixels(); ++pixel) {
    bboxes.insert(bboxes.end(), box.begin(), box.end());
  }
  return bboxes;
}

TEST(RotatedFeatureAlignVectors, FirstFieldIsY) {
  // y = 0, x = 2 samples the last cell of the first row.
  constexpr Shape shape{1, 2, 2, 1, 1.0f, 1};
  expect_exactly(forward_direction, shape, {1, 2, 2, 4}, same_box(shape, {0, 2, 2, 1, 1}),
                 {3, 4, 4, 6});
  expect_exactly(backward_direction, shape, {1, 2, 2, 4}, same_box(shape, {0, 2, 2, 1, 1}),
                 {1, 2 + 9, 2, 4});
}

TEST(RotatedFeatureAlignVectors, ThirdFieldIsTheWidth) {
  // An upright box of width 4 and height 2 around cell (1, 2) of a 3x5 map: its corners are the
  // four corners of the map. Scale 1/2 halves all four lengths.
  constexpr Shape shape{1, 3, 5, 1, 0.5f, 5};
  const std::vector<double> map = {1, 0, 0, 0, 2, 0, 0, 16, 0, 0, 4, 0, 0, 0, 8};
  std::vector<double> expected = map;
  for (double& value : expected) value += 1 + 2 + 4 + 8 + 16;
  expect_exactly(forward_direction, shape, map, same_box(shape, {2, 4, 8, 4, 0}), expected);
}

TEST(RotatedFeatureAlignVectors, AnglesTurnFromXToY) {
  // Width 4 and height 0 put two corners on each end of a line through the centre (2, 2). Turned by
  // 45 degrees it ends at y = x = 2 + sqrt 2 and y = x = 2 - sqrt 2, not on the other diagonal.
  constexpr Shape shape{1, 5, 5, 1, 1.0f, 5};
  std::vector<double> map(25);
  map[4] = map[8] = map[16] = map[20] = 1;  // the other diagonal
  Handle handle;
  const double quarter = std::acos(0.0) / 2;
  const std::vector<double> output = forward_direction.compute(
      handle, shape, MLUOP_DTYPE_DOUBLE, map, same_box(shape, {2, 2, 4, 0, quarter}));
  EXPECT_EQ(output, map);

  std::vector<double> main_diagonal(25);
  main_diagonal[24] = main_diagonal[0] = 1;
  const std::vector<double> turned = forward_direction.compute(
      handle, shape, MLUOP_DTYPE_DOUBLE, main_diagonal, same_box(shape, {2, 2, 4, 0, quarter}));
  const double fraction = std::sqrt(2.0) - 1;
  EXPECT_NEAR(turned[12], 4 * fraction * fraction, 1e-15);
}

TEST(RotatedFeatureAlignVectors, EdgesOfTheMap) {
  constexpr Shape shape{1, 2, 3, 1, 1.0f, 1};
  const std::vector<double> map = {1, 2, 4, 8, 16, 32};
  struct Row {
    double y, x, sample;
  };
  const Row rows[] = {{-1, 0, 1},      {-1.0625, 0, 0}, {0, -1, 1},      {0, -1.0625, 0},
                      {-0.5, -0.5, 1}, {2, 0, 8},       {2.0625, 0, 0},  {0, 3, 4},
                      {0, 3.0625, 0},  {2, 3, 32},      {1, 2, 32},      {1.5, 2.5, 32},
                      {0, 0.5, 1.5},   {0.5, 0, 4.5},   {0.5, 0.5, 6.75}};
  for (const Row& row : rows) {
    SCOPED_TRACE(::testing::Message() << "y " << row.y << " x " << row.x);
    std::vector<double> expected = map;
    for (double& value : expected) value += row.sample;
    expect_exactly(forward_direction, shape, map, same_box(shape, {row.y, row.x, 0, 0, 0}),
                   expected);
  }
}

}  // namespace
}  // namespace mluop::rotated_feature_align
