// The functions of cnrt.h: typical use, and errors for bad arguments.
#include "cnrt.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "testing/faults/forked.hpp"

namespace {

/// A pointer that is not null and was never allocated.
template <class Pointer>
Pointer stray() {
  static char object;
  return reinterpret_cast<Pointer>(&object);
}

TEST(Cnrt, ThereIsOneDevice) {
  unsigned int count = 0;
  int device = -1, major = 0, minor = 0, patch = 0;
  EXPECT_EQ(cnrtGetDeviceCount(&count), cnrtSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(cnrtGetDevice(&device), cnrtSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cnrtSetDevice(0), cnrtSuccess);
  EXPECT_EQ(cnrtSetDevice(1), cnrtErrorDeviceInvalid);
  EXPECT_EQ(cnrtSetDevice(-1), cnrtErrorDeviceInvalid);
  EXPECT_EQ(cnrtSyncDevice(), cnrtSuccess);
  EXPECT_EQ(cnrtGetDeviceCount(nullptr), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtGetDevice(nullptr), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtGetLibVersion(&major, &minor, &patch), cnrtSuccess);
  EXPECT_EQ(major * 10000 + minor * 100 + patch, CNRT_VERSION);
  EXPECT_EQ(cnrtGetLibVersion(&major, nullptr, &patch), cnrtErrorArgsInvalid);
}

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

class CnrtMemory : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cnrtMalloc(&device, sizeof(host)), cnrtSuccess); }
  void TearDown() override { EXPECT_EQ(cnrtFree(device), cnrtSuccess); }

  char host[8] = "mluops!";
  void* device = nullptr;
};

TEST_F(CnrtMemory, GoesThereAndBack) {
  char back[8] = {};
  cnrtQueue_t queue = nullptr;
  ASSERT_EQ(cnrtQueueCreate(&queue), cnrtSuccess);
  ASSERT_EQ(cnrtMemcpy(device, host, sizeof(host), cnrtMemcpyHostToDev), cnrtSuccess);
  ASSERT_EQ(cnrtMemcpyAsync(back, device, sizeof(host), queue, CNRT_MEM_TRANS_DIR_DEV2HOST),
            cnrtSuccess);
  ASSERT_EQ(cnrtQueueSync(queue), cnrtSuccess);
  EXPECT_STREQ(back, "mluops!");
  ASSERT_EQ(cnrtMemset(device, 'x', 3), cnrtSuccess);
  ASSERT_EQ(cnrtMemsetAsync(static_cast<char*>(device) + 3, 0x100 | 'y', 2, queue), cnrtSuccess);
  EXPECT_EQ(std::memcmp(device, "xxxyys!", 7), 0);
  EXPECT_EQ(cnrtQueueDestroy(queue), cnrtSuccess);
}

TEST_F(CnrtMemory, EveryDirectionCopies) {
  for (int direction = cnrtMemcpyHostToDev; direction <= cnrtMemcpyNoDirection; ++direction) {
    std::memset(device, 0, sizeof(host));
    EXPECT_EQ(cnrtMemcpy(device, host, sizeof(host), cnrtMemTransDir_t{direction}), cnrtSuccess);
    EXPECT_EQ(std::memcmp(device, host, sizeof(host)), 0) << direction;
  }
  EXPECT_EQ(cnrtMemcpy(device, host, 1, cnrtMemTransDir_t{6}), cnrtErrorMemcpyDirectionInvalid);
  EXPECT_EQ(cnrtMemcpy(device, host, 1, cnrtMemTransDir_t{-1}), cnrtErrorMemcpyDirectionInvalid);
}

TEST_F(CnrtMemory, OverlappingCopies) {
  ASSERT_EQ(cnrtMemcpy(host + 1, host, 6, cnrtMemcpyHostToHost), cnrtSuccess);
  EXPECT_STREQ(host, "mmluops");
}

TEST_F(CnrtMemory, BadCopiesAreRefused) {
  EXPECT_EQ(cnrtMemcpy(nullptr, host, 1, cnrtMemcpyHostToDev), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtMemcpy(device, nullptr, 1, cnrtMemcpyHostToDev), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtMemcpy(nullptr, nullptr, 0, cnrtMemcpyHostToDev), cnrtSuccess);
  EXPECT_EQ(cnrtMemset(nullptr, 0, 1), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtMemset(nullptr, 0, 0), cnrtSuccess);
  const auto queue = stray<cnrtQueue_t>();
  EXPECT_EQ(cnrtMemcpyAsync(device, host, 1, queue, cnrtMemcpyHostToDev),
            cnrtErrorInvalidResourceHandle);
  EXPECT_EQ(cnrtMemsetAsync(device, 0, 1, queue), cnrtErrorInvalidResourceHandle);
}

