// The functions of cn_api.h for device, memory, queues and notifiers, and what they share with cnrt.h.
#include <gtest/gtest.h>

#include <chrono>
#include <climits>
#include <cstring>
#include <string>
#include <thread>

#include "cn_api.h"
#include "cnrt.h"
#include "runtime/cnrt/stray.hpp"
#include "runtime/cores.hpp"

namespace {

using mluop::testing::stray;

CNaddr address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

TEST(Driver, ThereIsOneDevice) {
  int count = 0, major = 0, minor = 0, patch = 0;
  CNdev device = 9;
  EXPECT_EQ(cnInit(0), CN_SUCCESS);
  EXPECT_EQ(cnInit(1), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnDeviceGetCount(&count), CN_SUCCESS);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cnDeviceGetCount(nullptr), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnDeviceGet(&device, 0), CN_SUCCESS);
  EXPECT_EQ(device, 0u);
  EXPECT_EQ(cnDeviceGet(&device, 1), CN_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cnDeviceGet(nullptr, 0), CN_ERROR_INVALID_VALUE);
  for (const auto version : {cnGetLibVersion, cnDriverGetVersion, cnGetDriverVersion}) {
    EXPECT_EQ(version(&major, &minor, &patch), CN_SUCCESS);
    EXPECT_EQ(major * 100000 + minor * 1000 + patch, CN_VERSION);
    EXPECT_EQ(version(&major, nullptr, &patch), CN_ERROR_INVALID_VALUE);
  }
}

TEST(Driver, NameFitsOrIsRefused) {
  char name[8] = "#######";
  EXPECT_EQ(cnDeviceGetName(name, 3, 0), CN_ERROR_INVALID_VALUE);
  EXPECT_STREQ(name, "#######");
  EXPECT_EQ(cnDeviceGetName(name, 4, 0), CN_SUCCESS);
  EXPECT_STREQ(name, "CPU");
  EXPECT_EQ(cnDeviceGetName(nullptr, 4, 0), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnDeviceGetName(name, 4, 1), CN_ERROR_INVALID_DEVICE);
}

TEST(Driver, Attributes) {
  const auto attribute = [](CNdevice_attribute attrib) {
    int value = -1;
    EXPECT_EQ(cnDeviceGetAttribute(&value, attrib, 0), CN_SUCCESS) << attrib;
    return value;
  };
  EXPECT_EQ(attribute(CN_DEVICE_ATTRIBUTE_MAX_CLUSTER_COUNT), 1);
  EXPECT_EQ(attribute(CN_DEVICE_ATTRIBUTE_MAX_CORE_COUNT_PER_CLUSTER), mluop::available_cores());
  EXPECT_EQ(attribute(CN_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY), 1);
  EXPECT_EQ(attribute(CN_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED), 0);
  EXPECT_EQ(attribute(CN_DEVICE_ATTRIBUTE_MAX_QUEUE_COUNT), INT_MAX);
  EXPECT_GT(attribute(CN_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_TOTAL_SIZE), 64);
  int value = -1;
  for (const CNdevice_attribute none :
       {CN_DEVICE_ATTRIBUTE_NEURAL_RAM_SIZE_PER_CORE, CN_DEVICE_ATTRIBUTE_CLUSTER_CLOCK_RATE,
        CN_DEVICE_ATTRIBUTE_MLU_ISA_VERSION, CN_DEVICE_ATTRIBUTE_PCI_MRRS,
        CN_DEVICE_ATTRIBUTE_LINEAR_RECOMMEND_GRANULARITY}) {
    EXPECT_EQ(cnDeviceGetAttribute(&value, none, 0), CN_OPS_ERROR_NOT_SUPPORTED) << none;
  }
  // The last number is one of cnrt.h alone.
  for (const int no_attribute :
       {0, int{CN_DEVICE_ATTRIBUTE_MAX}, int{cnrtAttrSupportUnifiedAddr}}) {
    EXPECT_EQ(cnDeviceGetAttribute(&value, CNdevice_attribute{no_attribute}, 0),
              CN_ERROR_INVALID_VALUE);
  }
  EXPECT_EQ(value, -1);
  EXPECT_EQ(cnDeviceGetAttribute(nullptr, CN_DEVICE_ATTRIBUTE_MAX_CLUSTER_COUNT, 0),
            CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnDeviceGetAttribute(&value, CN_DEVICE_ATTRIBUTE_MAX_CLUSTER_COUNT, 1),
            CN_ERROR_INVALID_DEVICE);
}

