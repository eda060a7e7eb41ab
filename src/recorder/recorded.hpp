// The hook of the recorder, called by an entry point after its checks.
#pragma once

#include <atomic>
#include <functional>

#include "core/status/status.hpp"
#include "recorder/description.hpp"
#include "recorder/mode.hpp"

namespace mluop::recorder {

/// Records the call, then runs it. Completes the record if the run succeeds, removes it otherwise. An error
/// of the recorder, including lack of memory, is logged and never fails the call. Thread cancellation is
/// deferred, so that a file is complete or does not exist.
Status run_recorded(const std::function<Description()>& describe,
                    const std::function<Status()>& run);

/// The same if recording is on; otherwise it costs one relaxed load and a branch.
template <class Describe, class Run>
Status recorded(Describe&& describe, Run&& run) {
  if (current_mode.load(std::memory_order_relaxed) == Mode::off) [[likely]]
    return run();
  // std::ref: a std::function of a lambda with many captures allocates, and a lack of that memory must
  // not fail the call.
  return run_recorded(std::ref(describe), std::ref(run));
}

}  // namespace mluop::recorder
