// The log of the process: its level and where its lines go.
#include "core/log.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <shared_mutex>

#include "core/environment.hpp"
#include "core/status.hpp"

namespace mluop {
namespace {

constexpr std::array level_names{"off", "error", "warning", "info", "debug"};

constexpr int unread = -1;
constinit std::atomic<int> current_level{unread};

struct Sink {
  mluOpCpuLogCallback_t callback = nullptr;
  void* user = nullptr;
};
Sink sink;
// Shared while a line is delivered, so that a callback can be replaced only between lines.
std::shared_mutex sink_mutex;
thread_local bool inside_callback = false;

int level_at_first_use() noexcept {
  int level = MLUOP_CPU_LOG_OFF;
  try {
    level = log_level_from_environment();
  } catch (...) {
    // mluOpCreate reports it.
  }
  int expected = unread;
  return current_level.compare_exchange_strong(expected, level) ? level : expected;
}

void call(const Sink& to, mluOpCpuLogLevel_t level, const char* line) noexcept {
  inside_callback = true;
  try {
    to.callback(level, line, to.user);
  } catch (...) {
    // A log line is never worth a failed call.
  }
  inside_callback = false;
}

}  // namespace

mluOpCpuLogLevel_t log_level_from_environment() {
  static constexpr std::array choices{"off", "error", "warning", "info", "debug",
                                      "0",   "1",     "2",       "3",    "4"};
  const auto choice = environment_choice("MLUOP_LOG_LEVEL", choices);
  return static_cast<mluOpCpuLogLevel_t>(choice.value_or(0) % level_names.size());
}

bool log_enabled(mluOpCpuLogLevel_t level) noexcept {
  int enabled = current_level.load(std::memory_order_relaxed);
  if (enabled == unread) enabled = level_at_first_use();
  return level <= enabled;
}

void log(mluOpCpuLogLevel_t level, std::string_view line) noexcept {
  if (!log_enabled(level) || inside_callback) return;

  // One buffer and one write, so that lines of several threads do not mix.
  char text[1100];
  const int prefix = std::snprintf(text, sizeof(text),
                                   "[mluops] %s: ", level_names[static_cast<std::size_t>(level)]);
  const std::size_t length = std::min<std::size_t>(line.size(), 1000);
  char* const body = text + prefix;
  std::memcpy(body, line.data(), length);

  const std::shared_lock lock{sink_mutex};
  if (sink.callback != nullptr) {
    body[length] = '\0';
    call(sink, level, body);
  } else {
    body[length] = '\n';
    std::fwrite(text, 1, static_cast<std::size_t>(prefix) + length + 1, stderr);
  }
}

void set_log_level(mluOpCpuLogLevel_t level) noexcept { current_level = level; }

void set_log_callback(mluOpCpuLogCallback_t callback, void* user) {
  if (inside_callback) {
    throw Failure{MLUOP_STATUS_BAD_PARAM, "must not be called from the callback itself"};
  }
  const std::unique_lock lock{sink_mutex};
  sink = {callback, user};
}

}  // namespace mluop
