#include "examine.hpp"

#include "report/pages.hpp"
#include "timing.hpp"

namespace mluop::cli {

namespace {

using report::CaseResult;
using report::TimedResult;
using testing::Case;

std::string problem_of(const CaseResult& result) {
  for (const Judgement& judgement : result.judgements) {
    if (!judgement.verdict.pass) return judgement.output + ": " + judgement.verdict.reason;
  }
  return result.same_bits ? "" : "the bits depend on the number of threads";
}

/// Below this the limit says more about the call's fixed costs than about its loops.
constexpr double least_timed_limit = 20e-6;

bool is_timed(const Job& job, const testing::Call& call, Limits& limits, int threads, bool quick) {
  const bool principal = job.dtype == principal_dtype(job.suite);
  if (job.test_case.kind == Case::Kind::network) {
    return principal || (!quick && job.dtype == MLUOP_DTYPE_HALF);
  }
  return principal && limits.limit_of(call.cost(), job.dtype, threads).seconds >= least_timed_limit;
}

/// 1, 2, 4, … below `threads`.
std::vector<report::Scaling> scaling_of(testing::Call& call, int threads) {
  std::vector<report::Scaling> points;
  for (int fewer = 1; fewer < threads; fewer *= 2) {
    testing::Handle handle;
    handle.threads(fewer);
    const double seconds = best_of_three(
        [&] { testing::expect_success(call.run(handle), "the call with fewer threads"); });
    points.push_back({fewer, 1e3 * seconds});
  }
  return points;
}

/// A busy machine can spoil a measurement, so what is below the standard for no known reason is
/// measured again before it is held against the operator.
TimedResult timed(const Job& job, testing::Call& call, const testing::Handle& handle,
                  Limits& limits) {
  constexpr int most_tries = 5;
  TimedResult result{.row = measure(job, call, handle, limits, brief),
                     .shape = job.test_case.shape,
                     .network = job.test_case.kind == Case::Kind::network,
                     .reason = report::reason_for(job.suite.op, job.test_case.name),
                     .scaling = {}};
  while (!result.accepted() && result.tries < most_tries) {
    const Measurement again = measure(job, call, handle, limits, {});
    if (again.efficiency() > result.row.efficiency()) result.row = again;
    ++result.tries;
  }
  if (result.network && job.dtype == principal_dtype(job.suite)) {
    result.scaling = scaling_of(call, handle.threads());
    result.scaling.push_back({handle.threads(), result.row.ms_best});
  }
  return result;
}

}  // namespace

Examined examine(const Job& job, Limits& limits, bool quick) {
  const testing::Handle handle;  // of its own, so that the scratch it reports is too
  Trial trial(job);
  Examined examined{.result = {.name = job.test_case.name,
                               .shape = job.test_case.shape,
                               .dtype = name_of(job.dtype),
                               .network = job.test_case.kind == Case::Kind::network,
                               .judgements = {},
                               .problem = trial.run(handle)},
                    .timing = {}};
  CaseResult& result = examined.result;
  if (!result.problem.empty()) return examined;
  result.judgements = trial.judge();
  result.same_bits = trial.same_bits_for_all_threads();
  result.problem = problem_of(result);
  if (result.problem.empty() && is_timed(job, trial.call(), limits, handle.threads(), quick)) {
    examined.timing = timed(job, trial.call(), handle, limits);
  }
  return examined;
}

}  // namespace mluop::cli
