#include "measure/examine.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <exception>
#include <mutex>
#include <set>
#include <thread>

#include "measure/timing.hpp"
#include "report/pages.hpp"
#include "runtime/cores.hpp"

namespace mluop::cli {

namespace {

using report::CaseResult;
using report::Speed;
using report::SpeedMode;
using report::TimedResult;
using testing::Case;

/// The floors on the operators' pages were measured with two threads.
constexpr int threads_of_floors = 2;

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
  std::ranges::move(trial.judge_all_elements(), std::back_inserter(result.judgements));
  const Repetition repetition = trial.repeat_with_all_threads();
  result.same_bits = repetition.same_bits;
  result.problem = problem_of(result.judgements);
  if (result.problem.empty()) result.problem = repetition.problem;
  return result;
}

/// With 1, 2, 4, … and all threads; `known` is one of them.
std::vector<report::Scaling> scaling_of(testing::Call& call, int all, report::Scaling known) {
  std::set<int> counts{known.threads, all};
  for (int fewer = 1; fewer < all; fewer *= 2) counts.insert(fewer);
  std::vector<report::Scaling> points;
  for (const int threads : counts) {
    if (threads == known.threads) {
      points.push_back(known);
      continue;
    }
    testing::Handle handle;
    handle.threads(threads);
    const double seconds = best_of(
        3, [&] { testing::expect_success(call.run(handle), "the call with other threads"); });
    points.push_back({threads, 1e3 * seconds});
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

bool is_good(const TimedResult& result) {
  return result.speed() != Speed::slow && result.speed() != Speed::not_judged;
}

/// The reason and the floor that the operator's page has for a case.
void take_excuse(const Job& job, const std::string& isa, TimedResult& result) {
  const auto excuse = report::excuse_for(job.suite.op, job.test_case.name, isa);
  if (!excuse) return;
  result.reason = excuse->reason;
  result.floor = excuse->floor;
}

/// Measures until the case is good; it counts as slow only after several tries, because other load can
/// spoil one. The best try counts.
TimedResult measured(const Job& job, testing::Call& call, const testing::Handle& handle,
                     Limits& limits, bool busy_counts) {
  constexpr int most_tries = 5;
  TimedResult result{.row = {},
                     .shape = job.test_case.shape,
                     .network = is_network(job),
                     .tries = 0,
                     .busy_counts = busy_counts,
                     .reason = "",
                     .floor = std::nullopt,
                     .scaling = {},
                     .disturbance = {}};
  do {
    const Measurement row =
        measure(job, call, handle, limits, result.tries == 0 ? brief : Effort{});
    Disturbance seen = row.disturbance;
    if (result.tries == 0) take_excuse(job, row.isa, result);
    if (result.tries == 0 || row.efficiency() > result.row.efficiency()) result.row = row;
    ++result.tries;
    if (!is_good(result)) seen.peak_ratio = peak_ratio(limits);
    result.busy_tries += seen.busy() ? 1 : 0;
    result.disturbance += seen;
  } while (!is_good(result) && result.tries < most_tries);
  return result;
}

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

std::optional<TimedResult> time_case(const Job& job, Limits& limits, bool quick, SpeedMode mode) {
  const bool wanted = mode != SpeedMode::never && is_principal(job) && (is_network(job) || !quick);
  if (!wanted) return std::nullopt;
  testing::Handle handle;  // new, so that it reports the scratch of this case only
  const int all_threads = handle.threads();
  handle.threads(std::min(all_threads, threads_of_floors));
  Trial trial(job);
  testing::Call& call = trial.call();
  if (!is_timed(job, call, limits, handle.threads())) return std::nullopt;

  TimedResult result = measured(job, call, handle, limits, mode == SpeedMode::always);
  if (is_network(job)) {
    result.scaling = scaling_of(call, all_threads, {handle.threads(), result.row.ms_best});
  }
  return result;
}

}  // namespace mluop::cli
