#include "sweep/row.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "measure/trial.hpp"

namespace mluop::cli {

namespace {

/// Short, because a sweep has hundreds of problems.
constexpr Effort effort{
    .warm_up = 0.005, .enough = 0.04, .enough_runs = 3, .limit_twice = false, .times_peer = false};

std::vector<std::vector<double>> values_of(testing::Call& call) {
  std::vector<std::vector<double>> values;
  for (const testing::HostTensor& output : call.outputs()) values.push_back(output.values());
  return values;
}

/// Both sum in float, each in an order of its own.
std::string difference(const testing::Suite& suite, testing::Call& call,
                       const std::vector<std::vector<double>>& values) {
  std::size_t i = 0;
  for (const testing::HostTensor& output : call.outputs()) {
    std::vector<testing::Criterion> criteria = suite.criteria(output.dtype());
    for (testing::Criterion& criterion : criteria) criterion.threshold *= 10;
    const testing::Verdict verdict =
        testing::evaluate(output.values(), values[i++], output.dtype(), criteria);
    if (!verdict.pass) return output.name() + " is not what the plain loop has: " + verdict.reason;
  }
  return "";
}

/// The loop has run once.
double loop_seconds(testing::Call& call, const testing::Handle& handle) {
  constexpr double enough = 0.04, long_run = 0.2;
  double best = best_of(1, [&] { call.run_loop(handle); });
  double passed = best;
  for (int runs = 1; best < long_run && (runs < 3 || passed < enough); ++runs) {
    const double again = best_of(1, [&] { call.run_loop(handle); });
    best = std::min(best, again);
    passed += again;
  }
  return best;
}

}  // namespace

const char* kind_of(bool memory_bound) { return memory_bound ? "memory" : "compute"; }

SweepRow time_problem(const SweepProblem& problem, std::uint64_t seed, Limits& limits) {
  const testing::Case test_case = problem.suite.sized.make(problem.sizes, seed);
  const Job job{problem.suite, test_case, problem.dtype};
  Trial trial(job);
  testing::Handle handle;
  handle.threads(problem.threads);
  if (const std::string failure = trial.run(handle); !failure.empty()) {
    throw std::runtime_error(failure);
  }
  testing::Call& call = trial.call();
  const auto values = values_of(call);
  if (!call.run_loop(handle)) throw std::logic_error(problem.suite.op + " has no plain loop");
  if (const std::string wrong = difference(problem.suite, call, values); !wrong.empty()) {
    throw std::runtime_error(wrong);
  }
  const double loop = loop_seconds(call, handle);
  const Measurement row = measure(job, call, handle, limits, effort);
  return {.op = row.op,
          .dtype = row.dtype,
          .impl = row.impl,
          .shape = problem.sizes.text(),
          .seed = seed,
          .number = problem.number,
          .threads = row.threads,
          .ms = row.ms_best,
          .limit_ms = row.limit_ms(),
          .loop_ms = 1e3 * loop,
          .memory_bound = row.limit.memory_bound};
}

Json json_of(const SweepRow& row) {
  return {{"op", row.op},
          {"direction", direction_of(row.op)},
          {"dtype", row.dtype},
          {"threads", row.threads},
          {"impl", row.impl},
          {"seed", row.seed},
          {"number", row.number},
          {"shape", row.shape},
          {"bound", kind_of(row.memory_bound)},
          {"ms_best", row.ms},
          {"limit_ms", row.limit_ms},
          {"loop_ms", row.loop_ms},
          {"efficiency", row.efficiency()}};
}

}  // namespace mluop::cli
