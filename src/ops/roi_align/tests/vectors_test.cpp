// RoI align against numbers computed elsewhere or by hand; exact ones in every dtype.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/roi_align/kit/tensors.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::roi_align {
namespace {

using reference::Pooled;
using reference::Shape;
using testing::Handle;
using Numbers = std::vector<double>;

constexpr double lowest = -double{std::numeric_limits<float>::max()};

/// Every number of this vector has few bits.
struct Exact {
  std::string name;
  Shape shape;
  Numbers images, boxes, output, gradient;  // of ones
};

// The numbers of mmcv's unit test, brought from NCHW to NHWC.
const Exact of_mmcv[] = {{"one channel",
                          {1, 2, 2, 1, 1, 2, 2, 1, 2, true},
                          {1, 2, 3, 4},
                          {0, 0, 0, 1, 1},
                          {1, 1.25, 1.5, 1.75},
                          {3.0625, 0.4375, 0.4375, 0.0625}},
                         {"two channels",
                          {1, 2, 2, 2, 1, 2, 2, 1, 2, true},
                          {1, 4, 2, 3, 3, 2, 4, 1},
                          {0, 0, 0, 1, 1},
                          {1, 4, 1.25, 3.75, 1.5, 3.5, 1.75, 3.25},
                          {3.0625, 3.0625, 0.4375, 0.4375, 0.4375, 0.4375, 0.0625, 0.0625}},
                         {"four by four",
                          {1, 4, 4, 1, 1, 2, 2, 1, 2, true},
                          {1, 2, 5, 6, 3, 4, 7, 8, 9, 10, 13, 14, 11, 12, 15, 16},
                          {0, 0, 0, 3, 3},
                          {1.9375, 4.75, 7.5625, 10.375},
                          {0.47265625, 0.42968750, 0.42968750, 0.04296875, 0.42968750, 0.39062500,
                           0.39062500, 0.03906250, 0.42968750, 0.39062500, 0.39062500, 0.03906250,
                           0.04296875, 0.03906250, 0.03906250, 0.00390625}}};

TEST(RoiAlignVectors, MmcvUnitTest) {
  for (const Exact& exact : of_mmcv) {
    for (const mluOpDataType_t dtype : testing::floating_dtypes) {
      SCOPED_TRACE(exact.name + ' ' + name_of(dtype));
      Handle handle;
      const Pooled pooled = compute_forward(handle, exact.shape, dtype, exact.images, exact.boxes);
      EXPECT_EQ(pooled.output, testing::rounded_to(dtype, exact.output));
      const Numbers ones(exact.output.size(), 1.0);
      EXPECT_EQ(compute_backward(handle, exact.shape, dtype, ones, exact.boxes),
                testing::rounded_to(dtype, exact.gradient));
    }
  }
}

TEST(RoiAlignVectors, BackwardExampleOfTheHeader) {
  constexpr Shape shape{1, 2, 2, 1, 1, 1, 1, 1, 1, false};
  EXPECT_EQ(
      compute_backward(Handle(), shape, MLUOP_DTYPE_FLOAT, Numbers{1}, Numbers{0, 0, 0, 1, 1}),
      Numbers({0.25, 0.25, 0.25, 0.25}));
}

/// Case 1 of MLU-OPS' own cases of the gradient: [5,7,7,1] with maxima.
TEST(RoiAlignVectors, MaximumGradientOfTheZoo) {
  constexpr Shape shape{5, 7, 7, 1, 2, 2, 2, 1, 0, true, true};
  const Numbers grads{-0.40234, 0.30762, 1.47007, 1.14465, 1.31538, 0.29885, 0.51230, -0.85769};
  const Numbers boxes{0, 2, 1, 3, 3, 1, 2, 1, 4, 3};
  const Numbers x{1.75, 2.25, 1.75, 2.25, 2, 3, 2, 3}, y{1, 1, 2, 2, 1, 1, 2, 2};
  const Numbers gradient = compute_backward(Handle(), shape, MLUOP_DTYPE_FLOAT, grads, boxes, x, y);
  Numbers expected(5 * 7 * 7);
  const double first[2][3] = {{-.100585, -.07104, .076905}, {.3675175, 1.96104, .2861625}};
  for (std::size_t row = 0; row < 2; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      expected[(row + 1) * 7 + column + 1] = first[row][column];
    }
    for (std::size_t column = 0; column < 2; ++column) {
      expected[49 + (row + 1) * 7 + column + 2] = grads[4 + 2 * row + column];
    }
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(gradient[i], expected[i], 1e-6) << i;
  }
  // Its argmax is what forward yields of an image that is largest there.
  Numbers images(5 * 7 * 7);
  for (std::size_t row = 0; row < 7; ++row) {
    for (std::size_t column = 0; column < 7; ++column) {
      images[row * 7 + column] = images[49 + row * 7 + column] = static_cast<double>(row + column);
    }
  }
  const Pooled pooled = compute_forward(Handle(), shape, MLUOP_DTYPE_FLOAT, images, boxes);
  EXPECT_EQ(pooled.argmax_x, x);
  EXPECT_EQ(pooled.argmax_y, y);
}

