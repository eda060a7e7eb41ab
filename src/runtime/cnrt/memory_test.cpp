// Memory of cnrt.h: allocations, copies, fills, and errors for bad arguments.
#include "cnrt.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "runtime/cnrt/stray.hpp"
#include "testing/faults/forked.hpp"

namespace {

using mluop::testing::stray;

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

TEST_F(CnrtMemory, RowsAreCopiedBetweenPitches) {
  cnrtQueue_t queue = nullptr;
  ASSERT_EQ(cnrtQueueCreate(&queue), cnrtSuccess);
  const char from[] = "ab..cd..ef";
  char to[12];
  for (const bool queued : {false, true}) {
    std::memset(to, '-', sizeof(to));
    EXPECT_EQ(queued ? cnrtMemcpy2DAsync(to, 3, from, 4, 2, 3, cnrtMemcpyNoDirection, queue)
                     : cnrtMemcpy2D(to, 3, from, 4, 2, 3, cnrtMemcpyNoDirection),
              cnrtSuccess);
    EXPECT_EQ(std::string(to, sizeof(to)), "ab-cd-ef----");
  }
  const auto refused = [&](void* destination, std::size_t destination_pitch, const void* source,
                           std::size_t source_pitch, std::size_t width, std::size_t height) {
    return cnrtMemcpy2D(destination, destination_pitch, source, source_pitch, width, height,
                        cnrtMemcpyNoDirection) == cnrtErrorArgsInvalid;
  };
  EXPECT_TRUE(refused(nullptr, 3, from, 4, 2, 3));
  EXPECT_TRUE(refused(to, 3, nullptr, 4, 2, 3));
  EXPECT_TRUE(refused(to, 1, from, 4, 2, 3));
  EXPECT_TRUE(refused(to, 3, from, 1, 2, 3));
  EXPECT_TRUE(refused(to, 3, from, 4, 0, 3));
  EXPECT_TRUE(refused(to, 3, from, 4, 2, 0));
  EXPECT_EQ(cnrtMemcpy2D(to, 3, from, 4, 2, 3, cnrtMemTransDir_t{6}),
            cnrtErrorMemcpyDirectionInvalid);
  EXPECT_EQ(cnrtQueueDestroy(queue), cnrtSuccess);
  EXPECT_EQ(cnrtMemcpy2DAsync(to, 3, from, 4, 2, 3, cnrtMemcpyNoDirection, queue),
            cnrtErrorInvalidResourceHandle);
}

TEST_F(CnrtMemory, CopiesHaveThreeNames) {
  for (const auto copy : {cnrtMemcpyAsync, cnrtMemcpyAsync_V2, cnrtMemcpyAsync_V3}) {
    std::memset(device, 0, sizeof(host));
    EXPECT_EQ(copy(device, host, sizeof(host), nullptr, cnrtMemcpyHostToDev), cnrtSuccess);
    EXPECT_EQ(std::memcmp(device, host, sizeof(host)), 0);
    EXPECT_EQ(copy(device, host, 1, stray<cnrtQueue_t>(), cnrtMemcpyHostToDev),
              cnrtErrorInvalidResourceHandle);
  }
}

TEST_F(CnrtMemory, PointersKnowTheirAllocation) {
  cnrtPointerAttributes_t found;
  char* const inside = static_cast<char*>(device) + sizeof(host) - 1;
  for (char* pointer : {static_cast<char*>(device), inside}) {
    ASSERT_EQ(cnrtPointerGetAttributes(&found, pointer), cnrtSuccess);
    EXPECT_EQ(found.type, cnrtMemTypeDevice);
    EXPECT_EQ(found.device, 0);
    EXPECT_EQ(found.size, sizeof(host));
    EXPECT_EQ(found.devicePointer, pointer);
    EXPECT_EQ(found.hostPointer, pointer);
    EXPECT_EQ(found.cacheMode, cnrtUvaCached);
    EXPECT_EQ(found.deviceBasePointer, device);
  }
  for (const void* pointer :
       {static_cast<const void*>(inside + 1), static_cast<const void*>(host)}) {
    ASSERT_EQ(cnrtPointerGetAttributes(&found, pointer), cnrtSuccess);
    EXPECT_EQ(found.type, cnrtMemTypeUnregistered);
    EXPECT_EQ(found.device, -1);
    EXPECT_EQ(found.size, 0u);
    EXPECT_EQ(found.devicePointer, nullptr);
    EXPECT_EQ(found.deviceBasePointer, nullptr);
  }
  void *of_host = nullptr, *empty = nullptr;
  ASSERT_EQ(cnrtHostMalloc(&of_host, 10), cnrtSuccess);
  ASSERT_EQ(cnrtMalloc(&empty, 0), cnrtSuccess);
  ASSERT_EQ(cnrtPointerGetAttributes(&found, of_host), cnrtSuccess);
  EXPECT_EQ(found.type, cnrtMemTypeHost);
  ASSERT_EQ(cnrtPointerGetAttributes(&found, empty), cnrtSuccess);
  EXPECT_EQ(found.type, cnrtMemTypeDevice);
  EXPECT_EQ(cnrtFreeHost(of_host), cnrtSuccess);
  EXPECT_EQ(cnrtFree(empty), cnrtSuccess);
  ASSERT_EQ(cnrtPointerGetAttributes(&found, of_host), cnrtSuccess);
  EXPECT_EQ(found.type, cnrtMemTypeUnregistered) << "freed";
  EXPECT_EQ(cnrtPointerGetAttributes(nullptr, device), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtPointerGetAttributes(&found, nullptr), cnrtErrorArgsInvalid);
}

TEST(Cnrt, MemoryInTheOrderOfAQueue) {
  void* memory = nullptr;
  EXPECT_EQ(cnrtMemAllocAsync(&memory, 8, stray<cnrtQueue_t>()), cnrtErrorInvalidResourceHandle);
  ASSERT_EQ(cnrtMemAllocAsync(&memory, 8, nullptr), cnrtSuccess);
  std::memset(memory, 1, 8);
  EXPECT_EQ(cnrtMemFreeAsync(memory, stray<cnrtQueue_t>()), cnrtErrorInvalidResourceHandle);
  EXPECT_EQ(cnrtMemFreeAsync(memory, nullptr), cnrtSuccess);
  EXPECT_EQ(cnrtMemFreeAsync(memory, nullptr), cnrtErrorArgsInvalid) << "freed twice";
  ASSERT_EQ(cnrtMallocConstant(&memory, 8), cnrtSuccess);
  EXPECT_EQ(cnrtFree(memory), cnrtSuccess);
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

}  // namespace
