// Queues, which are always empty, and notifiers, which are points in time.
#include "runtime/cnrt/queues.hpp"

#include <chrono>
#include <memory>
#include <optional>

#include "runtime/at_fork.hpp"
#include "runtime/cnrt/call.hpp"
#include "runtime/cnrt/registry.hpp"

using Clock = std::chrono::steady_clock;

struct CNqueue_st {};

struct CNnotifier_st {
  bool measures_time;
  std::optional<Clock::time_point> placed;
};

namespace mluop::cnrt {
namespace {

constinit Registry<std::unique_ptr<CNqueue_st>> queues;
constinit Registry<std::unique_ptr<CNnotifier_st>> notifiers;

const HeldDuringFork<queues> queues_at_fork;
const HeldDuringFork<notifiers> notifiers_at_fork;

constexpr unsigned int without_time =
    CNRT_NOTIFIER_DISABLE_TIMING_SW | CNRT_NOTIFIER_DISABLE_TIMING_ALL;
constexpr unsigned int known_flags = without_time | CNRT_NOTIFIER_INTERPROCESS;

}  // namespace

cnrtRet_t create_queue(cnrtQueue_t* queue, unsigned int flags) {
  if (queue == nullptr || flags != 0) return cnrtErrorArgsInvalid;
  return report(queue, queues.add(std::make_unique<CNqueue_st>()));
}

cnrtRet_t destroy_queue(cnrtQueue_t queue) {
  return valid_if(queues.remove(queue), cnrtErrorInvalidResourceHandle);
}

cnrtRet_t check_queue(cnrtQueue_t queue) {
  return valid_if(queue == nullptr || queues.contains(queue), cnrtErrorInvalidResourceHandle);
}

cnrtRet_t priority_of(cnrtQueue_t queue, int* priority) {
  return in_queue(queue, [&] { return report(priority, 0); });
}

cnrtRet_t priority_range(int* lowest, int* highest) {
  if (lowest == nullptr || highest == nullptr) return cnrtErrorArgsInvalid;
  *lowest = *highest = 0;
  return cnrtSuccess;
}

cnrtRet_t create_notifier(cnrtNotifier_t* notifier, unsigned int flags) {
  if (notifier == nullptr || (flags & ~known_flags) != 0) return cnrtErrorArgsInvalid;
  if ((flags & CNRT_NOTIFIER_INTERPROCESS) != 0) return cnrtErrorNotSupport;
  const bool measures_time = (flags & without_time) == 0;
  return report(
      notifier,
      notifiers.add(std::make_unique<CNnotifier_st>(CNnotifier_st{measures_time, std::nullopt})));
}

cnrtRet_t destroy_notifier(cnrtNotifier_t notifier) {
  return valid_if(notifiers.remove(notifier), cnrtErrorInvalidResourceHandle);
}

cnrtRet_t check_notifier(cnrtNotifier_t notifier) {
  return valid_if(notifiers.contains(notifier), cnrtErrorInvalidResourceHandle);
}

cnrtRet_t place_notifier(cnrtNotifier_t notifier) {
  const bool live = notifiers.with(notifier, [](auto& object) { object->placed = Clock::now(); });
  return valid_if(live, cnrtErrorInvalidResourceHandle);
}

cnrtRet_t elapsed(cnrtNotifier_t start, cnrtNotifier_t end, double unit, float* duration) {
  if (duration == nullptr) return cnrtErrorArgsInvalid;
  CNnotifier_st from{}, to{};
  const bool live = notifiers.with(start, [&](const auto& object) { from = *object; }) &&
                    notifiers.with(end, [&](const auto& object) { to = *object; });
  if (!live) return cnrtErrorInvalidResourceHandle;
  if (!from.measures_time || !to.measures_time) return cnrtErrorArgsInvalid;
  if (!from.placed || !to.placed) return cnrtErrorIllegalState;
  *duration =
      static_cast<float>(std::chrono::duration<double>(*to.placed - *from.placed).count() * unit);
  return cnrtSuccess;
}

void destroy_all_queues() {
  queues.clear();
  notifiers.clear();
}

}  // namespace mluop::cnrt

