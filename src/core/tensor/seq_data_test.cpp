// Descriptors of sequence data: what is stored, what is refused in which order, and little memory.
#include "core/tensor/seq_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "mlu_op.h"
#include "testing/faults/failing_allocations.hpp"
#include "testing/faults/failing_calls.hpp"

namespace mluop {
namespace {

using testing::expect_failures;
using testing::FailingAllocations;

class SeqData : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mluOpCreateSeqDataDescriptor(&desc), MLUOP_STATUS_SUCCESS); }
  void TearDown() override { EXPECT_EQ(mluOpDestroySeqDataDescriptor(desc), MLUOP_STATUS_SUCCESS); }

  /// Everything valid, unless a test replaces an argument.
  struct Arguments {
    mluOpSeqDataLayout_t layout = MLUOP_SEQDATA_NBTC;
    mluOpDataType_t dtype = MLUOP_DTYPE_HALF;
    int dimNb = 4;
    std::vector<std::int64_t> dims{2, 1, std::int64_t{1} << 40, 0};
    int length_count = 2;
    std::vector<int> lengths{3, 1};
    void* padding = nullptr;
  };
  mluOpStatus_t set(const Arguments& args) {
    return mluOpSetSeqDataDescriptor_v2(desc, args.layout, args.dtype, args.dimNb, args.dims.data(),
                                        args.length_count, args.lengths.data(), args.padding);
  }
  void expect_refused(const char* problem, const Arguments& args) {
    const std::string sentence = std::string("mluOpSetSeqDataDescriptor_v2: ") + problem;
    expect_failures({{sentence.c_str(), [&] { return set(args); }}});
  }

  mluOpSeqDataDescriptor_t desc = nullptr;
};

