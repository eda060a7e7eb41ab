// Attributes and memory of the CPU as a device, and the functions of cnrt.h for it.
#include "runtime/cnrt/device.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdint>
#include <cstring>

#include "runtime/available_memory.hpp"
#include "runtime/cnrt/call.hpp"
#include "runtime/cnrt/memory.hpp"
#include "runtime/cnrt/queues.hpp"
#include "runtime/cores.hpp"
#include "runtime/uncancelled.hpp"

namespace mluop::cnrt {
namespace {

constinit std::atomic<std::uint32_t> device_flag{cnrtDeviceScheduleSpin};

int mebibytes(std::size_t bytes) {
  return static_cast<int>(std::min<std::size_t>(bytes >> 20, INT_MAX));
}

int level2_cache() {
  return static_cast<int>(std::clamp<long>(sysconf(_SC_LEVEL2_CACHE_SIZE), 0, INT_MAX));
}

int fixed(int value) { return value; }

/// A range of numbers, and what they are worth; null if a CPU has no such thing.
struct Row {
  int first, last;
  int (*value)(int);
  int argument = 0;
};

int cores(int) { return available_cores(); }
int cache(int) { return level2_cache(); }
int free_memory(int) { return mebibytes(memory_info().free); }
int total_memory(int) { return mebibytes(memory_info().total); }

constexpr Row rows[]{
    {cnrtAttrComputeCapabilityMajor, cnrtAttrComputeCapabilityMinor, nullptr},
    {cnrtAttrSparseComputingSupported, cnrtAttrSparseComputingSupported, fixed, 0},
    {cnrtAttrFP16ComputingSupported, cnrtAttrFP16ComputingSupported, fixed, 1},
    {cnrtAttrINT4ComputingSupported, cnrtAttrINT8ComputingSupported, fixed, 0},
    {cnrtAttrBF16ComputingSupported, cnrtAttrBF16ComputingSupported, fixed, 1},
    {cnrtAttrTF32ComputingSupported, cnrtAttrTF32ComputingSupported, fixed, 0},
    {cnrtAttrComputeMode, cnrtAttrComputeMode, fixed, cnrtComputeModeDefault},
    {cnrtAttrQueueSize, cnrtAttrNotifierSize, fixed, INT_MAX},
    {cnrtAttrSupportQueuePriorities, cnrtAttrAIIspCoreSupported, fixed, 0},
    {cnrtAttrMultiCtxNotifierWaitSupported, cnrtAttrMultiCtxNotifierWaitSupported, fixed, 1},
    {cnrtAttrIPCNotifierSupported, cnrtAttrIPCNotifierSupported, fixed, 0},
    {cnrtAttrMaxDimX, cnrtAttrMaxDimZ, nullptr},
    {cnrtAttrMaxClusterCountPerUnionTask, cnrtAttrClusterCount, fixed, 1},
    {cnrtAttrMcorePerCluster, cnrtAttrMcorePerCluster, cores},
    {cnrtAttrMaxQuadrantCount, cnrtAttrMaxUnionTypePerQuadrant, nullptr},
    {cnrtAttrMaxClusterPerUnionLimitTask, cnrtAttrMaxClusterPerUnionLimitTask, fixed, 1},
    {cnrtAttrISAVersion, cnrtAttrISAVersion, nullptr},
    {cnrtAttrIsMultipleTensorProcessor, cnrtAttrIsMultipleTensorProcessor, fixed, 0},
    {CN_DEVICE_ATTRIBUTE_IPCRESOURCE_PER_CTX, CN_DEVICE_ATTRIBUTE_IPCRESOURCE_PER_CTX, nullptr},
    {cnrtAttrMaxL2CacheSize, cnrtAttrMaxL2CacheSize, cache},
    {cnrtAttrNramSizePerMcore, cnrtAttrSramSizePerMcore, nullptr},
    {cnrtAttrGlobalMemoryNodeCount, cnrtAttrGlobalMemoryNodeCount, fixed, 1},
    {CN_DEVICE_ATTRIBUTE_CLUSTER_L1_CACHE_SUPPORTED, CN_DEVICE_ATTRIBUTE_CLUSTER_L1_CACHE_SUPPORTED,
     nullptr},
    {cnrtAttrMaxPersistingL2CacheSize, cnrtAttrMaxPersistingL2CacheSize, fixed, 0},
    {CN_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_SIZE_PER_UNION_TASK,
     CN_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_SIZE_PER_UNION_TASK, nullptr},
    {CN_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED,
     CN_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, fixed, 0},
    {CN_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM,
     CN_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, fixed, 1},
    {CN_DEVICE_ATTRIBUTE_LINEAR_MAPPING_SUPPORTED, CN_DEVICE_ATTRIBUTE_LINEAR_RECOMMEND_GRANULARITY,
     nullptr},
    {cnrtAttrAvailableGlobalMemorySize, cnrtAttrAvailableGlobalMemorySize, free_memory},
    {CN_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, CN_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, fixed, 0},
    {cnrtAttrEccEnable, cnrtAttrGmemBusWidth, nullptr},
    {cnrtAttrTotalMemSize, cnrtAttrTotalMemSize, total_memory},
    {cnrtAttrPciBusID, CN_DEVICE_ATTRIBUTE_PCI_MRRS, nullptr},
    {cnrtAttrUnsupportedFlag, cnrtAttrUnsupportedFlag, nullptr},
    {cnrtAttrCanMapHostMemory, cnrtAttrCanMapHostMemory, fixed, 1},
    {cnrtAttrCanSetQueueSize, cnrtAttrConcurrentKernels, fixed, 0},
    {cnrtAttrSupportUnifiedAddr, cnrtAttrSupportHostRegsiter, fixed, 1},
    {cnrtAttrCacheSize, cnrtAttrCacheSize, nullptr},
};

/// An attribute that the table has a value for.
int known(cnrtDeviceAttr_t attr) {
  int value = 0;
  attribute(attr, &value);
  return value;
}

cnrtRet_t describe(cnrtDeviceProp_t* prop) {
  if (prop == nullptr) return cnrtErrorArgsInvalid;
  cnrtDeviceProp_t all{};
  std::memcpy(all.name, device_name, sizeof(device_name));
  all.totalMem = known(cnrtAttrTotalMemSize);
  all.maxL2CacheSize = known(cnrtAttrMaxL2CacheSize);
  all.FP16ComputingSupported = known(cnrtAttrFP16ComputingSupported);
  all.BF16ComputingSupported = known(cnrtAttrBF16ComputingSupported);
  all.maxQueueSize = known(cnrtAttrQueueSize);
  all.maxNotifierSize = known(cnrtAttrNotifierSize);
  all.maxClusterCountPerUnionTask = known(cnrtAttrMaxClusterCountPerUnionTask);
  all.clusterCount = known(cnrtAttrClusterCount);
  all.McorePerCluster = known(cnrtAttrMcorePerCluster);
  all.maxClusterPerUnionLimitTask = known(cnrtAttrMaxClusterPerUnionLimitTask);
  all.globalMemoryNodeCount = known(cnrtAttrGlobalMemoryNodeCount);
  all.computeMode = known(cnrtAttrComputeMode);
  all.availableGlobalMemorySize = known(cnrtAttrAvailableGlobalMemorySize);
  all.totalGlobalMemSize = memory_info().total;
  *prop = all;
  return cnrtSuccess;
}

cnrtRet_t check_device(int ordinal) { return valid_if(ordinal == 0, cnrtErrorDeviceInvalid); }

}  // namespace

cnrtRet_t attribute(int number, int* value) {
  if (value == nullptr) return cnrtErrorArgsInvalid;
  for (const Row& row : rows) {
    if (number < row.first || number > row.last) continue;
    if (row.value == nullptr) return cnrtErrorNotSupport;
    *value = row.value(row.argument);
    return cnrtSuccess;
  }
  return cnrtErrorArgsInvalid;
}

MemoryInfo memory_info() {
  const Uncancelled uncancelled;  // reading a file is a cancellation point
  const std::size_t total = physical_memory();
  return {std::min(available_memory(), total), total};
}

}  // namespace mluop::cnrt

