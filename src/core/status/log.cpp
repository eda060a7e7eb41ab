// The log of the process: its level and where its lines go.
#include "core/status/log.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <type_traits>

#include "core/handle/environment.hpp"
#include "core/status/status.hpp"
#include "runtime/at_fork.hpp"
#include "runtime/uncancelled.hpp"

namespace mluop {
namespace {

constexpr std::array level_names{"off", "error", "warning", "info", "debug"};

struct Sink {
  mluOpCpuLogCallback_t callback = nullptr;
  void* user = nullptr;
};
// The one in use and the next: a child that is forked meanwhile finds one of them whole.
constinit std::array<Sink, 2> sinks{};
constinit std::atomic<unsigned> sink_in_use{0};
// Shared while a line is delivered, so that a callback can be replaced only between lines.
constinit std::shared_mutex sink_mutex;
thread_local bool delivering = false;

static_assert(std::is_trivially_destructible_v<std::shared_mutex>);

// Not held during a fork, which a callback may ask for. The thread that delivered still does in the child.
const AtFork free_in_child{[] {
  new (&sink_mutex) std::shared_mutex;
  if (delivering) sink_mutex.lock_shared();
}};

/// A line on its way, from this thread.
class Delivery {
 public:
  Delivery() {
    sink_mutex.lock_shared();
    delivering = true;
  }
  ~Delivery() {
    delivering = false;
    sink_mutex.unlock_shared();
  }
  Delivery(const Delivery&) = delete;
  Delivery& operator=(const Delivery&) = delete;

 private:
  Uncancelled uncancelled_;
};

void call(const Sink& to, mluOpCpuLogLevel_t level, const char* line) noexcept {
  try {
    to.callback(level, line, to.user);
  } catch (...) {
    // A log line is never worth a failed call.
  }
}

}  // namespace

constinit std::atomic<int> detail::log_level{MLUOP_CPU_LOG_OFF};

mluOpCpuLogLevel_t log_level_of_environment() {
  static constexpr std::array choices{"off", "error", "warning", "info", "debug",
                                      "0",   "1",     "2",       "3",    "4"};
  const auto choice = environment_choice("MLUOP_LOG_LEVEL", choices);
  return static_cast<mluOpCpuLogLevel_t>(choice.value_or(0) % level_names.size());
}

void use_log_level_of_environment(mluOpCpuLogLevel_t level) noexcept {
  int former = detail::log_level;
  while ((former & detail::set_by_call) == 0 &&
         !detail::log_level.compare_exchange_weak(former, level)) {
  }
}

void set_log_level(std::optional<mluOpCpuLogLevel_t> level) noexcept {
  detail::log_level = level ? *level | detail::set_by_call : MLUOP_CPU_LOG_OFF;
}

void log(mluOpCpuLogLevel_t level, std::string_view line) noexcept {
  if (!log_enabled(level) || delivering) return;

  // One buffer and one write, so that lines of several threads do not mix.
  char text[1100];
  const int prefix = std::snprintf(text, sizeof(text),
                                   "[mluops] %s: ", level_names[static_cast<std::size_t>(level)]);
  const std::size_t length = std::min<std::size_t>(line.size(), 1000);
  char* const body = text + prefix;
  std::memcpy(body, line.data(), length);

  const Delivery delivery;
  const Sink sink = sinks[sink_in_use];
  if (sink.callback != nullptr) {
    body[length] = '\0';
    call(sink, level, body);
  } else {
    body[length] = '\n';
    std::fwrite(text, 1, static_cast<std::size_t>(prefix) + length + 1, stderr);
  }
}

void set_log_callback(mluOpCpuLogCallback_t callback, void* user) {
  if (delivering) {
    throw Failure{MLUOP_STATUS_BAD_PARAM, "must not be called from the callback itself"};
  }
  const std::unique_lock lock{sink_mutex};
  const unsigned next = 1 - sink_in_use;
  sinks[next] = {callback, user};
  sink_in_use = next;
}

}  // namespace mluop
