// The hook of the recorder: what an operator's entry point does once its checks have passed.
#pragma once

#include <atomic>
#include <functional>

#include "core/status.hpp"
#include "recorder/description.hpp"
#include "recorder/mode.hpp"

namespace mluop::recorder {

/// Records the call before it runs, then runs it. The record is completed if the run succeeds and
/// removed if it does not. A record that cannot be made, also for want of memory, is a line in the log,
/// never a failed call. The thread is not cancelled meanwhile: a file is there as a whole or not at all.
Status run_recorded(const std::function<Description()>& describe,
                    const std::function<Status()>& run);

/// The same, if anything is recorded at all; otherwise it costs one relaxed load and a branch.
template <class Describe, class Run>
Status recorded(Describe&& describe, Run&& run) {
  if (current_mode.load(std::memory_order_relaxed) == Mode::off) [[likely]]
    return run();
  // By reference: a std::function of a lambda with many captures allocates, and a call without a
  // record must not fail for want of that memory.
  return run_recorded(std::ref(describe), std::ref(run));
}

}  // namespace mluop::recorder
