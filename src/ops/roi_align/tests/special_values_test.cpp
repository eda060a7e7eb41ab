// What RoI align does with values that are no numbers, boxes without end, and calls without bins.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/roi_align/kit/cases.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::roi_align {
namespace {

using reference::Pooled;
using reference::Shape;
using testing::Handle;
using Numbers = std::vector<double>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

/// mmcv's CPU code multiplies pixel (0,0) by 0 for a sample outside.
TEST(RoiAlignSpecialValues, SamplesOutsideReadNothing) {
  const Shape average{1, 2, 2, 1, 1, 1, 1, 1, 2, true};
  const Numbers images{nan, 1, 1, 1};
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    // Two of four samples are right of the image and count as 0, two are in its last column.
    const Numbers boxes{0, 1.5, 1.5, 3.5, 1.5};
    EXPECT_EQ(compute_forward(Handle(), average, dtype, images, boxes).output, Numbers{0.5});
    const Numbers beyond{0, 9, 9, 10, 10};
    EXPECT_EQ(compute_forward(Handle(), average, dtype, images, beyond).output, Numbers{0});
    Shape maximum = average;
    maximum.maximum = true;
    EXPECT_EQ(compute_forward(Handle(), maximum, dtype, images, beyond).output, Numbers{0});
  }
}

/// A weight of 0 is a weight: NaN in a cell that a sample touches makes the bin NaN, in others it does not.
TEST(RoiAlignSpecialValues, NanSpreadsAsFarAsSamplesTouch) {
  const Shape shape{1, 1, 4, 1, 1, 1, 1, 1, 1, true};
  const Numbers boxes{0, 1.5, 0.5, 1.5, 0.5};  // x = 1: cells 1 and 2
  for (std::size_t cell = 0; cell < 4; ++cell) {
    Numbers images{1, 2, 3, 4};
    images[cell] = nan;
    const Numbers output =
        compute_forward(Handle(), shape, MLUOP_DTYPE_FLOAT, images, boxes).output;
    EXPECT_EQ(std::isnan(output[0]), cell == 1 || cell == 2) << cell;
  }
  const Numbers gradient =
      compute_backward(Handle(), shape, MLUOP_DTYPE_FLOAT, Numbers{nan}, boxes);
  for (std::size_t cell = 0; cell < 4; ++cell) {
    EXPECT_EQ(std::isnan(gradient[cell]), cell == 1 || cell == 2) << cell;
  }
}

TEST(RoiAlignSpecialValues, NanNeverIsTheMaximum) {
  const Shape shape{1, 1, 3, 1, 1, 1, 1, 1, 2, true, true};
  const Numbers boxes{0, 0, 0.5, 4, 0.5};  // samples at x = 0.5 and 2.5, twice
  const Pooled pooled =
      compute_forward(Handle(), shape, MLUOP_DTYPE_FLOAT, Numbers{nan, 1, -3}, boxes);
  EXPECT_EQ(pooled.output, Numbers{-3});
  EXPECT_EQ(pooled.argmax_x, Numbers{2.5});
  const Pooled none =
      compute_forward(Handle(), shape, MLUOP_DTYPE_HALF, Numbers{nan, nan, nan}, boxes);
  EXPECT_EQ(none.output, Numbers{-inf}) << "-FLT_MAX as half";
  EXPECT_EQ(none.argmax_x, Numbers{-1});
  EXPECT_EQ(none.argmax_y, Numbers{-1});
}

