// Tensor sets: positions, sizes and addresses of members, refusals, and little memory.
#include <gtest/gtest.h>

#include <climits>
#include <cstdint>
#include <vector>

#include "core/tensor/tensor_set.hpp"
#include "mlu_op.h"
#include "testing/faults/failing_allocations.hpp"
#include "testing/faults/failing_calls.hpp"

namespace mluop {
namespace {

using testing::expect_failures;
using testing::FailingAllocations;
using Index = std::vector<int>;

/// A set of 2 x 3 members.
class TensorSet : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mluOpCreateTensorSetDescriptor(&set, 2, sides), MLUOP_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(mluOpDestroyTensorSetDescriptor(set), MLUOP_STATUS_SUCCESS);
  }

  mluOpStatus_t init(const Index& index, mluOpDataType_t dtype, const std::vector<int>& dims) {
    return mluOpInitTensorSetMemberDescriptor(set, static_cast<int>(index.size()), index.data(),
                                              MLUOP_LAYOUT_ARRAY, dtype,
                                              static_cast<int>(dims.size()), dims.data());
  }
  int size() {
    int bytes = -1;
    EXPECT_EQ(mluOpGetTensorSetDescriptorSize(set, &bytes), MLUOP_STATUS_SUCCESS);
    return bytes;
  }
  /// The descriptor of a member, and how far behind the beginning its data are.
  std::pair<mluOpTensorDescriptor_t, std::ptrdiff_t> member(const Index& index) {
    mluOpTensorDescriptor_t desc = nullptr;
    void* address = nullptr;
    EXPECT_EQ(mluOpGetTensorAndDataFromTensorSet(set, 2, index.data(), block, &desc, &address),
              MLUOP_STATUS_SUCCESS);
    return {desc, static_cast<char*>(address) - block};
  }

  const int sides[2] = {2, 3};
  const int first[2] = {0, 0};
  char block[1] = {};
  mluOpTensorSetDescriptor_t set = nullptr;
};

