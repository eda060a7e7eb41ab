// How acceptance examines cases: against their references, for equal bits, and against the clock.
#pragma once

#include <optional>
#include <vector>

#include "report/model.hpp"
#include "results.hpp"

namespace mluop::cli {

/// The verdict on every job, in the order of the jobs; as many at a time as the process has cores, since
/// references take long and nothing is timed. None for a job that is too large for this run: if `quick`,
/// what takes more than a second; else the largest cases in all dtypes but the first.
std::vector<std::optional<report::CaseResult>> judge(const std::vector<Job>& jobs, bool quick,
                                                     Progress& progress);

/// Times a case that has been judged; one at a time. Network cases in the operator's first dtype and,
/// unless `quick`, in half; of the others those that take long enough to be timed at all.
std::optional<report::TimedResult> time_case(const Job& job, Limits& limits, bool quick);

}  // namespace mluop::cli
