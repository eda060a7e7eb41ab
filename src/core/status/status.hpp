// How a call fails: one sentence per thread, one log line, one status; nothing crosses the C
// boundary.
#pragma once

#include <exception>
#include <string_view>
#include <type_traits>

#include "core/status/log.hpp"
#include "mlu_op.h"
#include "runtime/float_control.hpp"

namespace mluop {

using Status = mluOpStatus_t;

/// Keeps `sentence` as this thread's last error, logs it at level error and returns `status`. Never
/// allocates; a sentence beyond 1000 bytes is cut.
Status fail(Status status, std::string_view sentence) noexcept;

/// The sentence of this thread's most recent failure, or "".
const char* last_error() noexcept;

/// A failure that is found deep inside a call and reported by `guarded`, which puts the name of the
/// function in front: the problem reads "dimNb must be at least 0, got -1".
class Failure : public std::exception {
 public:
  Failure(Status status, std::string_view problem) noexcept;
  Status status() const noexcept { return status_; }
  const char* what() const noexcept override { return problem_; }

 private:
  Status status_;
  char problem_[1024];
};

/// Reports the exception in flight as a status; only for use inside a catch block.
Status fail_from_exception(const char* function) noexcept;

namespace detail {

/// A body whose type is erased; returns its status and throws nothing.
using GuardedBody = Status (*)(const char* function, void* body);

/// Runs it and writes what the call was to the log.
Status run_logged(const char* function, GuardedBody run, void* body) noexcept;

}  // namespace detail

/// Runs the body of a C entry point: whatever it throws becomes a status and a sentence, and no
/// floating-point exception of it reaches the caller. A body that returns nothing succeeds. At level info and
/// above, the call of an operator is logged; below, that costs a load and a branch.
template <class Body>
Status guarded(const char* function, Body&& body) noexcept {
  using Plain = std::remove_reference_t<Body>;
  const detail::GuardedBody run = [](const char* name, void* erased) noexcept -> Status {
    try {
      if constexpr (std::is_void_v<std::invoke_result_t<Plain&>>) {
        (*static_cast<Plain*>(erased))();
        return MLUOP_STATUS_SUCCESS;
      } else {
        return (*static_cast<Plain*>(erased))();
      }
    } catch (...) {
      return fail_from_exception(name);
    }
  };
  const MaskedExceptions masked;
  void* const erased = const_cast<void*>(static_cast<const void*>(&body));
  if (log_enabled(MLUOP_CPU_LOG_INFO)) [[unlikely]]
    return detail::run_logged(function, run, erased);
  return run(function, erased);
}

}  // namespace mluop
