// A tensor descriptor for the length of a test.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/tensor/tensor_descriptor.hpp"
#include "mlu_op.h"
#include "mlu_op_cpu.h"

namespace mluop {

class DescriptorTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mluOpCreateTensorDescriptor(&desc), MLUOP_STATUS_SUCCESS); }
  void TearDown() override { EXPECT_EQ(mluOpDestroyTensorDescriptor(desc), MLUOP_STATUS_SUCCESS); }

  /// An NHWC tensor of halves.
  void set(const std::vector<int>& dims) {
    ASSERT_EQ(mluOpSetTensorDescriptor(desc, MLUOP_LAYOUT_NHWC, MLUOP_DTYPE_HALF,
                                       static_cast<int>(dims.size()), dims.data()),
              MLUOP_STATUS_SUCCESS)
        << mluOpCpuGetLastError();
  }

  mluOpTensorDescriptor_t desc = nullptr;
  const int sizes[3] = {2, 3, 5};
  const std::int64_t wide_sizes[3] = {2, 3, 5};
};

}  // namespace mluop
