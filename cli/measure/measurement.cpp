#include "measure/measurement.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "measure/peak_memory.hpp"

namespace mluop::cli {

namespace {

std::optional<double> peer_ms(testing::Call& call) {
  if (!call.run_peer()) return std::nullopt;
  return 1e3 * best_of(3, [&] { call.run_peer(); });
}

}  // namespace

Measurement measure(const Job& job, testing::Call& call, const testing::Handle& handle,
                    Limits& limits, const Effort& effort) {
  const int threads = handle.threads();
  const Cost cost = call.cost();
  const auto run = [&] { testing::expect_success(call.run(handle), job.suite.op.c_str()); };
  // One run is enough for a long call: limits are measured over at most 20 ms.
  constexpr double is_long = 0.05;
  double about = best_of(1, run);
  if (about < is_long) about = std::min(about, best_of(2, run));
  const auto measured_limit = [&] {
    limits.forget(about);
    return limits.limit_of(cost, job.dtype, threads);
  };
  const Limit before = measured_limit();
  forget_peak_memory();
  const DisturbanceMeter meter;
  const Timing timing = time_repeated(run, effort);
  const Disturbance disturbance = meter.read();
  const std::size_t max_rss_bytes = peak_memory_bytes();
  const Limit after = effort.limit_twice ? measured_limit() : before;

  return {.op = job.suite.op,
          .case_name = job.test_case.name,
          .dtype = name_of(job.dtype),
          .impl = handle.used(),
          .isa = handle.used_isa(),
          .threads = threads,
          .ms = 1e3 * timing.median,
          .ms_best = 1e3 * timing.best,
          .limit = before.seconds < after.seconds ? before : after,
          .cost = cost,
          .workspace_bytes = call.workspace_bytes(handle),
          .max_rss_bytes = max_rss_bytes,
          .peer_ms = effort.times_peer ? peer_ms(call) : std::nullopt,
          .disturbance = disturbance};
}

Json Measurement::json() const {
  Json object{{"op", op},
              {"case", case_name},
              {"direction", direction_of(op)},
              {"dtype", dtype},
              {"threads", threads},
              {"isa", isa},
              {"impl", impl},
              {"ms", ms},
              {"ms_best", ms_best},
              {"limit_ms", limit_ms()},
              {"efficiency", efficiency()},
              {"io_efficiency", io_efficiency()},
              {"compute_efficiency", compute_efficiency()},
              {"bound", limit.bound()},
              {"bytes", bytes()},
              {"flops", cost.flops},
              {"workspace_bytes", workspace_bytes},
              {"max_rss_bytes", max_rss_bytes},
              {"busy", disturbance.busy()},
              {"cpu_share", disturbance.cpu_share},
              {"steal", disturbance.steal},
              {"switches_per_second", disturbance.switches}};
  if (peer_ms) object["peer_ms"] = *peer_ms;
  return object;
}

}  // namespace mluop::cli