TEST(Driver, ErrorsHaveNamesAndTexts) {
  const char* text = nullptr;
  EXPECT_EQ(cnGetErrorName(CN_QUEUE_ERROR_INVALID, &text), CN_SUCCESS);
  EXPECT_STREQ(text, "CN_QUEUE_ERROR_INVALID");
  EXPECT_EQ(cnGetErrorString(CN_QUEUE_ERROR_INVALID, &text), CN_SUCCESS);
  EXPECT_STREQ(text, "not a live queue");
  EXPECT_EQ(cnGetErrorName(CNresult{7}, &text), CN_SUCCESS);
  EXPECT_STREQ(text, "CN_ERROR_UNKNOWN");
  EXPECT_EQ(cnGetErrorString(CNresult{-7}, &text), CN_SUCCESS);
  EXPECT_STREQ(text, "unknown error");
  EXPECT_EQ(cnGetErrorName(CN_SUCCESS, nullptr), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnGetErrorString(CN_SUCCESS, nullptr), CN_ERROR_INVALID_VALUE);
}

TEST(Driver, MemoryIsThatOfTheRuntime) {
  CNaddr address = 0, base = 0;
  cn_uint64_t bytes = 0;
  ASSERT_EQ(cnZmalloc(&address, 100), CN_SUCCESS);
  EXPECT_EQ(address % 64, 0u);
  const char zeros[100] = {};
  EXPECT_EQ(std::memcmp(reinterpret_cast<void*>(address), zeros, 100), 0);
  EXPECT_EQ(cnMemGetAddressRange(&base, &bytes, address + 99), CN_SUCCESS);
  EXPECT_EQ(base, address);
  EXPECT_EQ(bytes, 100u);
  EXPECT_EQ(cnMemGetAddressRange(nullptr, nullptr, address), CN_SUCCESS);
  EXPECT_EQ(cnMemGetAddressRange(&base, &bytes, address + 100), CN_MEMORY_ERROR_INVALID_ADDRESS);
  EXPECT_EQ(cnrtFree(reinterpret_cast<void*>(address)), cnrtSuccess);
  EXPECT_EQ(cnFree(address), CN_MEMORY_ERROR_INVALID_ADDRESS) << "freed twice";
  EXPECT_EQ(cnFree(0), CN_SUCCESS);

  ASSERT_EQ(cnMalloc(&address, 8), CN_SUCCESS);
  EXPECT_EQ(cnFree(address), CN_SUCCESS);
  EXPECT_EQ(cnMalloc(nullptr, 8), CN_ERROR_INVALID_VALUE);
  address = 5;
  EXPECT_EQ(cnMalloc(&address, UINT64_MAX), CN_MEMORY_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cnZmalloc(&address, UINT64_MAX), CN_MEMORY_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(address, 5u);

  void* host = nullptr;
  ASSERT_EQ(cnMallocHost(&host, 8), CN_SUCCESS);
  EXPECT_EQ(cnMemGetAddressRange(&base, &bytes, address_of(host)), CN_MEMORY_ERROR_INVALID_ADDRESS);
  EXPECT_EQ(cnFreeHost(host), CN_SUCCESS);
  EXPECT_EQ(cnFreeHost(host), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnMallocHost(nullptr, 8), CN_ERROR_INVALID_VALUE);
}

TEST(Driver, MemoryOfTheMachine) {
  cn_uint64_t free = 0, total = 0, device_total = 0;
  std::size_t runtime_free = 0, runtime_total = 0;
  ASSERT_EQ(cnMemGetInfo(&free, &total), CN_SUCCESS);
  ASSERT_EQ(cnrtMemGetInfo(&runtime_free, &runtime_total), cnrtSuccess);
  ASSERT_EQ(cnDeviceTotalMem(&device_total, 0), CN_SUCCESS);
  EXPECT_EQ(total, runtime_total);
  EXPECT_EQ(device_total, runtime_total);
  EXPECT_GT(free, 0u);
  EXPECT_LE(free, total);
  EXPECT_EQ(cnMemGetInfo(nullptr, &total), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnMemGetInfo(&free, nullptr), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnDeviceTotalMem(nullptr, 0), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnDeviceTotalMem(&total, 1), CN_ERROR_INVALID_DEVICE);
}

class DriverCopies : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cnMalloc(&device, sizeof(host)), CN_SUCCESS);
    ASSERT_EQ(cnMalloc(&other, sizeof(host)), CN_SUCCESS);
    ASSERT_EQ(cnCreateQueue(&queue, 0), CN_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cnFree(device), CN_SUCCESS);
    EXPECT_EQ(cnFree(other), CN_SUCCESS);
    EXPECT_EQ(cnDestroyQueue(queue), CN_SUCCESS);
  }
  std::string content(CNaddr address) const {
    return {reinterpret_cast<const char*>(address), sizeof(host)};
  }

  const std::string text = "driver";
  char host[6] = {'d', 'r', 'i', 'v', 'e', 'r'};
  CNaddr device = 0, other = 0;
  CNqueue queue = nullptr;
};

