#include "measurement.hpp"

#include <algorithm>

#include "peak_memory.hpp"

namespace mluop::cli {

namespace {

std::string chosen_implementation(const testing::Handle& handle, const std::string& op) {
  for (const auto& implementation : handle.implementations(op)) {
    if (implementation.chosen != 0) return implementation.name;
  }
  return "";
}

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
  // How long a long call takes exactly does not matter: limits are measured over 20 ms at most.
  constexpr double is_long = 0.05;
  double about = best_of(1, run);
  if (about < is_long) about = std::min(about, best_of(2, run));
  const auto measured_limit = [&] {
    limits.forget(about);
    return limits.limit_of(cost, job.dtype, threads);
  };
  const Limit before = measured_limit();
  forget_peak_memory();
  const Timing timing = time_repeated(run, effort);
  const std::size_t max_rss_bytes = peak_memory_bytes();
  const Limit after = effort.limit_twice ? measured_limit() : before;

  return {.op = job.suite.op,
          .case_name = job.test_case.name,
          .dtype = name_of(job.dtype),
          .impl = chosen_implementation(handle, job.suite.op),
          .threads = threads,
          .ms = 1e3 * timing.median,
          .ms_best = 1e3 * timing.best,
          .limit = before.seconds < after.seconds ? before : after,
          .cost = cost,
          .workspace_bytes = call.workspace_bytes(handle),
          .max_rss_bytes = max_rss_bytes,
          .peer_ms = peer_ms(call)};
}

JsonObject Measurement::json() const {
  JsonObject object;
  object.add("op", op)
      .add("case", case_name)
      .add("direction", direction_of(op))
      .add("dtype", dtype)
      .add("threads", threads)
      .add("impl", impl)
      .add("ms", ms)
      .add("ms_best", ms_best)
      .add("limit_ms", limit_ms())
      .add("efficiency", efficiency())
      .add("io_efficiency", io_efficiency())
      .add("compute_efficiency", compute_efficiency())
      .add("bound", limit.bound())
      .add("bytes", bytes())
      .add("flops", cost.flops)
      .add("workspace_bytes", workspace_bytes)
      .add("max_rss_bytes", max_rss_bytes);
  if (peer_ms) object.add("peer_ms", *peer_ms);
  return object;
}

}  // namespace mluop::cli