TEST_F(SeqData, BeginsEmpty) {
  mluOpSeqDataLayout_t layout = MLUOP_SEQDATA_NT;
  mluOpDataType_t dtype = MLUOP_DTYPE_INVALID;
  int rank = -1;
  std::int64_t count = -1, dims[1] = {7}, lengths[1] = {7};
  float padding = 7;
  ASSERT_EQ(
      mluOpGetSeqDataDescriptor_v2(desc, &layout, &dtype, &rank, dims, &count, lengths, &padding),
      MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(layout, MLUOP_SEQDATA_TNC);
  EXPECT_EQ(dtype, MLUOP_DTYPE_FLOAT);
  EXPECT_EQ(rank, 0);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(dims[0], 7);
  EXPECT_EQ(lengths[0], 7);
  EXPECT_EQ(padding, 7) << "none was set";
}

TEST_F(SeqData, RoundTrip) {
  Arguments args;
  std::uint16_t fill[2] = {0x3c00, 0x4000};
  args.padding = fill;
  ASSERT_EQ(set(args), MLUOP_STATUS_SUCCESS);
  args.dims.assign(4, -1);  // copied
  args.lengths.assign(2, -1);
  fill[0] = 0;

  mluOpSeqDataLayout_t layout;
  mluOpDataType_t dtype;
  int rank = 0;
  std::int64_t dims[4], count = 0, lengths[2];
  std::uint16_t padding[2] = {9, 9};
  ASSERT_EQ(
      mluOpGetSeqDataDescriptor_v2(desc, &layout, &dtype, &rank, dims, &count, lengths, padding),
      MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(layout, MLUOP_SEQDATA_NBTC);
  EXPECT_EQ(dtype, MLUOP_DTYPE_HALF);
  EXPECT_EQ(rank, 4);
  EXPECT_EQ(std::vector<std::int64_t>(dims, dims + 4), Arguments{}.dims);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(lengths[0], 3);
  EXPECT_EQ(lengths[1], 1);
  EXPECT_EQ(padding[0], 0x3c00);
  EXPECT_EQ(padding[1], 9) << "one element only";
  EXPECT_EQ(mluOpGetSeqDataDescriptor_v2(desc, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                         nullptr),
            MLUOP_STATUS_SUCCESS);
}

TEST_F(SeqData, PaddingOfEveryDtypeIsOneElement) {
  const unsigned char fill[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  for (int dtype = MLUOP_DTYPE_INVALID; dtype <= MLUOP_DTYPE_BFLOAT16; ++dtype) {
    if (dtype == 10) continue;  // not an enumerator
    Arguments args;
    args.dtype = mluOpDataType_t{dtype};
    args.padding = const_cast<unsigned char*>(fill);
    ASSERT_EQ(set(args), MLUOP_STATUS_SUCCESS) << dtype;
    std::size_t bytes = 0;
    if (dtype != MLUOP_DTYPE_INVALID) mluOpGetSizeOfDataType(args.dtype, &bytes);
    unsigned char expected[16] = {}, got[16] = {};
    std::copy(fill, fill + bytes, expected);
    ASSERT_EQ(mluOpGetSeqDataDescriptor_v2(desc, nullptr, nullptr, nullptr, nullptr, nullptr,
                                           nullptr, got),
              MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(std::memcmp(got, expected, 16), 0) << dtype;
  }
  Arguments without;
  ASSERT_EQ(set(without), MLUOP_STATUS_SUCCESS);
  unsigned char got[2] = {7, 7};
  ASSERT_EQ(
      mluOpGetSeqDataDescriptor_v2(desc, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, got),
      MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(got[0], 7) << "the padding is gone";
}

TEST_F(SeqData, LengthsMayBeMissing) {
  Arguments args;
  args.length_count = 0;
  ASSERT_EQ(set(args), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(mluOpSetSeqDataDescriptor_v2(desc, args.layout, args.dtype, args.dimNb,
                                         args.dims.data(), 0, nullptr, nullptr),
            MLUOP_STATUS_SUCCESS);
  EXPECT_TRUE(desc->lengths.empty());
}

TEST_F(SeqData, SetNamesWhatIsWrong) {
  ASSERT_EQ(set({}), MLUOP_STATUS_SUCCESS);
  const Arguments valid;
  expect_failures({
      {"mluOpSetSeqDataDescriptor_v2: seq_data_desc must not be null",
       [&] {
         return mluOpSetSeqDataDescriptor_v2(nullptr, valid.layout, valid.dtype, 4,
                                             valid.dims.data(), 0, nullptr, nullptr);
       }},
      {"mluOpSetSeqDataDescriptor_v2: dimSize must not be null",
       [&] {
         return mluOpSetSeqDataDescriptor_v2(desc, valid.layout, valid.dtype, 4, nullptr, 0,
                                             nullptr, nullptr);
       }},
      {"mluOpSetSeqDataDescriptor_v2: seqLengthArray must not be null",
       [&] {
         return mluOpSetSeqDataDescriptor_v2(desc, valid.layout, valid.dtype, 4, valid.dims.data(),
                                             2, nullptr, nullptr);
       }},
  });
  expect_refused("layout must be at least 0, got -1", {.layout = mluOpSeqDataLayout_t{-1}});
  expect_refused("layout must be at most 11, got 12", {.layout = mluOpSeqDataLayout_t{12}});
  const std::string dtypes =
      "dtype must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, got ";
  for (const int dtype : {-1, 10, 18}) {
    expect_refused((dtypes + std::to_string(dtype)).c_str(), {.dtype = mluOpDataType_t{dtype}});
  }
  expect_refused("dimNb must be at least 1, got 0", {.dimNb = 0});
  expect_refused("dimNb must be at least 1, got -1", {.dimNb = -1});
  expect_refused("dimNb must be at most 8, got 9",
                 {.dimNb = 9, .dims = std::vector<std::int64_t>(9)});
  expect_refused("seqLengthArraySize must be at least 0, got -1", {.length_count = -1});
  expect_refused("dimSize[2] must be at least 0, got -5", {.dims = {1, 1, -5, -6}});
  expect_refused("seqLengthArray[1] must be at least 1, got 0", {.lengths = {1, 0}});
  EXPECT_EQ(desc->dims, valid.dims) << "a refused setter must change nothing";
  EXPECT_EQ(desc->layout, valid.layout);
  EXPECT_EQ(desc->lengths, (std::vector<std::int64_t>{3, 1}));
}

TEST_F(SeqData, TheFirstFaultDecides) {
  Arguments args;
  args.lengths = {0, 0};
  expect_refused("seqLengthArray[0] must be at least 1, got 0", args);
  args.dims[0] = -1;
  expect_refused("dimSize[0] must be at least 0, got -1", args);
  args.length_count = -1;
  expect_refused("seqLengthArraySize must be at least 0, got -1", args);
  args.dimNb = 0;
  expect_refused("dimNb must be at least 1, got 0", args);
  args.dtype = mluOpDataType_t{-1};
  expect_refused(
      "dtype must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, got -1",
      args);
  args.layout = mluOpSeqDataLayout_t{-1};
  expect_refused("layout must be at least 0, got -1", args);
}

TEST_F(SeqData, OthersNameWhatIsMissing) {
  expect_failures({
      {"mluOpCreateSeqDataDescriptor: seq_data_desc must not be null",
       [] { return mluOpCreateSeqDataDescriptor(nullptr); }},
      {"mluOpDestroySeqDataDescriptor: seq_data_desc must not be null",
       [] { return mluOpDestroySeqDataDescriptor(nullptr); }},
      {"mluOpGetSeqDataDescriptor_v2: seq_data_desc must not be null",
       [] {
         return mluOpGetSeqDataDescriptor_v2(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                             nullptr, nullptr);
       }},
      {"mluOpSetSeqDataDescriptorPositionAndScale: seq_data_desc must not be null",
       [] { return mluOpSetSeqDataDescriptorPositionAndScale(nullptr, 1, 1); }},
  });
}

TEST_F(SeqData, PositionAndScaleAreStored) {
  EXPECT_EQ(desc->position, 0);
  EXPECT_EQ(desc->scale, 1.0f);
  ASSERT_EQ(mluOpSetSeqDataDescriptorPositionAndScale(desc, -4, 0.25f), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(desc->position, -4);
  EXPECT_EQ(desc->scale, 0.25f);
  ASSERT_EQ(set({}), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(desc->position, -4) << "Set leaves them alone";
}

TEST_F(SeqData, WithoutMemoryNothingChanges) {
  {
    mluOpSeqDataDescriptor_t other = nullptr;
    const FailingAllocations scarce(0);
    EXPECT_EQ(mluOpCreateSeqDataDescriptor(&other), MLUOP_STATUS_ALLOC_FAILED);
    EXPECT_EQ(other, nullptr);
    EXPECT_STREQ(mluOpCpuGetLastError(), "mluOpCreateSeqDataDescriptor: out of memory");
  }
  ASSERT_EQ(set({.dimNb = 1, .dims = {7}, .lengths = {5, 6}}), MLUOP_STATUS_SUCCESS);
  const Arguments args;
  long failed = 0;
  for (long n = 0;; ++n) {
    FailingAllocations scarce(n);
    const mluOpStatus_t status = set(args);
    if (scarce.failures() == 0) break;
    ++failed;
    EXPECT_EQ(status, MLUOP_STATUS_ALLOC_FAILED);
    EXPECT_STREQ(mluOpCpuGetLastError(), "mluOpSetSeqDataDescriptor_v2: out of memory");
    ASSERT_EQ(desc->dims.size(), 1u);
    EXPECT_EQ(desc->dims[0], 7);
    EXPECT_EQ(desc->lengths[1], 6);
  }
  EXPECT_GE(failed, 2);
  EXPECT_EQ(desc->dims, args.dims);
}

}  // namespace
}  // namespace mluop
