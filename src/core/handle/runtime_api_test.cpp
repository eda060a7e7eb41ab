// The runtime functions of mlu_op.h: defaults, round trips, statuses and sentences.
#include <gtest/gtest.h>

#include <climits>
#include <cstring>
#include <string>

#include "mlu_op.h"
#include "testing/data/handle.hpp"
#include "testing/faults/failing_calls.hpp"

namespace mluop {
namespace {

using testing::expect_failures;
using testing::Handle;

TEST(RuntimeApi, NullArgumentsAreNamed) {
  const Handle handle;
  expect_failures({
      {"mluOpCreate: handle must not be null", [] { return mluOpCreate(nullptr); }},
      {"mluOpDestroy: handle must not be null", [] { return mluOpDestroy(nullptr); }},
      {"mluOpUpdateContextInformation: handle must not be null",
       [] { return mluOpUpdateContextInformation(nullptr); }},
      {"mluOpSetQueue: handle must not be null", [] { return mluOpSetQueue(nullptr, nullptr); }},
      {"mluOpGetQueue: handle must not be null",
       [] {
         cnrtQueue_t queue;
         return mluOpGetQueue(nullptr, &queue);
       }},
      {"mluOpGetQueue: queue must not be null", [&] { return mluOpGetQueue(handle, nullptr); }},
      {"mluOpSetQuantizeRoundMode: handle must not be null",
       [] { return mluOpSetQuantizeRoundMode(nullptr, MLUOP_ROUND_HALF_UP); }},
      {"mluOpGetQuantizeRoundMode: handle must not be null",
       [] {
         mluOpQuantizeRoundMode_t mode;
         return mluOpGetQuantizeRoundMode(nullptr, &mode);
       }},
      {"mluOpGetQuantizeRoundMode: round_mode must not be null",
       [&] { return mluOpGetQuantizeRoundMode(handle, nullptr); }},
      {"mluOpSetAtomicsMode: handle must not be null",
       [] { return mluOpSetAtomicsMode(nullptr, MLUOP_ATOMICS_ALLOWED); }},
      {"mluOpGetAtomicsMode: handle must not be null",
       [] {
         mluOpAtomicsMode_t mode;
         return mluOpGetAtomicsMode(nullptr, &mode);
       }},
      {"mluOpGetAtomicsMode: atomics_mode must not be null",
       [&] { return mluOpGetAtomicsMode(handle, nullptr); }},
      {"mluOpGetSizeOfDataType: size must not be null",
       [] { return mluOpGetSizeOfDataType(MLUOP_DTYPE_FLOAT, nullptr); }},
      {"mluOpSetGenCaseDirectory: path must not be null",
       [] { return mluOpSetGenCaseDirectory(nullptr); }},
  });
}

TEST(RuntimeApi, UpdateContextInformationDoesNothing) {
  const Handle handle;
  EXPECT_EQ(mluOpUpdateContextInformation(handle), MLUOP_STATUS_SUCCESS);
}

TEST(RuntimeApi, QueueIsKeptAndMayBeNull) {
  const Handle handle;
  cnrtQueue_t queue = nullptr;
  ASSERT_EQ(cnrtQueueCreate(&queue), cnrtSuccess);
  ASSERT_EQ(mluOpSetQueue(handle, queue), MLUOP_STATUS_SUCCESS);
  cnrtQueue_t got = nullptr;
  ASSERT_EQ(mluOpGetQueue(handle, &got), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(got, queue);
  ASSERT_EQ(mluOpSetQueue(handle, nullptr), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(mluOpGetQueue(handle, &got), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(got, nullptr);
  EXPECT_EQ(cnrtQueueDestroy(queue), cnrtSuccess);
}

TEST(RuntimeApi, RoundModeIsValidated) {
  const Handle handle;
  mluOpQuantizeRoundMode_t mode = MLUOP_ROUND_HALF_UP;
  ASSERT_EQ(mluOpGetQuantizeRoundMode(handle, &mode), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(mode, MLUOP_ROUND_HALF_TO_EVEN);

  for (auto wanted : {MLUOP_ROUND_HALF_UP, MLUOP_ROUND_HALF_OFF_ZERO, MLUOP_ROUND_HALF_TO_EVEN}) {
    ASSERT_EQ(mluOpSetQuantizeRoundMode(handle, wanted), MLUOP_STATUS_SUCCESS);
    ASSERT_EQ(mluOpGetQuantizeRoundMode(handle, &mode), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(mode, wanted);
  }
  ASSERT_EQ(mluOpSetQuantizeRoundMode(handle, MLUOP_ROUND_HALF_UP), MLUOP_STATUS_SUCCESS);
  expect_failures({
      {"mluOpSetQuantizeRoundMode: round_mode must be one of 0, 1, 2, got 3",
       [&] { return mluOpSetQuantizeRoundMode(handle, mluOpQuantizeRoundMode_t{3}); }},
      {"mluOpSetQuantizeRoundMode: round_mode must be one of 0, 1, 2, got -1",
       [&] { return mluOpSetQuantizeRoundMode(handle, mluOpQuantizeRoundMode_t{-1}); }},
  });
  ASSERT_EQ(mluOpGetQuantizeRoundMode(handle, &mode), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(mode, MLUOP_ROUND_HALF_UP) << "a refused mode must not be kept";
}

TEST(RuntimeApi, AtomicsModeIsNotValidated) {
  const Handle handle;
  mluOpAtomicsMode_t mode = MLUOP_ATOMICS_ALLOWED;
  ASSERT_EQ(mluOpGetAtomicsMode(handle, &mode), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(mode, MLUOP_ATOMICS_NOT_ALLOWED);
  for (int value : {2, 1, 0, 77}) {
    ASSERT_EQ(mluOpSetAtomicsMode(handle, mluOpAtomicsMode_t{value}), MLUOP_STATUS_SUCCESS);
    ASSERT_EQ(mluOpGetAtomicsMode(handle, &mode), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(mode, value);
  }
}

TEST(RuntimeApi, ErrorStrings) {
  const char* const names[] = {"SUCCESS",          "NOT_INITIALIZED", "ALLOC_FAILED",
                               "BAD_PARAM",        "INTERNAL_ERROR",  "ARCH_MISMATCH",
                               "EXECUTION_FAILED", "NOT_SUPPORTED",   "NUMERICAL_OVERFLOW"};
  for (int status = 0; status <= 8; ++status) {
    EXPECT_EQ(mluOpGetErrorString(mluOpStatus_t{status}),
              std::string{"MLUOP_STATUS_"} + names[status]);
  }
  EXPECT_STREQ(mluOpGetErrorString(mluOpStatus_t{9}), "MLUOP_STATUS_UNKNOWN");
  EXPECT_STREQ(mluOpGetErrorString(mluOpStatus_t{-1}), "MLUOP_STATUS_UNKNOWN");
  EXPECT_STREQ(mluOpGetErrorString(mluOpStatus_t{INT_MIN}), "MLUOP_STATUS_UNKNOWN");
}

TEST(RuntimeApi, SizesOfDataTypes) {
  // By numeric value; 10 is not in the enumeration and has, like every unknown value, no size.
  const std::size_t bytes[] = {0, 2, 4, 1, 2, 4, 4, 1, 1, 8, 0, 4, 8, 2, 8, 4, 8, 2, 0};
  for (int dtype = 1; dtype < 19; ++dtype) {
    std::size_t size = 99;
    EXPECT_EQ(mluOpGetSizeOfDataType(mluOpDataType_t{dtype}, &size), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(size, bytes[dtype]) << dtype;
  }
  expect_failures({{"mluOpGetSizeOfDataType: data_type must not be INVALID", [] {
                      std::size_t size = 0;
                      return mluOpGetSizeOfDataType(MLUOP_DTYPE_INVALID, &size);
                    }}});
}

TEST(RuntimeApi, LibVersionIsThatOfTheInterface) {
  int major = -1, minor = -1, patch = -1;
  mluOpGetLibVersion(&major, &minor, &patch);
  EXPECT_EQ(major, 1);
  EXPECT_EQ(minor, 11);
  EXPECT_EQ(patch, 1);
  EXPECT_EQ(MLUOP_VERSION, 2101);
  mluOpGetLibVersion(nullptr, nullptr, nullptr);
}

TEST(RuntimeApi, EnumValuesAreThoseOfTheContract) {
  EXPECT_EQ(MLUOP_LAYOUT_NCHW, 0);
  EXPECT_EQ(MLUOP_LAYOUT_NHWC, 1);
  EXPECT_EQ(MLUOP_LAYOUT_HWCN, 2);
  EXPECT_EQ(MLUOP_LAYOUT_NDHWC, 3);
  EXPECT_EQ(MLUOP_LAYOUT_ARRAY, 4);
  EXPECT_EQ(MLUOP_LAYOUT_NCDHW, 5);
  EXPECT_EQ(MLUOP_LAYOUT_TNC, 6);
  EXPECT_EQ(MLUOP_LAYOUT_NTC, 7);
  EXPECT_EQ(MLUOP_LAYOUT_NC, 8);
  EXPECT_EQ(MLUOP_LAYOUT_NLC, 9);
  EXPECT_EQ(MLUOP_LAYOUT_NCL, 10);
  EXPECT_EQ(MLUOP_DTYPE_HALF, 1);
  EXPECT_EQ(MLUOP_DTYPE_FLOAT, 2);
  EXPECT_EQ(MLUOP_DTYPE_INT32, 6);
  EXPECT_EQ(MLUOP_DTYPE_BOOL, 8);
  EXPECT_EQ(MLUOP_DTYPE_INT64, 9);
  EXPECT_EQ(MLUOP_DTYPE_UINT32, 11);
  EXPECT_EQ(MLUOP_DTYPE_UINT16, 13);
  EXPECT_EQ(MLUOP_DTYPE_DOUBLE, 14);
  EXPECT_EQ(MLUOP_DTYPE_BFLOAT16, 17);
  EXPECT_EQ(MLUOP_POINTER_MODE_HOST, 0);
  EXPECT_EQ(MLUOP_POINTER_MODE_DEVICE, 1);
  EXPECT_EQ(MLUOP_ATOMICS_NOT_ALLOWED, 1);
  EXPECT_EQ(MLUOP_ATOMICS_ALLOWED, 2);
  EXPECT_EQ(MLUOP_DIM_MAX, 8);
}

}  // namespace
}  // namespace mluop
