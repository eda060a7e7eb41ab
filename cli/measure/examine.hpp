// The checks of acceptance: accuracy, equal bits, speed.
#pragma once

#include <optional>
#include <vector>

#include "output/results.hpp"
#include "report/model.hpp"

namespace mluop::cli {

/// The verdict on every job, in the order of the jobs. Jobs run in parallel, one per core, because
/// references are slow and nothing is timed. No verdict for a job that is too large for `quick`.
std::vector<std::optional<report::CaseResult>> judge(const std::vector<Job>& jobs, bool quick,
                                                     Progress& progress);

/// Times a case that has been judged, with two threads at most; call it for one case at a time. Only in
/// the operator's principal dtype, and only network cases and, unless `quick`, edge cases that are long
/// enough to time. Nothing is timed in mode `never`.
std::optional<report::TimedResult> time_case(const Job& job, Limits& limits, bool quick,
                                             report::SpeedMode mode);

}  // namespace mluop::cli
