// The contexts of cn_api.h.
#include <gtest/gtest.h>

#include <thread>

#include "cn_api.h"
#include "runtime/cnrt/stray.hpp"
#include "runtime/cores.hpp"

namespace {

using mluop::testing::stray;

/// What a program does to ask how many cores there are.
TEST(Driver, EveryThreadBeginsWithTheSharedContext) {
  const auto ask = [] {
    CNcontext context = nullptr;
    CNctxConfigParam param;
    CNdev device = 9;
    unsigned int flags = 9;
    ASSERT_EQ(cnCtxGetCurrent(&context), CN_SUCCESS);
    ASSERT_NE(context, nullptr);
    EXPECT_EQ(cnCtxGetDevice(&device), CN_SUCCESS);
    EXPECT_EQ(device, 0u);
    EXPECT_EQ(cnCtxGetFlags(&flags), CN_SUCCESS);
    EXPECT_EQ(flags, unsigned{CN_CTX_SCHED_SYNC_AUTO});
    EXPECT_EQ(cnCtxSync(), CN_SUCCESS);
    ASSERT_EQ(cnGetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM, &param), CN_SUCCESS);
    EXPECT_EQ(param.visibleClusterNumber, 1u);
    ASSERT_EQ(cnGetCtxConfigParam(context, CN_CTX_CONFIG_UNION_LIMIT, &param), CN_SUCCESS);
    EXPECT_EQ(param.unionLimit, CN_KERNEL_CLASS_UNION);
    ASSERT_EQ(cnGetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER, &param), CN_SUCCESS);
    EXPECT_EQ(param.visibleCluster, 1u);
    EXPECT_EQ(cnCtxDestroy(context), CN_CONTEXT_ERROR_INVALID) << "the shared one stays";
  };
  ask();
  std::thread{ask}.join();
}

TEST(Driver, ParallelTasks) {
  CNcontext context = nullptr;
  ASSERT_EQ(cnCtxGetCurrent(&context), CN_SUCCESS);
  int number = -1;
  EXPECT_EQ(cnGetCtxMaxParallelUnionTasks(context, CN_KERNEL_CLASS_BLOCK, &number), CN_SUCCESS);
  EXPECT_EQ(number, mluop::available_cores());
  EXPECT_EQ(cnGetCtxMaxParallelUnionTasks(context, CN_KERNEL_CLASS_UNION, &number), CN_SUCCESS);
  EXPECT_EQ(number, 1);
  EXPECT_EQ(cnGetCtxMaxParallelUnionTasks(context, CN_KERNEL_CLASS_UNION8, &number), CN_SUCCESS);
  EXPECT_EQ(number, 0);
  EXPECT_EQ(cnGetCtxMaxParallelUnionTasks(context, KernelClass{3}, &number),
            CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnGetCtxMaxParallelUnionTasks(context, CN_KERNEL_CLASS_UNION, nullptr),
            CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnGetCtxMaxParallelUnionTasks(stray<CNcontext>(), CN_KERNEL_CLASS_UNION, &number),
            CN_CONTEXT_ERROR_INVALID);
}

TEST(Driver, SettingsOfAContext) {
  CNcontext context = nullptr;
  ASSERT_EQ(cnCtxGetCurrent(&context), CN_SUCCESS);
  CNctxConfigParam param{};
  for (const KernelClass limit : {CN_KERNEL_CLASS_BLOCK, CN_KERNEL_CLASS_UNION}) {
    param.unionLimit = limit;
    EXPECT_EQ(cnSetCtxConfigParam(context, CN_CTX_CONFIG_UNION_LIMIT, &param), CN_SUCCESS);
  }
  param.unionLimit = CN_KERNEL_CLASS_UNION2;
  EXPECT_EQ(cnSetCtxConfigParam(context, CN_CTX_CONFIG_UNION_LIMIT, &param),
            CN_ERROR_INVALID_VALUE);
  param.visibleCluster = 1;
  EXPECT_EQ(cnSetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER, &param), CN_SUCCESS);
  EXPECT_EQ(cnSetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM, &param),
            CN_ERROR_INVALID_VALUE);
  param.visibleCluster = 3;
  EXPECT_EQ(cnSetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER, &param),
            CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnSetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER, nullptr),
            CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnGetCtxConfigParam(context, CN_CTX_CONFIG_NUM, &param), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnGetCtxConfigParam(context, CN_CTX_CONFIG_UNION_LIMIT, nullptr),
            CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnGetCtxConfigParam(nullptr, CN_CTX_CONFIG_UNION_LIMIT, &param),
            CN_CONTEXT_ERROR_INVALID);
  EXPECT_EQ(cnSetCtxConfigParam(nullptr, CN_CTX_CONFIG_UNION_LIMIT, &param),
            CN_CONTEXT_ERROR_INVALID);
}