/// One bin of the image [[1,2],[3,4]].
struct Corner {
  bool aligned;
  int ratio;
  Numbers box;
  double average, maximum, x, y;
};

const Corner corners[] = {
    {false, 1, {-1.5, -1.5, -.5, -.5}, 1, 1, -1, -1},
    {false, 1, {1.5, 1.5, 2.5, 2.5}, 4, 4, 2, 2},
    {false, 1, {1.500001, 1.5, 2.500001, 2.5}, 0, 0, 2.000001, 2},
    {true, 0, {1, 1, 1, 1}, 0, lowest, -1, -1},
    {true, 1, {1, 1, 1, 1}, 2.5, 2.5, .5, .5},
    {true, 0, {2, 2, 0, 0}, 0, lowest, -1, -1},
    {true, 2, {2, 2, 0, 0}, 2.5, 4, 1, 1},
    {false, 0, {2, 2, 0, 0}, 0, 0, 2.5, 2.5},
};

TEST(RoiAlignVectors, CornersOfASmallImage) {
  for (const Corner& corner : corners) {
    Shape shape{1, 2, 2, 1, 1, 1, 1, 1, corner.ratio, corner.aligned};
    SCOPED_TRACE(::testing::Message() << corner.aligned << ' ' << corner.ratio << ' '
                                      << corner.box[0] << ' ' << corner.box[2]);
    Numbers boxes{0};
    boxes.insert(boxes.end(), corner.box.begin(), corner.box.end());
    for (const mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE}) {
      SCOPED_TRACE(name_of(dtype));
      const Numbers images{1, 2, 3, 4};
      Handle handle;
      shape.maximum = false;
      EXPECT_EQ(compute_forward(handle, shape, dtype, images, boxes).output,
                Numbers{corner.average});
      shape.maximum = true;
      const Pooled pooled = compute_forward(handle, shape, dtype, images, boxes);
      EXPECT_EQ(pooled.output, Numbers{corner.maximum});
      EXPECT_NEAR(pooled.argmax_x[0], corner.x, 1e-6);
      EXPECT_NEAR(pooled.argmax_y[0], corner.y, 1e-6);
      // A row of -1 stands for no sample, even where it is a coordinate.
      const Numbers gradient = compute_backward(handle, shape, dtype, Numbers{1}, boxes,
                                                pooled.argmax_x, pooled.argmax_y);
      double sum = 0;
      for (const double value : gradient) sum += value;
      EXPECT_EQ(sum, corner.y == -1 || corner.average == 0 ? 0 : 1);
    }
  }
}

/// A sample at a given coordinate of a row of an image, and of a column: the last that is inside, and an ulp beyond.
TEST(RoiAlignVectors, SamplesAtTheEdges) {
  const Numbers line{1, 2, 4, 8, 16};
  struct Row {
    float at;
    double value;
  };
  const float below = std::nextafter(-1.0f, -2.0f), above = std::nextafter(5.0f, 6.0f);
  const Row rows[] = {{below, 0}, {-1, 1}, {-0.5f, 1}, {0, 1},  {0.5f, 1.5},
                      {3.5f, 12}, {4, 16}, {4.5f, 16}, {5, 16}, {above, 0}};
  for (const Row& row : rows) {
    for (const bool across : {true, false}) {
      SCOPED_TRACE(::testing::Message() << row.at << (across ? " across" : " down"));
      // A box of size 0 with one sample puts it where the box is; coordinates are whole and exact.
      const Shape shape{1, across ? 1 : 5, across ? 5 : 1, 1, 1, 1, 1, 1, 1, true};
      const double at = row.at + 0.5, other = 0.5;
      if (static_cast<float>(at) - 0.5f != row.at) continue;  // the offset would round it
      const Numbers boxes =
          across ? Numbers{0, at, other, at, other} : Numbers{0, other, at, other, at};
      for (const mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE}) {
        EXPECT_EQ(compute_forward(Handle(), shape, dtype, line, boxes).output, Numbers{row.value});
        double sum = 0;
        for (const double value : compute_backward(Handle(), shape, dtype, Numbers{1}, boxes)) {
          sum += value;
        }
        EXPECT_EQ(sum, row.value == 0 ? 0 : 1);
      }
    }
  }
}

TEST(RoiAlignVectors, FractionsOfImageNumbersAreCutOff) {
  const Shape shape{2, 1, 1, 1, 3, 1, 1, 1, 1, true};
  const Numbers boxes{1.9, 0.5, 0.5, 0.5, 0.5, -0.5, 0.5, 0.5, 0.5, 0.5, 0.99, 0.5, 0.5, 0.5, 0.5};
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    EXPECT_EQ(compute_forward(Handle(), shape, dtype, Numbers{3, 5}, boxes).output,
              Numbers({5, 3, 3}));
    EXPECT_EQ(compute_backward(Handle(), shape, dtype, Numbers{1, 2, 4}, boxes), Numbers({6, 1}));
  }
}

}  // namespace
}  // namespace mluop::roi_align