TEST_F(TensorSet, KnowsItsDims) {
  int rank = 0, dims[2] = {};
  ASSERT_EQ(mluOpGetTensorSetDescriptor(set, &rank, dims), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(rank, 2);
  EXPECT_EQ(dims[0], 2);
  EXPECT_EQ(dims[1], 3);
}

TEST_F(TensorSet, MembersBeginAsNewDescriptors) {
  EXPECT_EQ(size(), 0);
  const auto [desc, offset] = member({1, 2});
  EXPECT_EQ(offset, 0);
  EXPECT_EQ(mluOpGetTensorElementNum(desc), 0u);
  EXPECT_EQ(desc->dtype, MLUOP_DTYPE_FLOAT);
  EXPECT_EQ(desc->scale, 1.0f);
}

TEST_F(TensorSet, DataLieOneBehindTheOtherWithTheLastDimFastest) {
  ASSERT_EQ(init({0, 0}, MLUOP_DTYPE_FLOAT, {2, 3}), MLUOP_STATUS_SUCCESS);   // 24 bytes
  ASSERT_EQ(init({0, 2}, MLUOP_DTYPE_HALF, {5}), MLUOP_STATUS_SUCCESS);       // 10
  ASSERT_EQ(init({1, 0}, MLUOP_DTYPE_INT8, {7, 1}), MLUOP_STATUS_SUCCESS);    // 7
  ASSERT_EQ(init({1, 2}, MLUOP_DTYPE_DOUBLE, {1, 2}), MLUOP_STATUS_SUCCESS);  // 16
  EXPECT_EQ(size(), 57);
  EXPECT_EQ(member({0, 0}).second, 0);
  EXPECT_EQ(member({0, 1}).second, 24);
  EXPECT_EQ(member({0, 2}).second, 24) << "member 1 has not been set";
  EXPECT_EQ(member({1, 0}).second, 34);
  EXPECT_EQ(member({1, 1}).second, 41);
  EXPECT_EQ(member({1, 2}).second, 41);
  const mluOpTensorDescriptor_t desc = member({1, 0}).first;
  EXPECT_EQ(desc->dims, (std::vector<std::int64_t>{7, 1}));
  EXPECT_EQ(desc->dtype, MLUOP_DTYPE_INT8);
  EXPECT_EQ(desc, member({1, 0}).first) << "it is the set's own";
  ASSERT_EQ(init({0, 0}, MLUOP_DTYPE_HALF, {1}), MLUOP_STATUS_SUCCESS) << "may be set again";
  EXPECT_EQ(size(), 35);
}

TEST_F(TensorSet, PositionAndScaleOfAMember) {
  const int index[2] = {1, 1};
  ASSERT_EQ(mluOpInitTensorSetMemberDescriptorPositionAndScale(set, 2, index, -3, 0.5f),
            MLUOP_STATUS_SUCCESS);
  int position = 0;
  float scale = 0;
  ASSERT_EQ(mluOpGetTensorDescriptorPositionAndScale(member({1, 1}).first, &position, &scale),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(position, -3);
  EXPECT_EQ(scale, 0.5f);
  EXPECT_EQ(member({1, 2}).first->position, 0);
}

TEST_F(TensorSet, SizesThatFitNoIntAreRefused) {
  ASSERT_EQ(init({0, 0}, MLUOP_DTYPE_INT8, {INT_MAX}), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(size(), INT_MAX);
  EXPECT_EQ(member({0, 1}).second, INT_MAX);
  ASSERT_EQ(init({0, 1}, MLUOP_DTYPE_INT8, {1}), MLUOP_STATUS_SUCCESS);
  int bytes = -1;
  mluOpTensorDescriptor_t desc = nullptr;
  void* address = nullptr;
  const int third[2] = {0, 2};
  const auto ask_size = [&] { return mluOpGetTensorSetDescriptorSize(set, &bytes); };
  expect_failures({
      {"mluOpGetTensorSetDescriptorSize: the size of the set in bytes must be at most 2147483647, "
       "got "
       "2147483648",
       ask_size},
      {"mluOpGetTensorAndDataFromTensorSet: the offset of the data in bytes must be at most "
       "2147483647, "
       "got 2147483648",
       [&] { return mluOpGetTensorAndDataFromTensorSet(set, 2, third, block, &desc, &address); }},
  });
  // Sizes are not judged by the setter: a negative one counts as beyond everything.
  ASSERT_EQ(init({0, 0}, MLUOP_DTYPE_FLOAT, {-1}), MLUOP_STATUS_SUCCESS);
  expect_failures(
      {{"mluOpGetTensorSetDescriptorSize: the size of the set in bytes must be at most "
        "2147483647, got 9223372036854775807",
        ask_size}});
  EXPECT_EQ(bytes, -1);
  EXPECT_EQ(desc, nullptr);
  EXPECT_EQ(address, nullptr);
}

TEST_F(TensorSet, CreationNamesWhatIsWrong) {
  const int zero[2] = {2, 0}, negative[2] = {-1, 2}, many[3] = {1 << 16, 1 << 15, 1 << 15};
  mluOpTensorSetDescriptor_t other = nullptr;
  expect_failures({
      {"mluOpCreateTensorSetDescriptor: tensorSetDesc must not be null",
       [&] { return mluOpCreateTensorSetDescriptor(nullptr, 2, sides); }},
      {"mluOpCreateTensorSetDescriptor: setDimSize must not be null",
       [&] { return mluOpCreateTensorSetDescriptor(&other, 2, nullptr); }},
      {"mluOpCreateTensorSetDescriptor: setDimNb must be at least 1, got 0",
       [&] { return mluOpCreateTensorSetDescriptor(&other, 0, sides); }},
      {"mluOpCreateTensorSetDescriptor: setDimNb must be at least 1, got -1",
       [&] { return mluOpCreateTensorSetDescriptor(&other, -1, sides); }},
      {"mluOpCreateTensorSetDescriptor: setDimSize[1] must be at least 1, got 0",
       [&] { return mluOpCreateTensorSetDescriptor(&other, 2, zero); }},
      {"mluOpCreateTensorSetDescriptor: setDimSize[0] must be at least 1, got -1",
       [&] { return mluOpCreateTensorSetDescriptor(&other, 2, negative); }},
      {"mluOpCreateTensorSetDescriptor: the product of setDimSize must be at most 2147483647, got "
       "2147483648",
       [&] { return mluOpCreateTensorSetDescriptor(&other, 3, many); }},
      {"mluOpDestroyTensorSetDescriptor: tensorSetDesc must not be null",
       [] { return mluOpDestroyTensorSetDescriptor(nullptr); }},
  });
  EXPECT_EQ(other, nullptr);
}

TEST_F(TensorSet, QueriesNameWhatIsMissing) {
  int rank = 0, dims[2], bytes = 0;
  expect_failures({
      {"mluOpGetTensorSetDescriptor: tensorSetDesc must not be null",
       [&] { return mluOpGetTensorSetDescriptor(nullptr, &rank, dims); }},
      {"mluOpGetTensorSetDescriptor: setDimNb must not be null",
       [&] { return mluOpGetTensorSetDescriptor(set, nullptr, dims); }},
      {"mluOpGetTensorSetDescriptor: setDimSize must not be null",
       [&] { return mluOpGetTensorSetDescriptor(set, &rank, nullptr); }},
      {"mluOpGetTensorSetDescriptorSize: tensorSetDesc must not be null",
       [&] { return mluOpGetTensorSetDescriptorSize(nullptr, &bytes); }},
      {"mluOpGetTensorSetDescriptorSize: sizeInBytes must not be null",
       [&] { return mluOpGetTensorSetDescriptorSize(set, nullptr); }},
  });
}

TEST_F(TensorSet, AMemberIsNamedByItsIndex) {
  const auto floats = MLUOP_DTYPE_FLOAT;
  const auto array = MLUOP_LAYOUT_ARRAY;
  const int low[2] = {0, -1}, high[2] = {2, 0}, wide[2] = {1, 3}, dims[2] = {4, 5};
  const auto init_at = [&](mluOpTensorSetDescriptor_t in, int rank, const int* index) {
    return mluOpInitTensorSetMemberDescriptor(in, rank, index, array, floats, 2, dims);
  };
  expect_failures({
      {"mluOpInitTensorSetMemberDescriptor: tensorSetDesc must not be null",
       [&] { return init_at(nullptr, 2, first); }},
      {"mluOpInitTensorSetMemberDescriptor: tensorIndex must not be null",
       [&] { return init_at(set, 2, nullptr); }},
      {"mluOpInitTensorSetMemberDescriptor: setDimNb must be 2, got 1",
       [&] { return init_at(set, 1, first); }},
      {"mluOpInitTensorSetMemberDescriptor: setDimNb must be 2, got 3",
       [&] { return init_at(set, 3, first); }},
      {"mluOpInitTensorSetMemberDescriptor: tensorIndex[1] must be at least 0, got -1",
       [&] { return init_at(set, 2, low); }},
      {"mluOpInitTensorSetMemberDescriptor: tensorIndex[0] must be at most 1, got 2",
       [&] { return init_at(set, 2, high); }},
      {"mluOpInitTensorSetMemberDescriptor: tensorIndex[1] must be at most 2, got 3",
       [&] { return init_at(set, 2, wide); }},
      {"mluOpInitTensorSetMemberDescriptor: layout must be at least 0, got -1",
       [&] {
         return mluOpInitTensorSetMemberDescriptor(set, 2, first, mluOpTensorLayout_t{-1}, floats,
                                                   2, dims);
       }},
      {"mluOpInitTensorSetMemberDescriptor: dtype must be at least 0, got -1",
       [&] {
         return mluOpInitTensorSetMemberDescriptor(set, 2, first, array, mluOpDataType_t{-1}, 2,
                                                   dims);
       }},
      {"mluOpInitTensorSetMemberDescriptor: dimNb must be at least 1 unless the pointer mode is "
       "HOST, "
       "got 0",
       [&] { return mluOpInitTensorSetMemberDescriptor(set, 2, first, array, floats, 0, dims); }},
      {"mluOpInitTensorSetMemberDescriptor: dimSize must not be null",
       [&] {
         return mluOpInitTensorSetMemberDescriptor(set, 2, first, array, floats, 2, nullptr);
       }},
  });
  EXPECT_EQ(size(), 0) << "a refused member must not change";
}

TEST_F(TensorSet, PositionAndAddressNameWhatIsWrong) {
  const int high[2] = {2, 0};
  mluOpTensorDescriptor_t desc = nullptr;
  void* address = nullptr;
  const auto scale_at = [&](mluOpTensorSetDescriptor_t in, int rank, const int* index) {
    return mluOpInitTensorSetMemberDescriptorPositionAndScale(in, rank, index, 1, 1);
  };
  const auto get = mluOpGetTensorAndDataFromTensorSet;
  expect_failures({
      {"mluOpInitTensorSetMemberDescriptorPositionAndScale: tensorSetDesc must not be null",
       [&] { return scale_at(nullptr, 2, first); }},
      {"mluOpInitTensorSetMemberDescriptorPositionAndScale: tensorIndex must not be null",
       [&] { return scale_at(set, 2, nullptr); }},
      {"mluOpInitTensorSetMemberDescriptorPositionAndScale: setDimNb must be 2, got 1",
       [&] { return scale_at(set, 1, first); }},
      {"mluOpInitTensorSetMemberDescriptorPositionAndScale: tensorIndex[0] must be at most 1, got "
       "2",
       [&] { return scale_at(set, 2, high); }},
      {"mluOpGetTensorAndDataFromTensorSet: tensorSetDesc must not be null",
       [&] { return get(nullptr, 2, first, block, &desc, &address); }},
      {"mluOpGetTensorAndDataFromTensorSet: tensorIndex must not be null",
       [&] { return get(set, 2, nullptr, block, &desc, &address); }},
      {"mluOpGetTensorAndDataFromTensorSet: data must not be null",
       [&] { return get(set, 2, first, nullptr, &desc, &address); }},
      {"mluOpGetTensorAndDataFromTensorSet: tensorDesc must not be null",
       [&] { return get(set, 2, first, block, nullptr, &address); }},
      {"mluOpGetTensorAndDataFromTensorSet: dataAddrInDevice must not be null",
       [&] { return get(set, 2, first, block, &desc, nullptr); }},
      {"mluOpGetTensorAndDataFromTensorSet: setDimNb must be 2, got 3",
       [&] { return get(set, 3, first, block, &desc, &address); }},
      {"mluOpGetTensorAndDataFromTensorSet: tensorIndex[0] must be at most 1, got 2",
       [&] { return get(set, 2, high, block, &desc, &address); }},
  });
}

TEST_F(TensorSet, WithoutMemoryNothingChanges) {
  long failed = 0;
  for (long n = 0;; ++n) {
    mluOpTensorSetDescriptor_t other = nullptr;
    FailingAllocations scarce(n);
    const mluOpStatus_t status = mluOpCreateTensorSetDescriptor(&other, 2, sides);
    if (scarce.failures() == 0) {
      ASSERT_EQ(status, MLUOP_STATUS_SUCCESS);
      EXPECT_EQ(mluOpDestroyTensorSetDescriptor(other), MLUOP_STATUS_SUCCESS);
      break;
    }
    ++failed;
    EXPECT_EQ(status, MLUOP_STATUS_ALLOC_FAILED);
    EXPECT_EQ(other, nullptr);
    EXPECT_STREQ(mluOpCpuGetLastError(), "mluOpCreateTensorSetDescriptor: out of memory");
  }
  EXPECT_GE(failed, 3) << "the set, its dims and its members";

  ASSERT_EQ(init({0, 0}, MLUOP_DTYPE_INT8, {3}), MLUOP_STATUS_SUCCESS);
  for (long n = 0;; ++n) {
    const int dims[4] = {1, 2, 3, 4};
    FailingAllocations scarce(n);
    const mluOpStatus_t status = mluOpInitTensorSetMemberDescriptor(
        set, 2, first, MLUOP_LAYOUT_NHWC, MLUOP_DTYPE_HALF, 4, dims);
    if (scarce.failures() == 0) break;
    EXPECT_EQ(status, MLUOP_STATUS_ALLOC_FAILED);
    EXPECT_STREQ(mluOpCpuGetLastError(), "mluOpInitTensorSetMemberDescriptor: out of memory");
    EXPECT_EQ(size(), 3) << "the member is what it was";
  }
  EXPECT_EQ(size(), 48);
}

}  // namespace
}  // namespace mluop
