// How acceptance examines cases: against their references, for equal bits, and against the clock.
#pragma once

#include <optional>
#include <vector>

#include "report/model.hpp"
#include "results.hpp"

namespace mluop::cli {

/// The verdict on every job, in the order of the jobs; as many at a time as the process has cores, since
/// references take long and nothing is timed. None for a job that is too large to be `quick`.
std::vector<std::optional<report::CaseResult>> judge(const std::vector<Job>& jobs, bool quick,
                                                     Progress& progress);

/// Times a case that has been judged; one at a time. In the operator's principal dtype only: network
/// cases and, unless `quick`, those of the others that take long enough to be timed at all.
std::optional<report::TimedResult> time_case(const Job& job, Limits& limits, bool quick);

}  // namespace mluop::cli