using namespace mluop::cnrt;  // NOLINT(google-build-using-namespace): the C entry points are global

cnrtRet_t cnrtGetLibVersion(int* major, int* minor, int* patch) {
  return runtime_call([&] {
    return report_version(major, minor, patch, CNRT_MAJOR_VERSION, CNRT_MINOR_VERSION,
                          CNRT_PATCH_VERSION);
  });
}

cnrtRet_t cnrtDriverGetVersion(int* major, int* minor, int* patch) {
  return runtime_call([&] {
    return report_version(major, minor, patch, CN_MAJOR_VERSION, CN_MINOR_VERSION,
                          CN_PATCH_VERSION);
  });
}

cnrtRet_t cnrtGetDeviceCount(unsigned int* count) {
  return runtime_call([&] { return report(count, 1u); });
}

cnrtRet_t cnrtGetDevice(int* ordinal) {
  return runtime_call([&] { return report(ordinal, 0); });
}

cnrtRet_t cnrtSetDevice(int ordinal) {
  return runtime_call([&] { return check_device(ordinal); });
}

cnrtRet_t cnrtSyncDevice(void) { return cnrtSuccess; }

cnrtRet_t cnrtDeviceReset(void) {
  return runtime_call([] {
    destroy_all_queues();
    release_all_memory();
    device_flag = cnrtDeviceScheduleSpin;
    return cnrtSuccess;
  });
}

cnrtRet_t cnrtDeviceGetAttribute(int* value, cnrtDeviceAttr_t attr, int device) {
  return runtime_call([&] {
    const cnrtRet_t there = check_device(device);
    return there != cnrtSuccess ? there : attribute(attr, value);
  });
}

cnrtRet_t cnrtGetDeviceProperties(cnrtDeviceProp_t* prop, int device) {
  return runtime_call([&] {
    const cnrtRet_t there = check_device(device);
    return there != cnrtSuccess ? there : describe(prop);
  });
}

cnrtRet_t cnrtGetDeviceFlag(uint32_t* flags) {
  return runtime_call([&] { return report(flags, device_flag.load()); });
}

cnrtRet_t cnrtSetDeviceFlag(uint32_t flags) {
  return runtime_call([&] {
    if (flags >= cnrtDeviceFlagsMaxNum) return cnrtErrorArgsInvalid;
    device_flag = flags;
    return cnrtSuccess;
  });
}

cnrtRet_t cnrtMemGetInfo(size_t* free, size_t* total) {
  return runtime_call([&] {
    if (free == nullptr || total == nullptr) return cnrtErrorArgsInvalid;
    const MemoryInfo memory = memory_info();
    *free = memory.free;
    *total = memory.total;
    return cnrtSuccess;
  });
}
