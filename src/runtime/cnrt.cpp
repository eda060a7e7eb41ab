// The runtime of cnrt.h on host memory: everything runs synchronously in the calling thread.
#include "cnrt.h"

#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/memory/memory.hpp"
#include "runtime/at_fork.hpp"
#include "runtime/registry.hpp"

using Clock = std::chrono::steady_clock;

struct cnrtQueue {};

struct cnrtNotifier {
  std::optional<Clock::time_point> placed;
};

namespace {

using mluop::HeldDuringFork;
using mluop::MemoryBlock;
using mluop::Registry;

constinit Registry<std::unique_ptr<cnrtQueue>> queues;
constinit Registry<std::unique_ptr<cnrtNotifier>> notifiers;
constinit Registry<MemoryBlock> device_memory, host_memory;
static_assert(std::is_trivially_destructible_v<Registry<MemoryBlock>>);

const HeldDuringFork<queues> queues_at_fork;
const HeldDuringFork<notifiers> notifiers_at_fork;
const HeldDuringFork<device_memory> device_memory_at_fork;
const HeldDuringFork<host_memory> host_memory_at_fork;

thread_local cnrtRet_t last_error = cnrtSuccess;

/// Runs the body of an entry point and stores its error.
template <class Body>
cnrtRet_t runtime_call(Body&& body) noexcept {
  cnrtRet_t result = cnrtErrorUnknown;
  try {
    result = body();
  } catch (const std::bad_alloc&) {
    result = cnrtErrorNoMem;
  } catch (...) {
  }
  if (result != cnrtSuccess) last_error = result;
  return result;
}

cnrtRet_t valid_if(bool condition, cnrtRet_t otherwise = cnrtErrorArgsInvalid) {
  return condition ? cnrtSuccess : otherwise;
}

cnrtRet_t check_queue(cnrtQueue_t queue) {
  return valid_if(queue == nullptr || queues.contains(queue), cnrtErrorInvalidResourceHandle);
}

template <class Value>
cnrtRet_t report(Value* pointer, Value value) {
  if (pointer == nullptr) return cnrtErrorArgsInvalid;
  *pointer = value;
  return cnrtSuccess;
}

cnrtRet_t allocate(Registry<MemoryBlock>& memory, void** pointer, std::size_t bytes) {
  if (pointer == nullptr) return cnrtErrorArgsInvalid;
  *pointer = memory.add(mluop::allocate_memory(bytes));
  return cnrtSuccess;
}

cnrtRet_t release(Registry<MemoryBlock>& memory, void* pointer) {
  return valid_if(pointer == nullptr || memory.remove(pointer));
}

cnrtRet_t copy(void* destination, const void* source, std::size_t bytes,
               cnrtMemTransDir_t direction) {
  if (direction < cnrtMemcpyHostToDev || direction > cnrtMemcpyNoDirection) {
    return cnrtErrorMemcpyDirectionInvalid;
  }
  if (bytes == 0) return cnrtSuccess;
  if (destination == nullptr || source == nullptr) return cnrtErrorArgsInvalid;
  std::memmove(destination, source, bytes);
  return cnrtSuccess;
}

cnrtRet_t fill(void* pointer, int value, std::size_t bytes) {
  if (bytes == 0) return cnrtSuccess;
  if (pointer == nullptr) return cnrtErrorArgsInvalid;
  std::memset(pointer, value, bytes);
  return cnrtSuccess;
}

template <class Unit>
cnrtRet_t elapsed(cnrtNotifier_t start, cnrtNotifier_t end, float* duration) {
  if (duration == nullptr) return cnrtErrorArgsInvalid;
  std::optional<Clock::time_point> from, to;
  const bool live = notifiers.with(start, [&](const cnrtNotifier& notifier) {
    from = notifier.placed;
  }) && notifiers.with(end, [&](const cnrtNotifier& notifier) { to = notifier.placed; });
  if (!live) return cnrtErrorInvalidResourceHandle;
  if (!from || !to) return cnrtErrorIllegalState;
  *duration = std::chrono::duration<float, Unit>(*to - *from).count();
  return cnrtSuccess;
}

}  // namespace

cnrtRet_t cnrtGetLastError(void) { return std::exchange(last_error, cnrtSuccess); }

cnrtRet_t cnrtPeekAtLastError(void) { return last_error; }

cnrtRet_t cnrtGetLibVersion(int* major, int* minor, int* patch) {
  return runtime_call([&] {
    if (major == nullptr || minor == nullptr || patch == nullptr) return cnrtErrorArgsInvalid;
    *major = CNRT_MAJOR_VERSION;
    *minor = CNRT_MINOR_VERSION;
    *patch = CNRT_PATCH_VERSION;
    return cnrtSuccess;
  });
}

cnrtRet_t cnrtGetDeviceCount(unsigned int* count) {
  return runtime_call([&] { return report(count, 1u); });
}

