// Queues and notifiers of cnrt.h.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "cnrt.h"
#include "runtime/cnrt/stray.hpp"

namespace {

using mluop::testing::stray;

TEST(Cnrt, Queues) {
  cnrtQueue_t first = nullptr, second = nullptr;
  ASSERT_EQ(cnrtQueueCreate(&first), cnrtSuccess);
  ASSERT_EQ(cnrtQueueCreate(&second), cnrtSuccess);
  EXPECT_NE(first, second);
  EXPECT_EQ(cnrtQueueSync(first), cnrtSuccess);
  EXPECT_EQ(cnrtQueueQuery(first), cnrtSuccess);
  EXPECT_EQ(cnrtQueueSync(nullptr), cnrtSuccess) << "the default queue";
  EXPECT_EQ(cnrtQueueDestroy(first), cnrtSuccess);
  EXPECT_EQ(cnrtQueueDestroy(second), cnrtSuccess);

  EXPECT_EQ(cnrtQueueCreate(nullptr), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtQueueDestroy(first), cnrtErrorInvalidResourceHandle) << "destroyed twice";
  EXPECT_EQ(cnrtQueueSync(first), cnrtErrorInvalidResourceHandle);
  EXPECT_EQ(cnrtQueueQuery(stray<cnrtQueue_t>()), cnrtErrorInvalidResourceHandle);
  EXPECT_EQ(cnrtQueueDestroy(nullptr), cnrtErrorInvalidResourceHandle);
}

TEST(Cnrt, QueuesHaveOnePriority) {
  int lowest = -1, highest = -1, priority = -1;
  ASSERT_EQ(cnrtDeviceGetQueuePriorityRange(&lowest, &highest), cnrtSuccess);
  EXPECT_EQ(lowest, 0);
  EXPECT_EQ(highest, 0);
  cnrtQueue_t queue = nullptr;
  ASSERT_EQ(cnrtQueueCreateWithPriority(&queue, 0, 7), cnrtSuccess);
  ASSERT_EQ(cnrtQueueGetPriority(queue, &priority), cnrtSuccess);
  EXPECT_EQ(priority, 0);
  EXPECT_EQ(cnrtQueueGetPriority(queue, nullptr), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtQueueDestroy(queue), cnrtSuccess);
  EXPECT_EQ(cnrtQueueGetPriority(queue, &priority), cnrtErrorInvalidResourceHandle);
  EXPECT_EQ(cnrtQueueCreateWithPriority(&queue, 1, 0), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtQueueCreateWithPriority(nullptr, 0, 0), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtDeviceGetQueuePriorityRange(nullptr, &highest), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtDeviceGetQueuePriorityRange(&lowest, nullptr), cnrtErrorArgsInvalid);
}

TEST(Cnrt, HostFunctionsRunAtOnce) {
  int calls = 0;
  const cnrtHostFn_t count = [](void* user) { ++*static_cast<int*>(user); };
  EXPECT_EQ(cnrtInvokeHostFunc(nullptr, count, &calls), cnrtSuccess);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(cnrtInvokeHostFunc(stray<cnrtQueue_t>(), count, &calls),
            cnrtErrorInvalidResourceHandle);
  EXPECT_EQ(cnrtInvokeHostFunc(nullptr, nullptr, &calls), cnrtErrorArgsInvalid);
  EXPECT_EQ(calls, 1);
}

TEST(Cnrt, NotifiersMeasureTime) {
  cnrtNotifier_t start = nullptr, end = nullptr;
  ASSERT_EQ(cnrtNotifierCreate(&start), cnrtSuccess);
  ASSERT_EQ(cnrtNotifierCreate(&end), cnrtSuccess);
  float microseconds = -1, milliseconds = -1;
  EXPECT_EQ(cnrtNotifierDuration(start, end, &microseconds), cnrtErrorIllegalState);
  ASSERT_EQ(cnrtPlaceNotifier(start, nullptr), cnrtSuccess);
  EXPECT_EQ(cnrtNotifierDuration(start, end, &microseconds), cnrtErrorIllegalState);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_EQ(cnrtPlaceNotifier(end, nullptr), cnrtSuccess);
  EXPECT_EQ(cnrtWaitNotifier(end), cnrtSuccess);
  EXPECT_EQ(cnrtQueryNotifier(end), cnrtSuccess);
  EXPECT_EQ(cnrtQueueWaitNotifier(end, nullptr, 0), cnrtSuccess);

  ASSERT_EQ(cnrtNotifierDuration(start, end, &microseconds), cnrtSuccess);
  ASSERT_EQ(cnrtNotifierElapsedTime(start, end, &milliseconds), cnrtSuccess);
  EXPECT_GE(microseconds, 5000.0f);
  EXPECT_NEAR(milliseconds, microseconds / 1000, microseconds * 1e-6);

  EXPECT_EQ(cnrtNotifierDuration(start, end, nullptr), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtQueueWaitNotifier(end, nullptr, 1), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtQueueWaitNotifier(end, stray<cnrtQueue_t>(), 0), cnrtErrorInvalidResourceHandle);
  EXPECT_EQ(cnrtPlaceNotifier(end, stray<cnrtQueue_t>()), cnrtErrorInvalidResourceHandle);
  EXPECT_EQ(cnrtNotifierDestroy(start), cnrtSuccess);
  EXPECT_EQ(cnrtNotifierDestroy(end), cnrtSuccess);

  EXPECT_EQ(cnrtNotifierDestroy(end), cnrtErrorInvalidResourceHandle) << "destroyed twice";
  EXPECT_EQ(cnrtPlaceNotifier(end, nullptr), cnrtErrorInvalidResourceHandle);
  EXPECT_EQ(cnrtWaitNotifier(nullptr), cnrtErrorInvalidResourceHandle);
  EXPECT_EQ(cnrtNotifierElapsedTime(start, end, &milliseconds), cnrtErrorInvalidResourceHandle);
  EXPECT_EQ(cnrtNotifierCreate(nullptr), cnrtErrorArgsInvalid);
}

TEST(Cnrt, NotifiersWithoutTime) {
  cnrtNotifier_t timed = nullptr, untimed = nullptr;
  ASSERT_EQ(cnrtNotifierCreateWithFlags(&timed, CNRT_NOTIFIER_DEFAULT), cnrtSuccess);
  for (const unsigned flags : {0x2u, 0x4u, 0x6u}) {
    ASSERT_EQ(cnrtNotifierCreateWithFlags(&untimed, flags), cnrtSuccess);
    EXPECT_EQ(cnrtPlaceNotifierWithFlags(timed, nullptr, 0), cnrtSuccess);
    EXPECT_EQ(cnrtPlaceNotifierWithFlags(untimed, nullptr, 0), cnrtSuccess);
    EXPECT_EQ(cnrtQueryNotifier(untimed), cnrtSuccess);
    float time = -1;
    EXPECT_EQ(cnrtNotifierDuration(timed, untimed, &time), cnrtErrorArgsInvalid);
    EXPECT_EQ(cnrtNotifierElapsedTime(untimed, timed, &time), cnrtErrorArgsInvalid);
    EXPECT_EQ(time, -1);
    EXPECT_EQ(cnrtNotifierDestroy(untimed), cnrtSuccess);
  }
  EXPECT_EQ(cnrtPlaceNotifierWithFlags(timed, nullptr, 1), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtPlaceNotifierWithFlags(timed, stray<cnrtQueue_t>(), 0),
            cnrtErrorInvalidResourceHandle);
  EXPECT_EQ(cnrtNotifierDestroy(timed), cnrtSuccess);
  EXPECT_EQ(cnrtNotifierCreateWithFlags(&timed, 0xcu), cnrtErrorNotSupport) << "between processes";
  EXPECT_EQ(cnrtNotifierCreateWithFlags(&timed, 0x10u), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtNotifierCreateWithFlags(nullptr, 0), cnrtErrorArgsInvalid);
}

}  // namespace