TEST_F(DriverCopies, GoThereAndBack) {
  char back[6] = {};
  ASSERT_EQ(cnMemcpyHtoD(device, host, 6), CN_SUCCESS);
  ASSERT_EQ(cnMemcpyDtoD(other, device, 6), CN_SUCCESS);
  ASSERT_EQ(cnMemcpyDtoH(back, other, 6), CN_SUCCESS);
  EXPECT_EQ(std::string(back, 6), text);
  ASSERT_EQ(cnMemsetD8(device, 'x', 6), CN_SUCCESS);
  ASSERT_EQ(cnMemcpy(device, other, 3), CN_SUCCESS);
  EXPECT_EQ(content(device), "drixxx");

  std::memset(back, 0, 6);
  ASSERT_EQ(cnMemcpyHtoDAsync(device, host, 6, queue), CN_SUCCESS);
  ASSERT_EQ(cnMemcpyDtoDAsync(other, device, 6, queue), CN_SUCCESS);
  ASSERT_EQ(cnMemcpyAsync(device + 3, other, 3, queue), CN_SUCCESS);
  ASSERT_EQ(cnMemcpyDtoHAsync(back, device, 6, queue), CN_SUCCESS);
  ASSERT_EQ(cnQueueSync(queue), CN_SUCCESS);
  EXPECT_EQ(std::string(back, 6), "dridri");
}

TEST_F(DriverCopies, FillElementsOfEachSize) {
  for (const CNqueue in : {CNqueue{nullptr}, queue}) {
    ASSERT_EQ(cnMemcpyHtoD(device, "......", 6), CN_SUCCESS);
    ASSERT_EQ(cnMemsetD8Async(device, 'a', 1, in), CN_SUCCESS);
    ASSERT_EQ(cnMemsetD16Async(device + 1, 'b' | 'c' << 8, 2, in), CN_SUCCESS);
    EXPECT_EQ(content(device), "abcbc.");
    ASSERT_EQ(cnMemsetD32Async(device + 1, 'd' | 'e' << 8 | 'f' << 16 | 'g' << 24, 1, in),
              CN_SUCCESS);
    EXPECT_EQ(content(device), "adefg.");
  }
  ASSERT_EQ(cnMemsetD16(device, 'h' | 'i' << 8, 1), CN_SUCCESS);
  ASSERT_EQ(cnMemsetD32(device + 2, 'j' | 'k' << 8 | 'l' << 16 | 'm' << 24, 1), CN_SUCCESS);
  EXPECT_EQ(content(device), "hijklm");
}

TEST_F(DriverCopies, BadOnesAreRefused) {
  EXPECT_EQ(cnMemcpy(0, device, 1), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnMemcpy(device, 0, 1), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnMemcpy(0, 0, 0), CN_SUCCESS);
  EXPECT_EQ(cnMemcpyHtoD(device, nullptr, 1), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnMemcpyDtoH(nullptr, device, 1), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnMemsetD32(0, 1, 1), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnMemsetD32(0, 1, 0), CN_SUCCESS);
  const auto none = stray<CNqueue>();
  EXPECT_EQ(cnMemcpyAsync(device, other, 1, none), CN_QUEUE_ERROR_INVALID);
  EXPECT_EQ(cnMemcpyHtoDAsync(device, host, 1, none), CN_QUEUE_ERROR_INVALID);
  EXPECT_EQ(cnMemcpyDtoHAsync(host, device, 1, none), CN_QUEUE_ERROR_INVALID);
  EXPECT_EQ(cnMemcpyDtoDAsync(device, other, 1, none), CN_QUEUE_ERROR_INVALID);
  EXPECT_EQ(cnMemsetD8Async(device, 1, 1, none), CN_QUEUE_ERROR_INVALID);
  EXPECT_EQ(cnMemsetD16Async(device, 1, 1, none), CN_QUEUE_ERROR_INVALID);
  EXPECT_EQ(cnMemsetD32Async(device, 1, 1, none), CN_QUEUE_ERROR_INVALID);
}

