// Tensor descriptors: fresh state, setters and getters, rank 0, overflow, contiguity.
#include "core/tensor/tensor_descriptor.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/tensor/tensor_descriptor_fixture.hpp"
#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "testing/faults/failing_calls.hpp"
#include "testing/faults/logged_warnings.hpp"

namespace mluop {
namespace {

using testing::expect_failures;
using Sizes = std::vector<std::int64_t>;

class Descriptor : public DescriptorTest {
 protected:
  void expect_fresh() const {
    EXPECT_EQ(desc->rank(), 0);
    EXPECT_TRUE(desc->empty());
    EXPECT_EQ(mluOpGetTensorElementNum(desc), 0u);
    mluOpTensorLayout_t layout = MLUOP_LAYOUT_NCHW;
    mluOpDataType_t dtype = MLUOP_DTYPE_INT8, onchip_dtype = MLUOP_DTYPE_INT8;
    int rank = -1, position = -1, offset = -1;
    float scale = -1;
    mluOpPointerMode_t mode = MLUOP_POINTER_MODE_HOST;
    EXPECT_EQ(mluOpGetTensorDescriptor(desc, &layout, &dtype, &rank, nullptr),
              MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(mluOpGetTensorDescriptorOnchipDataType(desc, &onchip_dtype), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(mluOpGetTensorDescriptorPointerMode(desc, &mode), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(mluOpGetTensorDescriptorPositionScaleAndOffset(desc, &position, &scale, &offset),
              MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(layout, MLUOP_LAYOUT_ARRAY);
    EXPECT_EQ(dtype, MLUOP_DTYPE_FLOAT);
    EXPECT_EQ(onchip_dtype, MLUOP_DTYPE_INVALID);
    EXPECT_EQ(mode, MLUOP_POINTER_MODE_DEVICE);
    EXPECT_EQ(rank, 0);
    EXPECT_EQ(position, 0);
    EXPECT_EQ(scale, 1.0f);
    EXPECT_EQ(offset, 0);
  }

  void expect_scalar() const {
    EXPECT_EQ(desc->rank(), 0);
    EXPECT_FALSE(desc->empty());
    EXPECT_EQ(mluOpGetTensorElementNum(desc), 1u);
  }
};

TEST_F(Descriptor, FreshState) { expect_fresh(); }

TEST_F(Descriptor, ResetBringsTheFreshStateBack) {
  set({2, 3, 5, 7});
  ASSERT_EQ(mluOpSetTensorDescriptorOnchipDataType(desc, MLUOP_DTYPE_INT8), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(mluOpSetTensorDescriptorPointerMode(desc, MLUOP_POINTER_MODE_HOST),
            MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(mluOpSetTensorDescriptorPositionScaleAndOffset(desc, 3, 2.5f, 4), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(mluOpResetTensorDescriptor(desc), MLUOP_STATUS_SUCCESS);
  expect_fresh();
}

TEST_F(Descriptor, SetInfersDenseStrides) {
  set({2, 3, 5, 7});
  mluOpTensorLayout_t layout = MLUOP_LAYOUT_ARRAY;
  mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT;
  int rank = 0, got_sizes[4], got_strides[4];
  ASSERT_EQ(mluOpGetTensorDescriptorEx(desc, &layout, &dtype, &rank, got_sizes, got_strides),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(layout, MLUOP_LAYOUT_NHWC);
  EXPECT_EQ(dtype, MLUOP_DTYPE_HALF);
  EXPECT_EQ(rank, 4);
  EXPECT_EQ(std::vector<int>(got_sizes, got_sizes + 4), (std::vector<int>{2, 3, 5, 7}));
  EXPECT_EQ(std::vector<int>(got_strides, got_strides + 4), (std::vector<int>{105, 35, 7, 1}));
  EXPECT_EQ(mluOpGetTensorElementNum(desc), 210u);
  EXPECT_TRUE(desc->contiguous());
}

TEST_F(Descriptor, SetTwiceIsSafeAndMayChangeTheRank) {
  set({2, 3, 5, 7});
  set({4});
  EXPECT_EQ(desc->dims, (Sizes{4}));
  EXPECT_EQ(desc->strides, (Sizes{1}));
  EXPECT_EQ(mluOpGetTensorElementNum(desc), 4u);
}

TEST_F(Descriptor, WideSizesRoundTripAndNarrowOnRequest) {
  const std::int64_t wide[2] = {std::int64_t{1} << 33, 3};
  ASSERT_EQ(mluOpSetTensorDescriptor_v2(desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_INT8, 2, wide),
            MLUOP_STATUS_SUCCESS);
  std::int64_t got[2], strides[2];
  mluOpTensorLayout_t layout;
  mluOpDataType_t dtype;
  int rank = 0, narrow[2];
  ASSERT_EQ(mluOpGetTensorDescriptorEx_v2(desc, &layout, &dtype, &rank, got, strides),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(got[0], wide[0]);
  EXPECT_EQ(strides[0], 3);
  ASSERT_EQ(mluOpGetTensorDescriptor_v2(desc, nullptr, nullptr, nullptr, got),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(got[1], 3);
  ASSERT_EQ(mluOpGetTensorDescriptor(desc, nullptr, nullptr, nullptr, narrow),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(narrow[0], 0);
  EXPECT_EQ(narrow[1], 3);
  EXPECT_EQ(mluOpGetTensorElementNum(desc), std::size_t{3} << 33);
}

TEST_F(Descriptor, ExKeepsTheStridesAndCountsTheSizes) {
  const int strides[3] = {100, 10, 2};
  ASSERT_EQ(
      mluOpSetTensorDescriptorEx(desc, MLUOP_LAYOUT_NLC, MLUOP_DTYPE_FLOAT, 3, sizes, strides),
      MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(desc->strides, (Sizes{100, 10, 2}));
  EXPECT_EQ(mluOpGetTensorElementNum(desc), 30u);
  EXPECT_FALSE(desc->contiguous());

  const std::int64_t wide_strides[3] = {std::int64_t{1} << 40, 5, 1};
  ASSERT_EQ(mluOpSetTensorDescriptorEx_v2(desc, MLUOP_LAYOUT_NCL, MLUOP_DTYPE_FLOAT, 3, wide_sizes,
                                          wide_strides),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(desc->strides[0], std::int64_t{1} << 40);
  EXPECT_EQ(desc->layout, MLUOP_LAYOUT_NCL);
}

TEST_F(Descriptor, DimKeepsLayoutAndDtype) {
  set({1});
  ASSERT_EQ(mluOpSetTensorDescriptorDim(desc, 3, sizes), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(desc->strides, (Sizes{15, 5, 1}));
  ASSERT_EQ(mluOpSetTensorDescriptorDim_v2(desc, 2, wide_sizes), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(desc->dims, (Sizes{2, 3}));
  EXPECT_EQ(desc->layout, MLUOP_LAYOUT_NHWC);
  EXPECT_EQ(desc->dtype, MLUOP_DTYPE_HALF);
}

TEST_F(Descriptor, SizesAreNotJudged) {
  set({2, 0, 3});
  EXPECT_TRUE(desc->empty());
  EXPECT_EQ(mluOpGetTensorElementNum(desc), 0u);
  set({-2, 3});
  EXPECT_EQ(desc->dims, (Sizes{-2, 3}));
  EXPECT_FALSE(desc->empty());
  EXPECT_EQ(mluOpGetTensorElementNum(desc), static_cast<std::size_t>(-6));
  set(std::vector<int>(20, 2));
  EXPECT_EQ(desc->rank(), 20);
  EXPECT_EQ(mluOpGetTensorElementNum(desc), std::size_t{1} << 20);
}

TEST_F(Descriptor, LayoutAndDtypeBeyondTheEnumerationsAreAccepted) {
  EXPECT_EQ(mluOpSetTensorDescriptor(desc, mluOpTensorLayout_t{99}, mluOpDataType_t{10}, 3, sizes),
            MLUOP_STATUS_SUCCESS);
}

TEST_F(Descriptor, RankZeroNeedsHostPointerMode) {
  expect_failures({
      {"mluOpSetTensorDescriptor: dimNb must be at least 1 unless the pointer mode is HOST, got 0",
       [&] {
         return mluOpSetTensorDescriptor(desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 0, sizes);
       }},
      {"mluOpSetTensorDescriptorEx_v2: dimNb must be at least 1 unless the pointer mode is HOST, "
       "got 0",
       [&] {
         return mluOpSetTensorDescriptorEx_v2(desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 0,
                                              wide_sizes, wide_sizes);
       }},
  });
  set({2, 3});
  ASSERT_EQ(mluOpSetTensorDescriptorPointerMode(desc, MLUOP_POINTER_MODE_HOST),
            MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(mluOpSetTensorDescriptor(desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_INT32, 0, nullptr),
            MLUOP_STATUS_SUCCESS);
  expect_scalar();
  EXPECT_EQ(mluOpSetTensorDescriptorEx_v2(desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_INT32, 0, nullptr,
                                          nullptr),
            MLUOP_STATUS_SUCCESS);
}

TEST_F(Descriptor, DimTakesRankZeroInHostPointerModeOnly) {
  const auto refused = [&] {
    expect_failures(
        {{"mluOpSetTensorDescriptorDim: dimNb must be at least 1 unless the pointer mode is "
          "HOST, got 0",
          [&] { return mluOpSetTensorDescriptorDim(desc, 0, sizes); }}});
  };
  refused();  // a new descriptor
  EXPECT_EQ(mluOpGetTensorElementNum(desc), 0u);
  set({2, 3});
  refused();
  EXPECT_EQ(desc->dims, (Sizes{2, 3}));
  ASSERT_EQ(mluOpSetTensorDescriptorPointerMode(desc, MLUOP_POINTER_MODE_HOST),
            MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(mluOpSetTensorDescriptorDim(desc, 0, nullptr), MLUOP_STATUS_SUCCESS);
  expect_scalar();
}

TEST_F(Descriptor, WideDimTakesRankZeroInEitherPointerMode) {
  for (mluOpPointerMode_t mode : {MLUOP_POINTER_MODE_DEVICE, MLUOP_POINTER_MODE_HOST}) {
    ASSERT_EQ(mluOpSetTensorDescriptorPointerMode(desc, mode), MLUOP_STATUS_SUCCESS);
    for (const std::int64_t* array : {static_cast<const std::int64_t*>(nullptr), wide_sizes}) {
      set({2, 3});
      ASSERT_EQ(mluOpSetTensorDescriptorDim_v2(desc, 0, array), MLUOP_STATUS_SUCCESS);
      expect_scalar();
    }
  }
}

TEST_F(Descriptor, OverflowOnlyWarns) {
  const testing::LoggedWarnings log;
  set({65536, 32767});
  set({65536, 65536, 0});
  EXPECT_TRUE(log.lines().empty());
  set({65536, 65536});
  EXPECT_EQ(mluOpGetTensorElementNum(desc), std::size_t{1} << 32);
  const std::int64_t wide[2] = {std::int64_t{1} << 32, std::int64_t{1} << 32};
  EXPECT_EQ(mluOpSetTensorDescriptor_v2(desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 2, wide),
            MLUOP_STATUS_SUCCESS);

  EXPECT_EQ(log.lines(),
            (std::vector<std::string>{
                "mluOpSetTensorDescriptor: the number of elements of [65536, 65536] does not fit a "
                "32-bit integer",
                "mluOpSetTensorDescriptor_v2: the number of elements of [4294967296, 4294967296] "
                "does not "
                "fit a 64-bit integer"}));
  EXPECT_EQ(mluOpGetTensorElementNum(desc), 0u) << "the product is modulo 2^64";
  EXPECT_FALSE(desc->empty()) << "but the tensor is not empty";
}

TEST_F(Descriptor, Contiguity) {
  const auto contiguous = [&](Sizes dims, Sizes strides) {
    desc->reshape(std::move(dims), std::move(strides));
    return desc->contiguous();
  };
  EXPECT_TRUE(contiguous({}, {}));
  EXPECT_TRUE(contiguous({2, 3, 4}, {12, 4, 1}));
  EXPECT_FALSE(contiguous({2, 3, 4}, {12, 4, 2}));
  EXPECT_FALSE(contiguous({2, 3, 4}, {24, 4, 1}));
  EXPECT_FALSE(contiguous({2, 3, 4}, {1, 2, 6}));
  // Channels-last strides of one channel, as PyTorch reports them.
  EXPECT_TRUE(contiguous({2, 1, 3, 4}, {12, 1, 4, 1}));
  EXPECT_TRUE(contiguous({1, 3, 1}, {999, 1, -5}));
  EXPECT_FALSE(contiguous({2, 3}, {0, 1}));
}

}  // namespace
}  // namespace mluop
