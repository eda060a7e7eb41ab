// What setters and getters of tensor descriptors refuse, with which sentence.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/tensor/tensor_descriptor_fixture.hpp"
#include "mlu_op.h"
#include "testing/faults/failing_calls.hpp"

namespace mluop {
namespace {

using testing::expect_failures;
using Sizes = std::vector<std::int64_t>;

class DescriptorBadCalls : public DescriptorTest {};

TEST_F(DescriptorBadCalls, SettersNameWhatIsWrong) {
  const auto array = MLUOP_LAYOUT_ARRAY;
  const auto floats = MLUOP_DTYPE_FLOAT;
  set({4, 6});
  expect_failures({
      {"mluOpSetTensorDescriptor: desc must not be null",
       [&] { return mluOpSetTensorDescriptor(nullptr, array, floats, 3, sizes); }},
      {"mluOpSetTensorDescriptor: layout must be at least 0, got -1",
       [&] { return mluOpSetTensorDescriptor(desc, mluOpTensorLayout_t{-1}, floats, 3, sizes); }},
      {"mluOpSetTensorDescriptor: dtype must be at least 0, got -2",
       [&] { return mluOpSetTensorDescriptor(desc, array, mluOpDataType_t{-2}, 3, sizes); }},
      {"mluOpSetTensorDescriptor: dimNb must be at least 0, got -1",
       [&] { return mluOpSetTensorDescriptor(desc, array, floats, -1, sizes); }},
      {"mluOpSetTensorDescriptor: dimSize must not be null",
       [&] { return mluOpSetTensorDescriptor(desc, array, floats, 3, nullptr); }},
      {"mluOpSetTensorDescriptor_v2: desc must not be null",
       [&] { return mluOpSetTensorDescriptor_v2(nullptr, array, floats, 3, wide_sizes); }},
      {"mluOpSetTensorDescriptor_v2: dimSize must not be null",
       [&] { return mluOpSetTensorDescriptor_v2(desc, array, floats, 3, nullptr); }},
      {"mluOpSetTensorDescriptorEx: desc must not be null",
       [&] { return mluOpSetTensorDescriptorEx(nullptr, array, floats, 3, sizes, sizes); }},
      {"mluOpSetTensorDescriptorEx: dimSize must not be null",
       [&] { return mluOpSetTensorDescriptorEx(desc, array, floats, 3, nullptr, sizes); }},
      {"mluOpSetTensorDescriptorEx: dimStride must not be null",
       [&] { return mluOpSetTensorDescriptorEx(desc, array, floats, 3, sizes, nullptr); }},
      {"mluOpSetTensorDescriptorEx: dimNb must be at least 0, got -3",
       [&] { return mluOpSetTensorDescriptorEx(desc, array, floats, -3, sizes, sizes); }},
      {"mluOpSetTensorDescriptorEx_v2: dimStride must not be null",
       [&] { return mluOpSetTensorDescriptorEx_v2(desc, array, floats, 3, wide_sizes, nullptr); }},
      {"mluOpSetTensorDescriptorDim: desc must not be null",
       [&] { return mluOpSetTensorDescriptorDim(nullptr, 3, sizes); }},
      {"mluOpSetTensorDescriptorDim: dimSize must not be null",
       [&] { return mluOpSetTensorDescriptorDim(desc, 3, nullptr); }},
      {"mluOpSetTensorDescriptorDim_v2: dimSize must not be null",
       [&] { return mluOpSetTensorDescriptorDim_v2(desc, 1, nullptr); }},
      {"mluOpSetTensorDescriptorDim_v2: dimNb must be at least 0, got -1",
       [&] { return mluOpSetTensorDescriptorDim_v2(desc, -1, wide_sizes); }},
      {"mluOpResetTensorDescriptor: desc must not be null",
       [] { return mluOpResetTensorDescriptor(nullptr); }},
      {"mluOpCreateTensorDescriptor: desc must not be null",
       [] { return mluOpCreateTensorDescriptor(nullptr); }},
      {"mluOpDestroyTensorDescriptor: desc must not be null",
       [] { return mluOpDestroyTensorDescriptor(nullptr); }},
  });
  EXPECT_EQ(desc->dims, (Sizes{4, 6})) << "a refused setter must change nothing";
  EXPECT_EQ(desc->layout, MLUOP_LAYOUT_NHWC);
  EXPECT_EQ(desc->dtype, MLUOP_DTYPE_HALF);
}

TEST_F(DescriptorBadCalls, GettersSkipNullOutputsButNotExGetters) {
  set({2, 3});
  EXPECT_EQ(mluOpGetTensorDescriptor(desc, nullptr, nullptr, nullptr, nullptr),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(mluOpGetTensorDescriptor_v2(desc, nullptr, nullptr, nullptr, nullptr),
            MLUOP_STATUS_SUCCESS);
  mluOpTensorLayout_t layout;
  mluOpDataType_t dtype;
  int rank, out[2];
  std::int64_t wide[2];
  expect_failures({
      {"mluOpGetTensorDescriptor: desc must not be null",
       [&] { return mluOpGetTensorDescriptor(nullptr, &layout, &dtype, &rank, out); }},
      {"mluOpGetTensorDescriptor_v2: desc must not be null",
       [&] { return mluOpGetTensorDescriptor_v2(nullptr, &layout, &dtype, &rank, wide); }},
      {"mluOpGetTensorDescriptorEx: desc must not be null",
       [&] { return mluOpGetTensorDescriptorEx(nullptr, &layout, &dtype, &rank, out, out); }},
      {"mluOpGetTensorDescriptorEx: layout must not be null",
       [&] { return mluOpGetTensorDescriptorEx(desc, nullptr, &dtype, &rank, out, out); }},
      {"mluOpGetTensorDescriptorEx: dtype must not be null",
       [&] { return mluOpGetTensorDescriptorEx(desc, &layout, nullptr, &rank, out, out); }},
      {"mluOpGetTensorDescriptorEx: dimNb must not be null",
       [&] { return mluOpGetTensorDescriptorEx(desc, &layout, &dtype, nullptr, out, out); }},
      {"mluOpGetTensorDescriptorEx: dimSize must not be null",
       [&] { return mluOpGetTensorDescriptorEx(desc, &layout, &dtype, &rank, nullptr, out); }},
      {"mluOpGetTensorDescriptorEx: dimStride must not be null",
       [&] { return mluOpGetTensorDescriptorEx(desc, &layout, &dtype, &rank, out, nullptr); }},
      {"mluOpGetTensorDescriptorEx_v2: dimStride must not be null",
       [&] { return mluOpGetTensorDescriptorEx_v2(desc, &layout, &dtype, &rank, wide, nullptr); }},
      {"mluOpGetTensorElementNum: desc must not be null",
       [] {
         EXPECT_EQ(mluOpGetTensorElementNum(nullptr), 0u);
         return MLUOP_STATUS_BAD_PARAM;
       }},
  });
}

}  // namespace
}  // namespace mluop
