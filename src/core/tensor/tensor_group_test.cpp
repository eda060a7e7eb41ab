// Groups of tensor descriptors: created, set and destroyed together.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/tensor/tensor_descriptor.hpp"
#include "mlu_op.h"
#include "testing/faults/failing_calls.hpp"

namespace mluop {
namespace {

using testing::expect_failures;
using Sizes = std::vector<std::int64_t>;

class DescriptorGroup : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mluOpCreateGroupTensorDescriptors(group, 2), MLUOP_STATUS_SUCCESS);
    ASSERT_NE(first, second);
  }
  void TearDown() override {
    EXPECT_EQ(mluOpDestroyGroupTensorDescriptors(group, 2), MLUOP_STATUS_SUCCESS);
  }

  mluOpTensorDescriptor_t first = nullptr, second = nullptr;
  mluOpTensorDescriptor_t* group[2] = {&first, &second};
  const mluOpTensorLayout_t layouts[2] = {MLUOP_LAYOUT_NCHW, MLUOP_LAYOUT_NC};
  const mluOpDataType_t dtypes[2] = {MLUOP_DTYPE_INT8, MLUOP_DTYPE_HALF};
  const int ranks[2] = {4, 2};
  const int sizes[6] = {2, 3, 4, 5, 6, 7};
};

TEST_F(DescriptorGroup, SizesAreConcatenated) {
  ASSERT_EQ(mluOpSetGroupTensorDescriptors(group, layouts, dtypes, ranks, sizes, 2),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(first->dims, (Sizes{2, 3, 4, 5}));
  EXPECT_EQ(first->strides, (Sizes{60, 20, 5, 1}));
  EXPECT_EQ(first->layout, MLUOP_LAYOUT_NCHW);
  EXPECT_EQ(second->dims, (Sizes{6, 7}));
  EXPECT_EQ(second->dtype, MLUOP_DTYPE_HALF);
}

TEST_F(DescriptorGroup, NamesWhatIsWrongAndSetsAllOrNone) {
  ASSERT_EQ(mluOpSetGroupTensorDescriptors(group, layouts, dtypes, ranks, sizes, 2),
            MLUOP_STATUS_SUCCESS);
  const int bad_ranks[2] = {1, -1};
  mluOpTensorDescriptor_t none = nullptr;
  mluOpTensorDescriptor_t* missing[2] = {&first, nullptr};
  mluOpTensorDescriptor_t* unset[2] = {&first, &none};
  expect_failures({
      {"mluOpCreateGroupTensorDescriptors: group_desc must not be null",
       [] { return mluOpCreateGroupTensorDescriptors(nullptr, 2); }},
      {"mluOpCreateGroupTensorDescriptors: desc_num must be at least 1, got 0",
       [&] { return mluOpCreateGroupTensorDescriptors(group, 0); }},
      {"mluOpCreateGroupTensorDescriptors: group_desc[1] must not be null",
       [&] { return mluOpCreateGroupTensorDescriptors(missing, 2); }},
      {"mluOpDestroyGroupTensorDescriptors: group_desc must not be null",
       [] { return mluOpDestroyGroupTensorDescriptors(nullptr, 2); }},
      {"mluOpDestroyGroupTensorDescriptors: desc_num must be at least 1, got -1",
       [&] { return mluOpDestroyGroupTensorDescriptors(group, -1); }},
      {"mluOpDestroyGroupTensorDescriptors: *group_desc[1] must not be null",
       [&] { return mluOpDestroyGroupTensorDescriptors(unset, 2); }},
      {"mluOpSetGroupTensorDescriptors: group_desc must not be null",
       [&] { return mluOpSetGroupTensorDescriptors(nullptr, layouts, dtypes, ranks, sizes, 2); }},
      {"mluOpSetGroupTensorDescriptors: group_layout must not be null",
       [&] { return mluOpSetGroupTensorDescriptors(group, nullptr, dtypes, ranks, sizes, 2); }},
      {"mluOpSetGroupTensorDescriptors: group_dtype must not be null",
       [&] { return mluOpSetGroupTensorDescriptors(group, layouts, nullptr, ranks, sizes, 2); }},
      {"mluOpSetGroupTensorDescriptors: group_dimNb must not be null",
       [&] { return mluOpSetGroupTensorDescriptors(group, layouts, dtypes, nullptr, sizes, 2); }},
      {"mluOpSetGroupTensorDescriptors: group_dimSize must not be null",
       [&] { return mluOpSetGroupTensorDescriptors(group, layouts, dtypes, ranks, nullptr, 2); }},
      {"mluOpSetGroupTensorDescriptors: desc_num must be at least 1, got 0",
       [&] { return mluOpSetGroupTensorDescriptors(group, layouts, dtypes, ranks, sizes, 0); }},
      {"mluOpSetGroupTensorDescriptors: group_desc[1] must not be null",
       [&] { return mluOpSetGroupTensorDescriptors(missing, layouts, dtypes, ranks, sizes, 2); }},
      {"mluOpSetGroupTensorDescriptors: dimNb must be at least 0, got -1",
       [&] { return mluOpSetGroupTensorDescriptors(group, layouts, dtypes, bad_ranks, sizes, 2); }},
  });
  EXPECT_EQ(first->dims, (Sizes{2, 3, 4, 5})) << "a refused group must change nothing";
  EXPECT_EQ(second->dims, (Sizes{6, 7}));
}

}  // namespace
}  // namespace mluop
