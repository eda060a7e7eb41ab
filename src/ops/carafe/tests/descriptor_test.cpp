// The CARAFE descriptor: its life, what it refuses, and what it keeps then.
#include "ops/carafe/descriptor.hpp"

#include <gtest/gtest.h>

#include <string>

#include "testing/faults/failing_calls.hpp"

namespace mluop::carafe {
namespace {

class CarafeDescriptorTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mluOpCreateCarafeDescriptor(&desc_), MLUOP_STATUS_SUCCESS); }
  void TearDown() override { EXPECT_EQ(mluOpDestroyCarafeDescriptor(desc_), MLUOP_STATUS_SUCCESS); }
  void expect_fields(int dimNb, int kernel_size, int group_size, int scale_factor) const {
    EXPECT_EQ(desc_->dimNb, dimNb);
    EXPECT_EQ(desc_->kernel_size, kernel_size);
    EXPECT_EQ(desc_->group_size, group_size);
    EXPECT_EQ(desc_->scale_factor, scale_factor);
  }

  mluOpCarafeDescriptor_t desc_ = nullptr;
};

TEST_F(CarafeDescriptorTest, StartsWithZerosAndKeepsWhatIsSet) {
  expect_fields(0, 0, 0, 0);
  ASSERT_EQ(mluOpSetCarafeDescriptor(desc_, 4, 5, 3, 2), MLUOP_STATUS_SUCCESS);
  expect_fields(4, 5, 3, 2);
  ASSERT_EQ(mluOpSetCarafeDescriptor(desc_, 4, 139, 1, 7), MLUOP_STATUS_SUCCESS)
      << "the card's limits are a matter of the operators";
  expect_fields(4, 139, 1, 7);
}

TEST_F(CarafeDescriptorTest, Null) {
  testing::expect_failures({{"mluOpCreateCarafeDescriptor: carafe_desc must not be null",
                             [] { return mluOpCreateCarafeDescriptor(nullptr); }},
                            {"mluOpSetCarafeDescriptor: carafe_desc must not be null",
                             [] { return mluOpSetCarafeDescriptor(nullptr, 4, 5, 1, 2); }},
                            {"mluOpSetCarafeDescriptor: carafe_desc must not be null",
                             [] { return mluOpSetCarafeDescriptor(nullptr, 0, 0, 0, 0); }},
                            {"mluOpDestroyCarafeDescriptor: carafe_desc must not be null",
                             [] { return mluOpDestroyCarafeDescriptor(nullptr); }}});
}

/// Each row has all later faults as well, which pins the order.
TEST_F(CarafeDescriptorTest, BadValuesChangeNothing) {
  ASSERT_EQ(mluOpSetCarafeDescriptor(desc_, 4, 5, 3, 2), MLUOP_STATUS_SUCCESS);
  const auto set = [&](int dimNb, int k, int G, int s) {
    return [=, this] { return mluOpSetCarafeDescriptor(desc_, dimNb, k, G, s); };
  };
  testing::expect_failures(
      {{"mluOpSetCarafeDescriptor: kernel_size must be at least 1, got 0", set(5, 0, 0, 0)},
       {"mluOpSetCarafeDescriptor: kernel_size must be at least 1, got -3", set(5, -3, 0, 0)},
       {"mluOpSetCarafeDescriptor: kernel_size must be odd, got 4", set(5, 4, 0, 0)},
       {"mluOpSetCarafeDescriptor: group_size must be at least 1, got 0", set(5, 3, 0, 0)},
       {"mluOpSetCarafeDescriptor: scale_factor must be at least 1, got -1", set(5, 3, 1, -1)},
       {"mluOpSetCarafeDescriptor: dimNb must be 4, got 5", set(5, 3, 1, 1)},
       {"mluOpSetCarafeDescriptor: dimNb must be 4, got 3", set(3, 3, 1, 1)}});
  expect_fields(4, 5, 3, 2);
}

}  // namespace
}  // namespace mluop::carafe
