// Every bad call of RoI align's tables is refused as stated; the descriptor; the function that the card lacks.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "ops/roi_align/kit/spoilable_call.hpp"
#include "testing/faults/failing_calls.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::roi_align::checks {
namespace {

TEST(RoiAlignBadCallTables, AreRefusedAsStated) {
  for (const Function function : {Function::forward, Function::backward}) {
    const auto outcomes = bad_calls(function);
    EXPECT_GT(outcomes.size(), 200u);
    for (const auto& outcome : outcomes) testing::fail_on(outcome);
  }
}

class RoiAlignDescriptorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mluOpCreateRoiAlignForwardDescriptor(&desc_), MLUOP_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(mluOpDestroyRoiAlignForwardDescriptor(desc_), MLUOP_STATUS_SUCCESS);
  }
  mluOpStatus_t set(int height, int width, float scale, int mode) const {
    return mluOpSetRoiAlignForwardDescriptor_v2(desc_, height, width, -3, scale, mode, true);
  }
  void expect_fields(int height, int width, int ratio, float scale, int mode, bool aligned) const {
    EXPECT_EQ(desc_->pooled_height, height);
    EXPECT_EQ(desc_->pooled_width, width);
    EXPECT_EQ(desc_->sampling_ratio, ratio);
    EXPECT_EQ(desc_->spatial_scale, scale);
    EXPECT_EQ(desc_->pool_mode, mode);
    EXPECT_EQ(desc_->aligned, aligned);
  }

  mluOpRoiAlignForwardDescriptor_t desc_ = nullptr;
};

TEST_F(RoiAlignDescriptorTest, KeepsWhatIsSetLast) {
  expect_fields(0, 0, 0, 0, 0, false);
  ASSERT_EQ(set(7, 8, 0.25f, 1), MLUOP_STATUS_SUCCESS);
  expect_fields(7, 8, -3, 0.25f, 1, true);
  ASSERT_EQ(mluOpSetRoiAlignForwardDescriptor_v2(desc_, 2, 3, 4, -0.5f, 0, false),
            MLUOP_STATUS_SUCCESS);
  expect_fields(2, 3, 4, -0.5f, 0, false);
}

/// Each row has all later faults as well, which pins the order.
TEST_F(RoiAlignDescriptorTest, BadValuesChangeNothing) {
  ASSERT_EQ(set(7, 8, 0.25f, 1), MLUOP_STATUS_SUCCESS);
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  testing::expect_failures(
      {{"mluOpSetRoiAlignForwardDescriptor_v2: pooled_height must be at least 1, got 0",
        [&] { return set(0, 0, nan, 2); }},
       {"mluOpSetRoiAlignForwardDescriptor_v2: pooled_width must be at least 1, got -1",
        [&] { return set(7, -1, nan, 2); }},
       {"mluOpSetRoiAlignForwardDescriptor_v2: spatial_scale must be finite, got nan",
        [&] { return set(7, 7, nan, 2); }},
       {"mluOpSetRoiAlignForwardDescriptor_v2: spatial_scale must be finite, got -inf",
        [&] { return set(7, 7, -inf, 2); }},
       {"mluOpSetRoiAlignForwardDescriptor_v2: pool_mode must be one of 0, 1, got 2",
        [&] { return set(7, 7, 1, 2); }},
       {"mluOpSetRoiAlignForwardDescriptor_v2: pool_mode must be one of 0, 1, got -1",
        [&] { return set(7, 7, 1, -1); }}});
  expect_fields(7, 8, -3, 0.25f, 1, true);
}

TEST_F(RoiAlignDescriptorTest, Null) {
  testing::expect_failures(
      {{"mluOpCreateRoiAlignForwardDescriptor: desc must not be null",
        [] { return mluOpCreateRoiAlignForwardDescriptor(nullptr); }},
       {"mluOpDestroyRoiAlignForwardDescriptor: desc must not be null",
        [] { return mluOpDestroyRoiAlignForwardDescriptor(nullptr); }},
       {"mluOpSetRoiAlignForwardDescriptor_v2: roialign_desc must not be null",
        [] { return mluOpSetRoiAlignForwardDescriptor_v2(nullptr, 0, 0, 0, 0, 5, false); }}});
}

/// Before any other rule: every argument is wrong.
TEST(RoiAlignBackward, IsNotOnTheCard) {
  testing::Handle handle;
  handle.limits(MLUOP_CPU_LIMITS_MLU);
  testing::expect_failures(
      {{"mluOpRoiAlignBackward: use mluOpRoiAlignBackward_v2 (a limit of the "
        "card, in force on this handle)",
        [&] {
          return mluOpRoiAlignBackward(handle, std::nanf(""), 0, true, nullptr, nullptr, nullptr,
                                       nullptr, nullptr, nullptr);
        },
        MLUOP_STATUS_NOT_SUPPORTED}});
}

}  // namespace
}  // namespace mluop::roi_align::checks