using namespace mluop::cnrt;  // NOLINT(google-build-using-namespace): the C entry points are global

cnrtRet_t cnrtQueueCreate(cnrtQueue_t* queue) {
  return runtime_call([&] { return create_queue(queue, 0); });
}

cnrtRet_t cnrtQueueCreateWithPriority(cnrtQueue_t* queue, unsigned int flags, int) {
  return runtime_call([&] { return create_queue(queue, flags); });
}

cnrtRet_t cnrtQueueGetPriority(cnrtQueue_t queue, int* priority) {
  return runtime_call([&] { return priority_of(queue, priority); });
}

cnrtRet_t cnrtQueueDestroy(cnrtQueue_t queue) {
  return runtime_call([&] { return destroy_queue(queue); });
}

cnrtRet_t cnrtQueueSync(cnrtQueue_t queue) {
  return runtime_call([&] { return check_queue(queue); });
}

cnrtRet_t cnrtQueueQuery(cnrtQueue_t queue) {
  return runtime_call([&] { return check_queue(queue); });
}

cnrtRet_t cnrtInvokeHostFunc(cnrtQueue_t queue, cnrtHostFn_t fn, void* userData) {
  return runtime_call([&] {
    return in_queue(queue, [&] {
      if (fn == nullptr) return cnrtErrorArgsInvalid;
      fn(userData);
      return cnrtSuccess;
    });
  });
}

cnrtRet_t cnrtDeviceGetQueuePriorityRange(int* minPriority, int* maxPriority) {
  return runtime_call([&] { return priority_range(minPriority, maxPriority); });
}

cnrtRet_t cnrtNotifierCreate(cnrtNotifier_t* notifier) {
  return runtime_call([&] { return create_notifier(notifier, CNRT_NOTIFIER_DEFAULT); });
}

cnrtRet_t cnrtNotifierCreateWithFlags(cnrtNotifier_t* notifier, unsigned int flags) {
  return runtime_call([&] { return create_notifier(notifier, flags); });
}

cnrtRet_t cnrtNotifierDestroy(cnrtNotifier_t notifier) {
  return runtime_call([&] { return destroy_notifier(notifier); });
}

cnrtRet_t cnrtPlaceNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue) {
  return runtime_call([&] { return in_queue(queue, [&] { return place_notifier(notifier); }); });
}

cnrtRet_t cnrtPlaceNotifierWithFlags(cnrtNotifier_t notifier, cnrtQueue_t queue,
                                     unsigned int flags) {
  return runtime_call([&] {
    return in_queue(queue,
                    [&] { return flags == 0 ? place_notifier(notifier) : cnrtErrorArgsInvalid; });
  });
}

cnrtRet_t cnrtWaitNotifier(cnrtNotifier_t notifier) {
  return runtime_call([&] { return check_notifier(notifier); });
}

cnrtRet_t cnrtQueryNotifier(cnrtNotifier_t notifier) {
  return runtime_call([&] { return check_notifier(notifier); });
}

cnrtRet_t cnrtQueueWaitNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue, unsigned int flags) {
  return runtime_call([&] {
    return in_queue(queue, [&] {
      const cnrtRet_t known = check_notifier(notifier);
      return known != cnrtSuccess ? known : valid_if(flags == 0);
    });
  });
}

cnrtRet_t cnrtNotifierDuration(cnrtNotifier_t start, cnrtNotifier_t end, float* microseconds) {
  return runtime_call([&] { return elapsed(start, end, 1e6, microseconds); });
}

cnrtRet_t cnrtNotifierElapsedTime(cnrtNotifier_t start, cnrtNotifier_t end, float* milliseconds) {
  return runtime_call([&] { return elapsed(start, end, 1e3, milliseconds); });
}