TEST(Driver, QueuesAreThoseOfTheRuntime) {
  CNqueue queue = nullptr;
  int priority = -1, lowest = -1, highest = -1;
  ASSERT_EQ(cnCreateQueueWithPriority(&queue, 0, 3), CN_SUCCESS);
  const cnrtQueue_t same = queue;
  EXPECT_EQ(cnrtQueueSync(same), cnrtSuccess);
  EXPECT_EQ(cnQueryQueue(queue), CN_SUCCESS);
  EXPECT_EQ(cnQueueGetPriority(queue, &priority), CN_SUCCESS);
  EXPECT_EQ(priority, 0);
  EXPECT_EQ(cnCtxGetQueuePriorityRange(&lowest, &highest), CN_SUCCESS);
  EXPECT_EQ(lowest, 0);
  EXPECT_EQ(highest, 0);
  EXPECT_EQ(cnrtQueueDestroy(same), cnrtSuccess);
  EXPECT_EQ(cnDestroyQueue(queue), CN_QUEUE_ERROR_INVALID);
  EXPECT_EQ(cnQueueSync(queue), CN_QUEUE_ERROR_INVALID);
  EXPECT_EQ(cnQueueGetPriority(queue, &priority), CN_QUEUE_ERROR_INVALID);
  EXPECT_EQ(cnQueueSync(nullptr), CN_SUCCESS) << "the default queue";
  EXPECT_EQ(cnCreateQueue(nullptr, 0), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnCreateQueue(&queue, 1), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnCtxGetQueuePriorityRange(nullptr, &highest), CN_ERROR_INVALID_VALUE);
}

TEST(Driver, NotifiersMeasureTime) {
  CNnotifier start = nullptr, end = nullptr, untimed = nullptr;
  ASSERT_EQ(cnCreateNotifier(&start, CN_NOTIFIER_DEFAULT), CN_SUCCESS);
  ASSERT_EQ(cnCreateNotifier(&end, CN_NOTIFIER_DEFAULT), CN_SUCCESS);
  ASSERT_EQ(cnCreateNotifier(&untimed, CN_NOTIFIER_DISABLE_TIMING), CN_SUCCESS);
  float time = -1, same = -1;
  EXPECT_EQ(cnNotifierElapsedTime(&time, start, end), CN_ERROR_NOT_READY);
  ASSERT_EQ(cnPlaceNotifier(start, nullptr), CN_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_EQ(cnPlaceNotifier(end, nullptr), CN_SUCCESS);
  EXPECT_EQ(cnWaitNotifier(end), CN_SUCCESS);
  EXPECT_EQ(cnQueryNotifier(end), CN_SUCCESS);
  EXPECT_EQ(cnQueueWaitNotifier(nullptr, end), CN_SUCCESS);
  ASSERT_EQ(cnNotifierElapsedTime(&time, start, end), CN_SUCCESS);
  ASSERT_EQ(cnNotifierElapsedExecTime(&same, start, end), CN_SUCCESS);
  EXPECT_GE(time, 5.0f);
  EXPECT_EQ(time, same);
  EXPECT_EQ(cnNotifierElapsedTime(&time, start, untimed), CN_NOTIFIER_ERROR_INVALID);
  EXPECT_EQ(cnNotifierElapsedTime(nullptr, start, end), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnPlaceNotifier(end, stray<CNqueue>()), CN_QUEUE_ERROR_INVALID);
  EXPECT_EQ(cnQueueWaitNotifier(stray<CNqueue>(), end), CN_QUEUE_ERROR_INVALID);
  EXPECT_EQ(cnDestroyNotifier(untimed), CN_SUCCESS);
  EXPECT_EQ(cnDestroyNotifier(start), CN_SUCCESS);
  EXPECT_EQ(cnDestroyNotifier(end), CN_SUCCESS);
  EXPECT_EQ(cnDestroyNotifier(end), CN_NOTIFIER_ERROR_INVALID);
  EXPECT_EQ(cnPlaceNotifier(end, nullptr), CN_NOTIFIER_ERROR_INVALID);
  EXPECT_EQ(cnWaitNotifier(nullptr), CN_NOTIFIER_ERROR_INVALID);
  EXPECT_EQ(cnQueueWaitNotifier(nullptr, end), CN_NOTIFIER_ERROR_INVALID);
  EXPECT_EQ(cnNotifierElapsedTime(&time, start, end), CN_NOTIFIER_ERROR_INVALID);
  EXPECT_EQ(cnCreateNotifier(nullptr, 0), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnCreateNotifier(&end, 0x10), CN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cnCreateNotifier(&end, CN_NOTIFIER_INTERPROCESS), CN_OPS_ERROR_NOT_SUPPORTED);
}

TEST(Driver, LeavesTheLastErrorOfTheRuntimeAlone) {
  cnrtGetLastError();
  EXPECT_EQ(cnQueueSync(stray<CNqueue>()), CN_QUEUE_ERROR_INVALID);
  EXPECT_EQ(cnrtGetLastError(), cnrtSuccess);
}

}  // namespace
