// Queues and notifiers of cnrt.h and cn_api.h. Functions return errors of cnrt.h.
#pragma once

#include "cnrt.h"

namespace mluop::cnrt {

cnrtRet_t create_queue(cnrtQueue_t* queue, unsigned int flags);
cnrtRet_t destroy_queue(cnrtQueue_t queue);

/// cnrtErrorInvalidResourceHandle unless the queue is live or null.
cnrtRet_t check_queue(cnrtQueue_t queue);

/// Runs what was to be queued, if the queue is live.
template <class Body>
cnrtRet_t in_queue(cnrtQueue_t queue, Body&& body) {
  const cnrtRet_t known = check_queue(queue);
  return known != cnrtSuccess ? known : body();
}

/// Every queue has priority 0.
cnrtRet_t priority_of(cnrtQueue_t queue, int* priority);
cnrtRet_t priority_range(int* lowest, int* highest);

cnrtRet_t create_notifier(cnrtNotifier_t* notifier, unsigned int flags);
cnrtRet_t destroy_notifier(cnrtNotifier_t notifier);
cnrtRet_t check_notifier(cnrtNotifier_t notifier);
/// Records the current time.
cnrtRet_t place_notifier(cnrtNotifier_t notifier);
/// Seconds times `unit` between two placed notifiers.
cnrtRet_t elapsed(cnrtNotifier_t start, cnrtNotifier_t end, double unit, float* duration);

/// Destroys all queues and notifiers.
void destroy_all_queues();

}  // namespace mluop::cnrt
