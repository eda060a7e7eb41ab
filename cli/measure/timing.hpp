// How long a repeated call takes.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

namespace mluop::cli {

struct Timing {
  double median;  // seconds
  double best;
};

/// Minimum duration and number of repetitions of a call, and the warm-up before them.
struct Effort {
  double warm_up = 0.05, enough = 0.3;
  std::size_t enough_runs = 15;
  bool limit_twice = true;  // measure the machine's limit after the call, too
  bool times_peer = true;
};
/// Short measurements, for many rows.
inline constexpr Effort brief{
    .warm_up = 0.01, .enough = 0.1, .enough_runs = 5, .limit_twice = false};

/// Repeats `call` as `effort` says; a call so slow that this would take longer than 5 s is repeated
/// three times at least.
template <class Call>
Timing time_repeated(Call&& call, const Effort& effort = {}) {
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  constexpr double too_long = 5;
  constexpr std::size_t least_runs = 3;

  const auto begin = Clock::now();
  do call();
  while (seconds_since(begin) < effort.warm_up);

  std::vector<double> runs;
  const auto timed = Clock::now();
  for (double passed = 0; passed < effort.enough || runs.size() < effort.enough_runs;) {
    if (passed > too_long && runs.size() >= least_runs) break;
    const auto start = Clock::now();
    call();
    runs.push_back(seconds_since(start));
    passed = seconds_since(timed);
  }
  std::sort(runs.begin(), runs.end());
  const std::size_t middle = runs.size() / 2;
  const double median = runs.size() % 2 == 1 ? runs[middle] : (runs[middle - 1] + runs[middle]) / 2;
  return {median, runs.front()};
}

/// The least time of some calls, in seconds; for estimates and peers.
template <class Call>
double best_of(int runs, Call&& call) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const auto start = Clock::now();
    call();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

}  // namespace mluop::cli