TEST(RoiAlignSpecialValues, TheFirstOfEqualSamplesWins) {
  const Shape shape{1, 4, 4, 1, 1, 1, 1, 1, 2, true, true};
  const Numbers images(16, 5.0), boxes{0, 0.5, 0.5, 2.5, 2.5};
  const Pooled pooled = compute_forward(Handle(), shape, MLUOP_DTYPE_FLOAT, images, boxes);
  EXPECT_EQ(pooled.output, Numbers{5});
  EXPECT_EQ(pooled.argmax_x, Numbers{0.5});
  EXPECT_EQ(pooled.argmax_y, Numbers{0.5});
  // A sample outside is 0: it wins over smaller ones, and so does the first of several.
  const Numbers negative(16, -5.0), half_outside{0, 2.5, 0.5, 8.5, 6.5};
  const Pooled outside =
      compute_forward(Handle(), shape, MLUOP_DTYPE_FLOAT, negative, half_outside);
  EXPECT_EQ(outside.output, Numbers{0});
  EXPECT_EQ(outside.argmax_x, Numbers{6.5});
  EXPECT_EQ(outside.argmax_y, Numbers{1.5});
}

TEST(RoiAlignSpecialValues, ArgmaxOutOfRangeAddsNothing) {
  const Shape shape{1, 3, 4, 1, 8, 1, 1, 1, 0, true, true};
  const Numbers grads(8, 1.0), boxes(40, 0.0);
  const Numbers x{nan, 0, 4.5, 0, -2, inf, 4, 1}, y{0, nan, 0, 3.5, 0, 0, 3, -1};
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    const Numbers gradient = compute_backward(Handle(), shape, dtype, grads, boxes, x, y);
    Numbers expected(12);
    expected[11] = 1;  // of (4, 3), which is inside still
    EXPECT_EQ(gradient, expected);
  }
}

/// A box of 10^9 pixels has 10^17 samples, of which those inside are found without looking at the others.
TEST(RoiAlignSpecialValues, ImmenseBoxesTakeNoTime) {
  const auto start = std::chrono::steady_clock::now();
  Shape shape{1, 30, 40, 3, 1, 3, 3, 1, 0, true};
  const Numbers boxes{0, -5e8, -5e8, 5e8, 5e8}, images(3600, 1.0), grads(27, 1.0);
  const Numbers average =
      compute_forward(Handle(), shape, MLUOP_DTYPE_DOUBLE, images, boxes).output;
  // One sample for each cell, from -1 to 40 and from -1 to 30, of the bin in the middle.
  const double samples = std::pow(std::ceil(1e9 / 3), 2);
  EXPECT_NEAR(average[4 * 3], 41 * 31 / samples, 80 / samples);
  EXPECT_EQ(average[0], 0);
  const Numbers gradient = compute_backward(Handle(), shape, MLUOP_DTYPE_DOUBLE, grads, boxes);
  double sum = 0;
  for (const double value : gradient) sum += value;
  EXPECT_NEAR(sum, 3 * average[4 * 3], 1e-20);
  shape.maximum = true;
  const Pooled pooled = compute_forward(Handle(), shape, MLUOP_DTYPE_FLOAT, images, boxes);
  EXPECT_EQ(pooled.output[0], 0);
  EXPECT_EQ(pooled.output[4 * 3], 1);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 2);
}

TEST(RoiAlignSpecialValues, NoCoordinateIsAFault) {
  const double values[] = {nan, inf, -inf, 3e38, -3e38, 0};
  for (const bool maximum : {false, true}) {
    for (const bool aligned : {false, true}) {
      const Shape shape{1, 3, 4, 5, 36, 2, 2, 1, 2, aligned, maximum};
      Numbers boxes;
      for (const double a : values) {
        for (const double b : values) boxes.insert(boxes.end(), {0, a, 1, b, 3});
      }
      const Numbers images(60, 1.0);
      const Pooled pooled = compute_forward(Handle(), shape, MLUOP_DTYPE_FLOAT, images, boxes);
      for (const double value : pooled.output) {
        EXPECT_TRUE(value >= 0 && value <= 1.0001) << value;
      }
    }
  }
}

