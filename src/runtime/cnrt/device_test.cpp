// The device of cnrt.h: attributes, memory, reset; errors.
#include <gtest/gtest.h>
#include <sys/sysinfo.h>

#include <climits>
#include <cstring>
#include <set>
#include <string>
#include <thread>

#include "cnrt.h"
#include "mlu_op.h"
#include "runtime/cnrt/stray.hpp"
#include "runtime/cores.hpp"

namespace {

using mluop::testing::stray;

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

TEST(Cnrt, VersionOfTheDriver) {
  int major = 0, minor = 0, patch = 0;
  EXPECT_EQ(cnrtDriverGetVersion(&major, &minor, &patch), cnrtSuccess);
  EXPECT_EQ(major * 100000 + minor * 1000 + patch, CN_VERSION);
  EXPECT_EQ(cnrtDriverGetVersion(nullptr, &minor, &patch), cnrtErrorArgsInvalid);
}

TEST(Cnrt, FlagsOfTheDevice) {
  std::uint32_t flags = 9;
  EXPECT_EQ(cnrtSetDeviceFlag(cnrtDeviceScheduleYield), cnrtSuccess);
  EXPECT_EQ(cnrtGetDeviceFlag(&flags), cnrtSuccess);
  EXPECT_EQ(flags, std::uint32_t{cnrtDeviceScheduleYield});
  EXPECT_EQ(cnrtSetDeviceFlag(cnrtDeviceFlagsMaxNum), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtGetDeviceFlag(nullptr), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtSetDeviceFlag(cnrtDeviceScheduleSpin), cnrtSuccess);
}

/// cnrtErrorNotSupport is shown as -1, other errors as -2.
int attribute(cnrtDeviceAttr_t attr) {
  int value = -3;
  const cnrtRet_t result = cnrtDeviceGetAttribute(&value, attr, 0);
  if (result == cnrtSuccess) return value;
  EXPECT_EQ(value, -3) << "written in spite of an error";
  return result == cnrtErrorNotSupport ? -1 : -2;
}

TEST(Cnrt, Attributes) {
  EXPECT_EQ(attribute(cnrtAttrClusterCount), 1);
  EXPECT_EQ(attribute(cnrtAttrMcorePerCluster), mluop::available_cores());
  EXPECT_EQ(attribute(cnrtAttrFP16ComputingSupported), 1);
  EXPECT_EQ(attribute(cnrtAttrBF16ComputingSupported), 1);
  EXPECT_EQ(attribute(cnrtAttrINT8ComputingSupported), 0);
  EXPECT_EQ(attribute(cnrtAttrTF32ComputingSupported), 0);
  EXPECT_EQ(attribute(cnrtAttrQueueSize), INT_MAX);
  EXPECT_EQ(attribute(cnrtAttrCodecH265Supported), 0);
  EXPECT_EQ(attribute(cnrtAttrMaxClusterPerUnionLimitTask), 1);
  EXPECT_GE(attribute(cnrtAttrMaxL2CacheSize), 0);
  EXPECT_GT(attribute(cnrtAttrTotalMemSize), 64);
  EXPECT_GT(attribute(cnrtAttrAvailableGlobalMemorySize), 0);
  EXPECT_EQ(attribute(cnrtAttrSupportUnifiedAddr), 1);
  EXPECT_EQ(attribute(cnrtAttrCanSetQueueSize), 0);
  for (const cnrtDeviceAttr_t none :
       {cnrtAttrComputeCapabilityMajor, cnrtAttrISAVersion, cnrtAttrNramSizePerMcore,
        cnrtAttrWramSizePerMcore, cnrtAttrSramSizePerMcore, cnrtAttrIpuClockRate, cnrtAttrMaxDimX,
        cnrtAttrPciBusID, cnrtAttrMDRMemorySize, cnrtAttrUnsupportedFlag, cnrtAttrCacheSize}) {
    EXPECT_EQ(attribute(none), -1) << none;
  }
  for (const int no_attribute : {0, -1, 0x0a, 0x500, int{cnrtAttrMaxNum}}) {
    EXPECT_EQ(attribute(cnrtDeviceAttr_t{no_attribute}), -2) << no_attribute;
  }
  int value = 0;
  EXPECT_EQ(cnrtDeviceGetAttribute(nullptr, cnrtAttrClusterCount, 0), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtDeviceGetAttribute(&value, cnrtAttrClusterCount, 1), cnrtErrorDeviceInvalid);
}

TEST(Cnrt, PropertiesAreTheAttributes) {
  cnrtDeviceProp_t prop;
  std::memset(&prop, 0xff, sizeof(prop));
  ASSERT_EQ(cnrtGetDeviceProperties(&prop, 0), cnrtSuccess);
  EXPECT_STREQ(prop.name, "CPU");
  EXPECT_EQ(prop.totalMem, attribute(cnrtAttrTotalMemSize));
  EXPECT_EQ(prop.totalGlobalMemSize >> 20, static_cast<std::uint64_t>(prop.totalMem));
  EXPECT_EQ(prop.clusterCount, 1);
  EXPECT_EQ(prop.McorePerCluster, attribute(cnrtAttrMcorePerCluster));
  EXPECT_EQ(prop.maxL2CacheSize, attribute(cnrtAttrMaxL2CacheSize));
  EXPECT_EQ(prop.FP16ComputingSupported, 1);
  EXPECT_EQ(prop.BF16ComputingSupported, 1);
  EXPECT_EQ(prop.maxQueueSize, INT_MAX);
  EXPECT_EQ(prop.maxNotifierSize, INT_MAX);
  EXPECT_EQ(prop.globalMemoryNodeCount, 1);
  EXPECT_EQ(prop.NramSizePerMcore, 0);
  EXPECT_EQ(prop.ISAVersion, 0);
  for (const int number : prop.reserved) EXPECT_EQ(number, 0);
  EXPECT_EQ(cnrtGetDeviceProperties(nullptr, 0), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtGetDeviceProperties(&prop, 1), cnrtErrorDeviceInvalid);
}

TEST(Cnrt, MemoryOfTheMachine) {
  std::size_t free = 0, total = 0;
  ASSERT_EQ(cnrtMemGetInfo(&free, &total), cnrtSuccess);
  struct sysinfo machine;
  ASSERT_EQ(sysinfo(&machine), 0);
  EXPECT_EQ(total, std::size_t{machine.totalram} * machine.mem_unit);
  EXPECT_GT(free, 0u);
  EXPECT_LE(free, total);
  EXPECT_EQ(cnrtMemGetInfo(nullptr, &total), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtMemGetInfo(&free, nullptr), cnrtErrorArgsInvalid);
}

TEST(Cnrt, ResetDestroysWhatTheDeviceHas) {
  void *device = nullptr, *host = nullptr;
  cnrtQueue_t queue = nullptr;
  cnrtNotifier_t notifier = nullptr;
  mluOpHandle_t handle = nullptr;
  ASSERT_EQ(cnrtMalloc(&device, 1 << 20), cnrtSuccess);
  ASSERT_EQ(cnrtHostMalloc(&host, 100), cnrtSuccess);
  ASSERT_EQ(cnrtQueueCreate(&queue), cnrtSuccess);
  ASSERT_EQ(cnrtNotifierCreate(&notifier), cnrtSuccess);
  ASSERT_EQ(mluOpCreate(&handle), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(mluOpSetQueue(handle, queue), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(cnrtSetDeviceFlag(cnrtDeviceScheduleBlock), cnrtSuccess);

  ASSERT_EQ(cnrtDeviceReset(), cnrtSuccess);
  EXPECT_EQ(cnrtFree(device), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtFreeHost(host), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtQueueDestroy(queue), cnrtErrorInvalidResourceHandle);
  EXPECT_EQ(cnrtNotifierDestroy(notifier), cnrtErrorInvalidResourceHandle);
  std::uint32_t flags = 9;
  EXPECT_EQ(cnrtGetDeviceFlag(&flags), cnrtSuccess);
  EXPECT_EQ(flags, std::uint32_t{cnrtDeviceScheduleSpin});
  EXPECT_EQ(mluOpDestroy(handle), MLUOP_STATUS_SUCCESS) << "handles stay";
  EXPECT_EQ(cnrtDeviceReset(), cnrtSuccess) << "there is nothing left";
  ASSERT_EQ(cnrtMalloc(&device, 64), cnrtSuccess);
  EXPECT_EQ(cnrtFree(device), cnrtSuccess);
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

TEST(CnrtCheck, PassesSuccessAndEndsTheProgramOtherwise) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  int device = -1;
  CNRT_CHECK(cnrtGetDevice(&device));
  EXPECT_EQ(device, 0);
  EXPECT_EXIT(CNRT_CHECK(cnrtSetDevice(5)), ::testing::ExitedWithCode(EXIT_FAILURE),
              "device_test.cpp:.*cnrtSetDevice\\(5\\): invalid device ordinal");
}

}  // namespace
