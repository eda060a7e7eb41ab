#include "measure/examine.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <exception>
#include <mutex>
#include <thread>

#include "measure/timing.hpp"
#include "report/pages.hpp"
#include "runtime/cores.hpp"

namespace mluop::cli {

namespace {

using report::CaseResult;
using report::TimedResult;
using testing::Case;

bool is_network(const Job& job) { return job.test_case.kind == Case::Kind::network; }
bool is_principal(const Job& job) { return job.dtype == principal_dtype(job.suite); }

/// Limits chosen so that --quick takes less than a minute.
bool is_too_large_to_be_quick(const Cost& cost) {
  return cost.flops > 2.5e8 || cost.bytes_read + cost.bytes_written > 1.5e8;
}

/// The problem of the first output that is not accurate; "" if there is none.
std::string problem_of(const std::vector<Judgement>& judgements) {
  for (const Judgement& judgement : judgements) {
    if (!judgement.verdict.pass) return judgement.output + ": " + judgement.verdict.reason;
  }
  return "";
}

std::optional<CaseResult> judge_one(const Job& job, bool quick) {
  const testing::Handle handle;
  Trial trial(job);
  if (quick && is_too_large_to_be_quick(trial.call().cost())) return std::nullopt;
  CaseResult result{.name = job.test_case.name,
                    .shape = job.test_case.shape,
                    .dtype = name_of(job.dtype),
                    .network = is_network(job),
                    .judgements = {},
                    .same_bits = {},
                    .problem = trial.run(handle)};
  if (!result.problem.empty()) return result;
  result.judgements = trial.judge();
  const Repetition repetition = trial.repeat_with_all_threads();
  result.same_bits = repetition.same_bits;
  result.problem = problem_of(result.judgements);
  if (result.problem.empty()) result.problem = repetition.problem;
  return result;
}

/// 1, 2, 4, … below `threads`.
std::vector<report::Scaling> scaling_of(testing::Call& call, int threads) {
  std::vector<report::Scaling> points;
  for (int fewer = 1; fewer < threads; fewer *= 2) {
    testing::Handle handle;
    handle.threads(fewer);
    const double seconds = best_of(
        3, [&] { testing::expect_success(call.run(handle), "the call with fewer threads"); });
    points.push_back({fewer, 1e3 * seconds});
  }
  return points;
}

/// Keeps freed memory for the next case: page faults on fresh memory cost as much as comparing its
/// contents. Afterwards freed memory is returned to the system again, because the report states resident
/// memory. Two glibc settings stay: one arena, which halves the page faults, and a fixed mmap threshold.
class KeptMemory {
 public:
  KeptMemory() {
    mallopt(M_ARENA_MAX, 1);
    set(1 << 30, INT_MAX);
  }
  ~KeptMemory() {
    constexpr int usual = 128 << 10;  // glibc's default
    set(usual, usual);
    malloc_trim(0);
  }
  KeptMemory(const KeptMemory&) = delete;
  KeptMemory& operator=(const KeptMemory&) = delete;

 private:
  static void set(int mapped_from, int trimmed_from) {
    mallopt(M_MMAP_THRESHOLD, mapped_from);
    mallopt(M_TRIM_THRESHOLD, trimmed_from);
  }
};

bool is_timed(const Job& job, const testing::Call& call, Limits& limits, int threads) {
  if (is_network(job)) return true;
  // Chosen, not measured: the efficiency of shorter cases varies too much between machines. Few edge cases
  // are above it.
  constexpr double least_limit = 200e-6;
  return limits.limit_of(call.cost(), job.dtype, threads).seconds >= least_limit;
}

}  // namespace

std::vector<std::optional<CaseResult>> judge(const std::vector<Job>& jobs, bool quick,
                                             Progress& progress) {
  const KeptMemory kept;
  std::vector<std::optional<CaseResult>> results(jobs.size());
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;  // of progress and failure
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      try {
        results[i] = judge_one(jobs[i], quick);
        const std::lock_guard lock(mutex);
        progress.step(jobs[i].name());
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
        next = jobs.size();
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    for (int i = 1; i < available_cores(); ++i) workers.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
  return results;
}

/// Other load can spoil a measurement, so a case that is below the standard without a stated reason is
/// measured again before it counts as failed.
std::optional<TimedResult> time_case(const Job& job, Limits& limits, bool quick) {
  const bool wanted = is_principal(job) && (is_network(job) || !quick);
  if (!wanted) return std::nullopt;
  const testing::Handle handle;  // new, so that it reports the scratch of this case only
  Trial trial(job);
  testing::Call& call = trial.call();
  if (!is_timed(job, call, limits, handle.threads())) return std::nullopt;

  constexpr int most_tries = 5;
  TimedResult result{.row = measure(job, call, handle, limits, brief),
                     .shape = job.test_case.shape,
                     .network = is_network(job),
                     .reason = report::reason_for(job.suite.op, job.test_case.name),
                     .floor = {},
                     .scaling = {},
                     .disturbance = {}};
  while (!result.accepted() && result.tries < most_tries) {
    const Measurement again = measure(job, call, handle, limits);
    if (again.efficiency() > result.row.efficiency()) result.row = again;
    ++result.tries;
  }
  if (is_network(job)) {
    result.scaling = scaling_of(call, handle.threads());
    result.scaling.push_back({handle.threads(), result.row.ms_best});
  }
  return result;
}

}  // namespace mluop::cli