TEST(Driver, ContextsOfTheirOwn) {
  CNcontext former = nullptr, created = nullptr, current = nullptr;
  ASSERT_EQ(cnCtxGetCurrent(&former), CN_SUCCESS);
  ASSERT_EQ(cnCtxCreate(&created, CN_CTX_SCHED_SYNC_YIELD, 0), CN_SUCCESS);
  ASSERT_EQ(cnCtxGetCurrent(&current), CN_SUCCESS);
  EXPECT_EQ(current, created);
  unsigned int flags = 9;
  EXPECT_EQ(cnCtxGetFlags(&flags), CN_SUCCESS);
  EXPECT_EQ(flags, unsigned{CN_CTX_SCHED_SYNC_YIELD});
  ASSERT_EQ(cnCtxSetCurrent(nullptr), CN_SUCCESS);
  CNdev device;
  EXPECT_EQ(cnCtxGetDevice(&device), CN_CONTEXT_ERROR_INVALID);
  EXPECT_EQ(cnCtxSync(), CN_CONTEXT_ERROR_INVALID);
  ASSERT_EQ(cnCtxSetCurrent(created), CN_SUCCESS);
  ASSERT_EQ(cnCtxDestroy(created), CN_SUCCESS);
  ASSERT_EQ(cnCtxGetCurrent(&current), CN_SUCCESS);
  EXPECT_EQ(current, nullptr);
  EXPECT_EQ(cnCtxSetCurrent(created), CN_CONTEXT_ERROR_INVALID);
  EXPECT_EQ(cnCtxDestroy(created), CN_CONTEXT_ERROR_INVALID);
  EXPECT_EQ(cnCtxSetCurrent(former), CN_SUCCESS);

  EXPECT_EQ(cnCtxCreate(nullptr, 0, 0), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnCtxCreate(&created, CN_CTX_SCHED_SYNC_NUM, 0), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnCtxCreate(&created, 0, 1), CN_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cnCtxGetCurrent(nullptr), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnCtxGetDevice(nullptr), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnCtxGetFlags(nullptr), CN_ERROR_INVALID_VALUE);
}

TEST(Driver, TheSharedContextIsCounted) {
  CNcontext context = nullptr, current = nullptr;
  unsigned int flags = 9;
  int state = -1;
  ASSERT_EQ(cnSharedContextGetState(0, &flags, &state), CN_SUCCESS);
  EXPECT_EQ(state, CN_CONTEXT_STATE_INACTIVE);
  ASSERT_EQ(cnSharedContextAcquire(&context, 0), CN_SUCCESS);
  ASSERT_EQ(cnCtxGetCurrent(&current), CN_SUCCESS);
  EXPECT_EQ(context, current);
  ASSERT_EQ(cnSharedContextGetState(0, &flags, &state), CN_SUCCESS);
  EXPECT_EQ(state, CN_CONTEXT_STATE_ACTIVE);
  EXPECT_EQ(cnSharedContextRelease(0), CN_SUCCESS);
  EXPECT_EQ(cnSharedContextRelease(0), CN_CONTEXT_ERROR_INVALID);
  EXPECT_EQ(cnSharedContextRelease(1), CN_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cnSharedContextAcquire(nullptr, 0), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnSharedContextAcquire(&context, 1), CN_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cnSharedContextGetState(0, nullptr, &state), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnSharedContextGetState(1, &flags, &state), CN_ERROR_INVALID_DEVICE);
}

}  // namespace
