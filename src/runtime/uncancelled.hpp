// A scope in which pthread_cancel has no effect.
#pragma once

#include <pthread.h>

namespace mluop {

/// Defers the cancellation of this thread to the end of the scope. Writing a file is a cancellation point,
/// and cancellation inside a noexcept function would terminate the process.
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
