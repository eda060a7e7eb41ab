// Log lines to stderr or to the user's callback; silent until a handle is created with
// MLUOP_LOG_LEVEL or a call asks for them.
#pragma once

#include <atomic>
#include <optional>
#include <string_view>

#include "mlu_op_cpu.h"

namespace mluop {

namespace detail {
/// The level of the environment or, with `set_by_call`, that of a call, which counts more.
extern constinit std::atomic<int> log_level;
inline constexpr int set_by_call = 8;
}  // namespace detail

/// Whether a line of this level would be written: one relaxed load and a branch.
inline bool log_enabled(mluOpCpuLogLevel_t level) noexcept {
  return level <= (detail::log_level.load(std::memory_order_relaxed) & ~detail::set_by_call);
}

/// Writes one line if its level is enabled. Never allocates; a line beyond 1000 bytes is cut.
void log(mluOpCpuLogLevel_t level, std::string_view line) noexcept;

/// The level MLUOP_LOG_LEVEL asks for, OFF if unset; throws Failure when it is not understood.
mluOpCpuLogLevel_t log_level_of_environment();

/// The level until a call sets one; later ones of the environment replace it.
void use_log_level_of_environment(mluOpCpuLogLevel_t level) noexcept;

/// The level that counts from now on, whatever the environment says; nothing: until mluOpCreate reads it.
void set_log_level(std::optional<mluOpCpuLogLevel_t> level) noexcept;

/// Returns when the former callback no longer runs; throws Failure inside a callback.
void set_log_callback(mluOpCpuLogCallback_t callback, void* user);

}  // namespace mluop