/// Without bins there is no gradient: zeros, whatever the boxes say.
TEST(RoiAlignSpecialValues, WithoutBinsTheGradientIsZero) {
  for (const bool maximum : {false, true}) {
    for (const Shape& shape : {Shape{1, 3, 4, 5, 0, 2, 2, 1, 2, true, maximum},
                               Shape{1, 3, 4, 5, 2, 0, 2, 1, 2, true, maximum}}) {
      Tensors tensors(shape, MLUOP_DTYPE_FLOAT, true);
      tensors.boxes.assign(Numbers(static_cast<std::size_t>(5 * shape.K), 99.0));
      double something = 0;
      const auto data = [&](testing::HostTensor& tensor) {
        return tensor.data() != nullptr ? tensor.data() : &something;
      };
      auto& [grads, x, y] = tensors.bins;
      ASSERT_EQ(mluOpRoiAlignBackward_v2(
                    Handle(), grads.descriptor(), data(grads), tensors.boxes.descriptor(),
                    data(tensors.boxes), x.descriptor(), data(x), y.descriptor(), data(y), 1, 0,
                    true, maximum ? 0 : 1, tensors.images.descriptor(), tensors.images.data()),
                MLUOP_STATUS_SUCCESS)
          << mluOpCpuGetLastError();
      EXPECT_EQ(tensors.images.values(), Numbers(60));
    }
  }
}

/// No RoIs, or no channels: nothing is written, even if there is no image.
TEST(RoiAlignSpecialValues, AnEmptyOutputIsLeftAlone) {
  double something = 7;
  for (const Shape& shape :
       {Shape{1, 3, 4, 5, 0, 2, 2}, Shape{0, 3, 4, 5, 0, 2, 2}, Shape{1, 3, 4, 0, 1, 2, 2}}) {
    Tensors tensors(shape, MLUOP_DTYPE_FLOAT, false);
    const RoiAlignDescriptor desc = descriptor_of(shape);
    EXPECT_EQ(mluOpRoiAlignForward_v2(Handle(), desc.get(), tensors.images.descriptor(), &something,
                                      tensors.boxes.descriptor(), &something,
                                      tensors.bins[0].descriptor(), &something, nullptr, nullptr,
                                      nullptr, nullptr),
              MLUOP_STATUS_SUCCESS)
        << mluOpCpuGetLastError();
    EXPECT_EQ(something, 7);
  }
}

/// Of averages argmax is ignored, whatever it is.
TEST(RoiAlignSpecialValues, AveragesIgnoreArgmax) {
  const Shape shape{1, 1, 1, 1, 1, 1, 1, 1, 1, true};
  Tensors tensors(shape, MLUOP_DTYPE_FLOAT, false);
  tensors.images.assign(Numbers{3});
  tensors.boxes.assign(Numbers{0, 0, 0, 1, 1});
  const RoiAlignDescriptor desc = descriptor_of(shape);
  float argmax = 9;
  EXPECT_EQ(mluOpRoiAlignForward_v2(Handle(), desc.get(), tensors.images.descriptor(),
                                    tensors.images.data(), tensors.boxes.descriptor(),
                                    tensors.boxes.data(), tensors.bins[0].descriptor(),
                                    tensors.bins[0].data(), tensors.boxes.descriptor(), &argmax,
                                    nullptr, tensors.images.data()),
            MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  EXPECT_EQ(tensors.bins[0].values(), Numbers{3});
  EXPECT_EQ(argmax, 9);
}

/// Of maxima the gradient reads none of the three scalars.
TEST(RoiAlignSpecialValues, TheGradientOfMaximaReadsNoScale) {
  const cases::Definition& definition = cases::definition_named("max_channels_5");
  Shape shape = definition.shape;
  Tensors tensors = cases::make_tensors(definition, MLUOP_DTYPE_FLOAT, true);
  ASSERT_EQ(tensors.backward(Handle(), shape), MLUOP_STATUS_SUCCESS);
  const Numbers expected = tensors.images.values();
  shape.spatial_scale = std::nanf("");
  shape.sampling_ratio = -7;
  shape.aligned = !shape.aligned;
  ASSERT_EQ(tensors.backward(Handle(), shape), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(tensors.images.values(), expected);
}

}  // namespace
}  // namespace mluop::roi_align
