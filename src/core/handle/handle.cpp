// A handle's defaults, from the machine and from the environment.
#include "core/handle/handle.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "core/handle/environment.hpp"
#include "core/status/log.hpp"
#include "recorder/settings.hpp"
#include "runtime/cores.hpp"

namespace mluop {
namespace {

constinit std::atomic<mluOpCpuLimits_t> latest_limits{MLUOP_CPU_LIMITS_NONE};

mluOpCpuLimits_t limits_of_environment() {
  static constexpr std::array names{"none", "mlu"};
  const auto choice = environment_choice("MLUOP_LIMITS", names);
  return choice ? static_cast<mluOpCpuLimits_t>(*choice) : MLUOP_CPU_LIMITS_NONE;
}

}  // namespace

mluOpCpuLimits_t limits_without_handle() noexcept { return latest_limits; }

}  // namespace mluop

mluOpContext::mluOpContext() {
  using namespace mluop;

  // First of all: what is wrong with the others is logged at this level.
  use_log_level_of_environment(log_level_of_environment());

  limits = limits_of_environment();

  check_each_dim = environment_switch("MLUOP_CHECK_DIM_SIZE");

  const int cores = std::clamp(available_cores(), 1, max_threads);
  use_threads(environment_number("MLUOP_NUM_THREADS", 1, max_threads).value_or(cores));

  std::array<const char*, isa_count> isa_names{};
  for (std::size_t i = 0; i < isa_count; ++i) isa_names[i] = name_of(static_cast<Isa>(i));
  const auto wanted = environment_choice("MLUOP_ISA", isa_names);
  isa = wanted ? lowered_isa(static_cast<Isa>(*wanted)) : detected_isa();

  recorder::read_environment();
  latest_limits = limits;
}

void mluOpContext::use_threads(int wanted) noexcept {
  wanted_threads = wanted;
  threads = std::min(wanted, mluop::pool_cores());
}