cnrtRet_t cnrtGetDevice(int* ordinal) {
  return runtime_call([&] { return report(ordinal, 0); });
}

cnrtRet_t cnrtSetDevice(int ordinal) {
  return runtime_call([&] { return valid_if(ordinal == 0, cnrtErrorDeviceInvalid); });
}

cnrtRet_t cnrtSyncDevice(void) { return cnrtSuccess; }

cnrtRet_t cnrtQueueCreate(cnrtQueue_t* queue) {
  return runtime_call([&] {
    if (queue == nullptr) return cnrtErrorArgsInvalid;
    return report(queue, queues.add(std::make_unique<cnrtQueue>()));
  });
}

cnrtRet_t cnrtQueueDestroy(cnrtQueue_t queue) {
  return runtime_call(
      [&] { return valid_if(queues.remove(queue), cnrtErrorInvalidResourceHandle); });
}

cnrtRet_t cnrtQueueSync(cnrtQueue_t queue) {
  return runtime_call([&] { return check_queue(queue); });
}

cnrtRet_t cnrtQueueQuery(cnrtQueue_t queue) {
  return runtime_call([&] { return check_queue(queue); });
}

cnrtRet_t cnrtMalloc(void** pointer, size_t bytes) {
  return runtime_call([&] { return allocate(device_memory, pointer, bytes); });
}

cnrtRet_t cnrtFree(void* pointer) {
  return runtime_call([&] { return release(device_memory, pointer); });
}

cnrtRet_t cnrtHostMalloc(void** pointer, size_t bytes) {
  return runtime_call([&] { return allocate(host_memory, pointer, bytes); });
}

cnrtRet_t cnrtFreeHost(void* pointer) {
  return runtime_call([&] { return release(host_memory, pointer); });
}

cnrtRet_t cnrtMemcpy(void* destination, void* source, size_t bytes, cnrtMemTransDir_t direction) {
  return runtime_call([&] { return copy(destination, source, bytes, direction); });
}

cnrtRet_t cnrtMemcpyAsync(void* destination, void* source, size_t bytes, cnrtQueue_t queue,
                          cnrtMemTransDir_t direction) {
  return runtime_call([&] {
    const cnrtRet_t known = check_queue(queue);
    return known != cnrtSuccess ? known : copy(destination, source, bytes, direction);
  });
}

cnrtRet_t cnrtMemset(void* pointer, int value, size_t bytes) {
  return runtime_call([&] { return fill(pointer, value, bytes); });
}

cnrtRet_t cnrtMemsetAsync(void* pointer, int value, size_t bytes, cnrtQueue_t queue) {
  return runtime_call([&] {
    const cnrtRet_t known = check_queue(queue);
    return known != cnrtSuccess ? known : fill(pointer, value, bytes);
  });
}

cnrtRet_t cnrtNotifierCreate(cnrtNotifier_t* notifier) {
  return runtime_call([&] {
    if (notifier == nullptr) return cnrtErrorArgsInvalid;
    return report(notifier, notifiers.add(std::make_unique<cnrtNotifier>()));
  });
}

cnrtRet_t cnrtNotifierDestroy(cnrtNotifier_t notifier) {
  return runtime_call(
      [&] { return valid_if(notifiers.remove(notifier), cnrtErrorInvalidResourceHandle); });
}

cnrtRet_t cnrtPlaceNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue) {
  return runtime_call([&] {
    const cnrtRet_t known = check_queue(queue);
    if (known != cnrtSuccess) return known;
    const bool live =
        notifiers.with(notifier, [](cnrtNotifier& object) { object.placed = Clock::now(); });
    return valid_if(live, cnrtErrorInvalidResourceHandle);
  });
}

cnrtRet_t cnrtWaitNotifier(cnrtNotifier_t notifier) { return cnrtQueryNotifier(notifier); }

cnrtRet_t cnrtQueryNotifier(cnrtNotifier_t notifier) {
  return runtime_call(
      [&] { return valid_if(notifiers.contains(notifier), cnrtErrorInvalidResourceHandle); });
}

cnrtRet_t cnrtQueueWaitNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue, unsigned int flags) {
  return runtime_call([&] {
    const cnrtRet_t known = check_queue(queue);
    if (known != cnrtSuccess) return known;
    if (!notifiers.contains(notifier)) return cnrtErrorInvalidResourceHandle;
    return valid_if(flags == 0);
  });
}

cnrtRet_t cnrtNotifierDuration(cnrtNotifier_t start, cnrtNotifier_t end, float* microseconds) {
  return runtime_call([&] { return elapsed<std::micro>(start, end, microseconds); });
}

cnrtRet_t cnrtNotifierElapsedTime(cnrtNotifier_t start, cnrtNotifier_t end, float* milliseconds) {
  return runtime_call([&] { return elapsed<std::milli>(start, end, milliseconds); });
}
