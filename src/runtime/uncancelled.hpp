// A stretch of a thread that pthread_cancel does not interrupt.
#pragma once

#include <pthread.h>

namespace mluop {

/// While it lives, this thread is not cancelled; a request waits until later. Writing a file is a point
/// where a thread is cancelled, and that would end the process in a noexcept function.
class Uncancelled {
 public:
  Uncancelled() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &former_); }
  ~Uncancelled() { pthread_setcancelstate(former_, nullptr); }
  Uncancelled(const Uncancelled&) = delete;
  Uncancelled& operator=(const Uncancelled&) = delete;

 private:
  int former_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace mluop
