// Attributes of a tensor descriptor: on-chip dtype, pointer mode, position, scale and offset.
#include <gtest/gtest.h>

#include "core/tensor/tensor_descriptor_fixture.hpp"
#include "mlu_op.h"
#include "testing/faults/failing_calls.hpp"

namespace mluop {
namespace {

using testing::expect_failures;

class DescriptorAttributes : public DescriptorTest {};

TEST_F(DescriptorAttributes, RoundTrip) {
  ASSERT_EQ(mluOpSetTensorDescriptorOnchipDataType(desc, MLUOP_DTYPE_INT16), MLUOP_STATUS_SUCCESS);
  mluOpDataType_t onchip_dtype = MLUOP_DTYPE_INVALID;
  ASSERT_EQ(mluOpGetTensorDescriptorOnchipDataType(desc, &onchip_dtype), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(onchip_dtype, MLUOP_DTYPE_INT16);

  int position = 0, offset = 0;
  float scale = 0;
  ASSERT_EQ(mluOpSetTensorDescriptorPositionScaleAndOffset(desc, 1, 2.5f, 3), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(mluOpSetTensorDescriptorPositionAndScale(desc, 4, 0.5f), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(mluOpGetTensorDescriptorPositionScaleAndOffset(desc, &position, &scale, &offset),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(position, 4);
  EXPECT_EQ(scale, 0.5f);
  EXPECT_EQ(offset, 3);
  ASSERT_EQ(mluOpSetTensorDescriptorPosition(desc, -7), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(mluOpGetTensorDescriptorPositionAndScale(desc, &position, &scale),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(position, -7);
  EXPECT_EQ(scale, 0.5f);
  position = 0;
  ASSERT_EQ(mluOpGetTensorDescriptorPosition(desc, &position), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(position, -7);
}

TEST_F(DescriptorAttributes, NameWhatIsWrong) {
  int position, offset;
  float scale;
  expect_failures({
      {"mluOpSetTensorDescriptorOnchipDataType: desc must not be null",
       [] { return mluOpSetTensorDescriptorOnchipDataType(nullptr, MLUOP_DTYPE_FLOAT); }},
      {"mluOpGetTensorDescriptorOnchipDataType: onchip_dtype must not be null",
       [&] { return mluOpGetTensorDescriptorOnchipDataType(desc, nullptr); }},
      {"mluOpSetTensorDescriptorPointerMode: desc must not be null",
       [] { return mluOpSetTensorDescriptorPointerMode(nullptr, MLUOP_POINTER_MODE_HOST); }},
      {"mluOpSetTensorDescriptorPointerMode: pointer_mode must be at least 0, got -1",
       [&] { return mluOpSetTensorDescriptorPointerMode(desc, mluOpPointerMode_t{-1}); }},
      {"mluOpGetTensorDescriptorPointerMode: pointer_mode must not be null",
       [&] { return mluOpGetTensorDescriptorPointerMode(desc, nullptr); }},
      {"mluOpSetTensorDescriptorPosition: desc must not be null",
       [] { return mluOpSetTensorDescriptorPosition(nullptr, 1); }},
      {"mluOpSetTensorDescriptorPositionAndScale: desc must not be null",
       [] { return mluOpSetTensorDescriptorPositionAndScale(nullptr, 1, 1); }},
      {"mluOpSetTensorDescriptorPositionScaleAndOffset: desc must not be null",
       [] { return mluOpSetTensorDescriptorPositionScaleAndOffset(nullptr, 1, 1, 1); }},
      {"mluOpGetTensorDescriptorPosition: position must not be null",
       [&] { return mluOpGetTensorDescriptorPosition(desc, nullptr); }},
      {"mluOpGetTensorDescriptorPositionAndScale: scale must not be null",
       [&] { return mluOpGetTensorDescriptorPositionAndScale(desc, &position, nullptr); }},
      {"mluOpGetTensorDescriptorPositionScaleAndOffset: offset must not be null",
       [&] {
         return mluOpGetTensorDescriptorPositionScaleAndOffset(desc, &position, &scale, nullptr);
       }},
      {"mluOpGetTensorDescriptorPositionScaleAndOffset: desc must not be null",
       [&] {
         return mluOpGetTensorDescriptorPositionScaleAndOffset(nullptr, &position, &scale, &offset);
       }},
  });
}

}  // namespace
}  // namespace mluop
