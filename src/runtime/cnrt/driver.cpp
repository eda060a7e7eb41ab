// The functions of cn_api.h for device, memory, queues and notifiers, in terms of those of cnrt.h.
#include <cstdint>
#include <cstring>

#include "runtime/cnrt/call.hpp"
#include "runtime/cnrt/device.hpp"
#include "runtime/cnrt/driver.hpp"
#include "runtime/cnrt/memory.hpp"
#include "runtime/cnrt/queues.hpp"

using namespace mluop::cnrt;  // NOLINT(google-build-using-namespace): the C entry points are global

namespace {

void* pointer_to(CNaddr address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

CNaddr address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

CNresult driver_version(int* major, int* minor, int* patch) {
  return driver_call([&] {
    return report_version(major, minor, patch, CN_MAJOR_VERSION, CN_MINOR_VERSION,
                          CN_PATCH_VERSION);
  });
}

CNresult allocate_at(CNaddr* address, cn_uint64_t bytes, bool cleared) {
  return driver_call([&] {
    if (address == nullptr) return cnrtErrorArgsInvalid;
    void* pointer = nullptr;
    const cnrtRet_t result = allocate(cnrtMemTypeDevice, &pointer, bytes);
    if (cleared) std::memset(pointer, 0, bytes);
    *address = address_of(pointer);
    return result;
  });
}

CNresult copy_in(CNqueue queue, void* destination, const void* source, cn_uint64_t bytes) {
  return driver_call(
      [&] { return in_queue(queue, [&] { return copy(destination, source, bytes); }); },
      CN_QUEUE_ERROR_INVALID);
}

template <class Element>
CNresult fill_in(CNqueue queue, CNaddr address, Element value, cn_uint64_t count) {
  return driver_call(
      [&] { return in_queue(queue, [&] { return fill(pointer_to(address), value, count); }); },
      CN_QUEUE_ERROR_INVALID);
}

/// A notifier after a queue: each has an error of its own.
template <class Use>
CNresult with_notifier(CNqueue queue, CNnotifier notifier, Use&& use) {
  if (check_queue(queue) != cnrtSuccess) return CN_QUEUE_ERROR_INVALID;
  return driver_call([&] { return use(notifier); }, CN_NOTIFIER_ERROR_INVALID);
}

/// A notifier that measures no time is not a valid one here.
CNresult milliseconds(float* duration, CNnotifier start, CNnotifier end) {
  if (duration == nullptr) return CN_ERROR_INVALID_VALUE;
  const CNresult result =
      driver_call([&] { return elapsed(start, end, 1e3, duration); }, CN_NOTIFIER_ERROR_INVALID);
  return result == CN_ERROR_INVALID_VALUE ? CN_NOTIFIER_ERROR_INVALID : result;
}

}  // namespace

CNresult cnInit(unsigned int flags) {
  return driver_call([&] { return valid_if(flags == 0); });
}

CNresult cnGetLibVersion(int* major, int* minor, int* patch) {
  return driver_version(major, minor, patch);
}

CNresult cnDriverGetVersion(int* major, int* minor, int* patch) {
  return driver_version(major, minor, patch);
}

CNresult cnGetDriverVersion(int* major, int* minor, int* patch) {
  return driver_version(major, minor, patch);
}

CNresult cnDeviceGet(CNdev* pdev, int ordinal) {
  return driver_call(
      [&] { return ordinal == 0 ? report(pdev, CNdev{0}) : cnrtErrorDeviceInvalid; });
}

CNresult cnDeviceGetCount(int* pcount) {
  return driver_call([&] { return report(pcount, 1); });
}

CNresult cnDeviceGetName(char* name, unsigned int len, CNdev dev) {
  return on_device(dev, [&] {
    if (name == nullptr || len < sizeof(device_name)) return cnrtErrorArgsInvalid;
    std::memcpy(name, device_name, sizeof(device_name));
    return cnrtSuccess;
  });
}

CNresult cnDeviceTotalMem(cn_uint64_t* pbytes, CNdev dev) {
  return on_device(dev, [&] { return report(pbytes, cn_uint64_t{memory_info().total}); });
}

CNresult cnDeviceGetAttribute(int* pi, CNdevice_attribute attrib, CNdev dev) {
  return on_device(dev, [&] {
    return attrib >= CN_DEVICE_ATTRIBUTE_MAX ? cnrtErrorArgsInvalid : attribute(attrib, pi);
  });
}

CNresult cnMemGetInfo(cn_uint64_t* pfreeBytes, cn_uint64_t* ptotalBytes) {
  return driver_call([&] {
    if (pfreeBytes == nullptr || ptotalBytes == nullptr) return cnrtErrorArgsInvalid;
    const MemoryInfo memory = memory_info();
    *pfreeBytes = memory.free;
    *ptotalBytes = memory.total;
    return cnrtSuccess;
  });
}

CNresult cnMalloc(CNaddr* pmluAddr, cn_uint64_t bytes) {
  return allocate_at(pmluAddr, bytes, false);
}

CNresult cnZmalloc(CNaddr* pmluAddr, cn_uint64_t bytes) {
  return allocate_at(pmluAddr, bytes, true);
}

CNresult cnFree(CNaddr mluAddr) {
  const CNresult result =
      driver_call([&] { return release(cnrtMemTypeDevice, pointer_to(mluAddr)); });
  return result == CN_ERROR_INVALID_VALUE ? CN_MEMORY_ERROR_INVALID_ADDRESS : result;
}

CNresult cnMemGetAddressRange(CNaddr* pbaseAddr, cn_uint64_t* pbytes, const CNaddr mluAddr) {
  return driver_call(
      [&] {
        const auto found = allocation_of(pointer_to(mluAddr));
        if (!found || found->type != cnrtMemTypeDevice) return cnrtErrorInvalidResourceHandle;
        if (pbaseAddr != nullptr) *pbaseAddr = address_of(found->begin);
        if (pbytes != nullptr) *pbytes = found->bytes;
        return cnrtSuccess;
      },
      CN_MEMORY_ERROR_INVALID_ADDRESS);
}

CNresult cnMallocHost(void** paddr, cn_uint64_t bytes) {
  return driver_call([&] { return allocate(cnrtMemTypeHost, paddr, bytes); });
}

CNresult cnFreeHost(void* addr) {
  return driver_call([&] { return release(cnrtMemTypeHost, addr); });
}

CNresult cnMemcpy(CNaddr dstAddr, CNaddr srcAddr, cn_uint64_t bytes) {
  return copy_in(nullptr, pointer_to(dstAddr), pointer_to(srcAddr), bytes);
}

CNresult cnMemcpyAsync(CNaddr dstAddr, CNaddr srcAddr, cn_uint64_t bytes, CNqueue hqueue) {
  return copy_in(hqueue, pointer_to(dstAddr), pointer_to(srcAddr), bytes);
}

CNresult cnMemcpyHtoD(CNaddr dstAddr, const void* srcAddr, cn_uint64_t bytes) {
  return copy_in(nullptr, pointer_to(dstAddr), srcAddr, bytes);
}

CNresult cnMemcpyDtoH(void* dstAddr, CNaddr srcAddr, cn_uint64_t bytes) {
  return copy_in(nullptr, dstAddr, pointer_to(srcAddr), bytes);
}

CNresult cnMemcpyDtoD(CNaddr dstAddr, CNaddr srcAddr, cn_uint64_t bytes) {
  return copy_in(nullptr, pointer_to(dstAddr), pointer_to(srcAddr), bytes);
}

CNresult cnMemcpyHtoDAsync(CNaddr dstAddr, const void* srcAddr, cn_uint64_t bytes, CNqueue hqueue) {
  return copy_in(hqueue, pointer_to(dstAddr), srcAddr, bytes);
}

CNresult cnMemcpyDtoHAsync(void* dstAddr, CNaddr srcAddr, cn_uint64_t bytes, CNqueue hqueue) {
  return copy_in(hqueue, dstAddr, pointer_to(srcAddr), bytes);
}

CNresult cnMemcpyDtoDAsync(CNaddr dstAddr, CNaddr srcAddr, cn_uint64_t bytes, CNqueue hqueue) {
  return copy_in(hqueue, pointer_to(dstAddr), pointer_to(srcAddr), bytes);
}

CNresult cnMemsetD8(CNaddr mluAddr, unsigned char value, cn_uint64_t count) {
  return fill_in(nullptr, mluAddr, std::uint8_t{value}, count);
}

CNresult cnMemsetD16(CNaddr mluAddr, unsigned short value, cn_uint64_t count) {
  return fill_in(nullptr, mluAddr, std::uint16_t{value}, count);
}

CNresult cnMemsetD32(CNaddr mluAddr, unsigned int value, cn_uint64_t count) {
  return fill_in(nullptr, mluAddr, std::uint32_t{value}, count);
}

CNresult cnMemsetD8Async(CNaddr mluAddr, unsigned char value, cn_uint64_t count, CNqueue hqueue) {
  return fill_in(hqueue, mluAddr, std::uint8_t{value}, count);
}

CNresult cnMemsetD16Async(CNaddr mluAddr, unsigned short value, cn_uint64_t count, CNqueue hqueue) {
  return fill_in(hqueue, mluAddr, std::uint16_t{value}, count);
}

CNresult cnMemsetD32Async(CNaddr mluAddr, unsigned int value, cn_uint64_t count, CNqueue hqueue) {
  return fill_in(hqueue, mluAddr, std::uint32_t{value}, count);
}

CNresult cnCreateQueue(CNqueue* phqueue, unsigned int flags) {
  return driver_call([&] { return create_queue(phqueue, flags); });
}

CNresult cnCreateQueueWithPriority(CNqueue* phqueue, unsigned int flags, int) {
  return driver_call([&] { return create_queue(phqueue, flags); });
}

CNresult cnQueueGetPriority(CNqueue hqueue, int* priority) {
  return driver_call([&] { return priority_of(hqueue, priority); }, CN_QUEUE_ERROR_INVALID);
}

CNresult cnCtxGetQueuePriorityRange(int* pminPriority, int* pmaxPriority) {
  return driver_call([&] { return priority_range(pminPriority, pmaxPriority); });
}

CNresult cnDestroyQueue(CNqueue hqueue) {
  return driver_call([&] { return destroy_queue(hqueue); }, CN_QUEUE_ERROR_INVALID);
}

CNresult cnQueryQueue(CNqueue hqueue) {
  return driver_call([&] { return check_queue(hqueue); }, CN_QUEUE_ERROR_INVALID);
}

CNresult cnQueueSync(CNqueue hqueue) { return cnQueryQueue(hqueue); }

CNresult cnQueueWaitNotifier(CNqueue hqueue, CNnotifier hnotifier) {
  return with_notifier(hqueue, hnotifier, check_notifier);
}

CNresult cnCreateNotifier(CNnotifier* phnotifier, unsigned int flags) {
  return driver_call([&] { return create_notifier(phnotifier, flags); });
}

CNresult cnDestroyNotifier(CNnotifier hnotifier) {
  return with_notifier(nullptr, hnotifier, destroy_notifier);
}

CNresult cnPlaceNotifier(CNnotifier hnotifier, CNqueue hqueue) {
  return with_notifier(hqueue, hnotifier, place_notifier);
}

CNresult cnWaitNotifier(CNnotifier hnotifier) {
  return with_notifier(nullptr, hnotifier, check_notifier);
}

CNresult cnQueryNotifier(CNnotifier hnotifier) {
  return with_notifier(nullptr, hnotifier, check_notifier);
}

CNresult cnNotifierElapsedTime(float* pMilliseconds, CNnotifier hstart, CNnotifier hend) {
  return milliseconds(pMilliseconds, hstart, hend);
}

CNresult cnNotifierElapsedExecTime(float* pMilliseconds, CNnotifier hstart, CNnotifier hend) {
  return milliseconds(pMilliseconds, hstart, hend);
}