TEST(Cnrt, MemoryIsAlignedAndOwned) {
  struct Kind {
    cnrtRet_t (*allocate)(void**, size_t);
    cnrtRet_t (*release)(void*);
    cnrtRet_t (*other_release)(void*);
  };
  for (const Kind& kind :
       {Kind{cnrtMalloc, cnrtFree, cnrtFreeHost}, Kind{cnrtHostMalloc, cnrtFreeHost, cnrtFree}}) {
    for (std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{5} << 20}) {
      void* pointer = nullptr;
      ASSERT_EQ(kind.allocate(&pointer, bytes), cnrtSuccess);
      ASSERT_NE(pointer, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pointer) % 64, 0u);
      std::memset(pointer, 1, bytes);
      EXPECT_EQ(kind.other_release(pointer), cnrtErrorArgsInvalid) << "the wrong kind of free";
      EXPECT_EQ(kind.release(pointer), cnrtSuccess);
      EXPECT_EQ(kind.release(pointer), cnrtErrorArgsInvalid) << "freed twice";
    }
    EXPECT_EQ(kind.release(nullptr), cnrtSuccess);
    EXPECT_EQ(kind.release(stray<void*>()), cnrtErrorArgsInvalid);
    EXPECT_EQ(kind.allocate(nullptr, 1), cnrtErrorArgsInvalid);
    void* untouched = stray<void*>();
    EXPECT_EQ(kind.allocate(&untouched, SIZE_MAX), cnrtErrorNoMem);
    EXPECT_EQ(untouched, stray<void*>());
  }
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

TEST(Cnrt, ErrorsHaveNamesAndTexts) {
  EXPECT_STREQ(cnrtGetErrorName(cnrtSuccess), "cnrtSuccess");
  EXPECT_STREQ(cnrtGetErrorName(cnrtErrorArgsInvalid), "cnrtErrorArgsInvalid");
  EXPECT_STREQ(cnrtGetErrorStr(cnrtErrorArgsInvalid), "invalid argument");
  EXPECT_STREQ(cnrtGetErrorStr(cnrtErrorDeviceInvalid), "invalid device ordinal");
  EXPECT_STREQ(cnrtGetErrorName(cnrtRet_t{12345}), "cnrtErrorUnknown");
  EXPECT_STREQ(cnrtGetErrorStr(cnrtRet_t{-1}), "unknown error");
}

TEST(Cnrt, LastErrorIsForgottenWhenRead) {
  cnrtGetLastError();
  EXPECT_EQ(cnrtGetLastError(), cnrtSuccess);
  cnrtSetDevice(3);
  cnrtSetDevice(0);
  EXPECT_EQ(cnrtPeekAtLastError(), cnrtErrorDeviceInvalid);
  cnrtRet_t elsewhere = cnrtErrorUnknown;
  std::thread{[&] { elsewhere = cnrtGetLastError(); }}.join();
  EXPECT_EQ(elsewhere, cnrtSuccess);
  EXPECT_EQ(cnrtGetLastError(), cnrtErrorDeviceInvalid);
  EXPECT_EQ(cnrtGetLastError(), cnrtSuccess);
}

TEST(Cnrt, ManyThreadsAtOnce) {
  const auto work = [] {
    for (int round = 0; round < 200; ++round) {
      cnrtQueue_t queue = nullptr;
      void* memory = nullptr;
      EXPECT_EQ(cnrtQueueCreate(&queue), cnrtSuccess);
      EXPECT_EQ(cnrtMalloc(&memory, 256), cnrtSuccess);
      EXPECT_EQ(cnrtMemsetAsync(memory, round, 256, queue), cnrtSuccess);
      EXPECT_EQ(cnrtFree(memory), cnrtSuccess);
      EXPECT_EQ(cnrtQueueDestroy(queue), cnrtSuccess);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}

TEST(Cnrt, AForkedChildAllocatesWhateverTheOtherThreadsDo) {
  if (mluop::testing::no_fork_beside_threads != nullptr)
    GTEST_SKIP() << mluop::testing::no_fork_beside_threads;
  const auto allocate = [] {
    void* memory = nullptr;
    cnrtQueue_t queue = nullptr;
    if (cnrtMalloc(&memory, 64) != cnrtSuccess || cnrtQueueCreate(&queue) != cnrtSuccess) return 1;
    return cnrtFree(memory) == cnrtSuccess && cnrtQueueDestroy(queue) == cnrtSuccess ? 0 : 2;
  };
  EXPECT_EQ(mluop::testing::exit_of_children(1000, allocate, allocate), 0);
}

TEST(CnrtCheck, PassesSuccessAndEndsTheProgramOtherwise) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  int device = -1;
  CNRT_CHECK(cnrtGetDevice(&device));
  EXPECT_EQ(device, 0);
  EXPECT_EXIT(CNRT_CHECK(cnrtSetDevice(5)), ::testing::ExitedWithCode(EXIT_FAILURE),
              "cnrt_test.cpp:.*cnrtSetDevice\\(5\\): invalid device ordinal");
}

}  // namespace
