// How acceptance examines a case: against its references, for equal bits, and against the clock.
#pragma once

#include <optional>

#include "report/model.hpp"

namespace mluop::cli {

struct Examined {
  report::CaseResult result;
  std::optional<report::TimedResult> timing;
};

/// Times network cases in the operator's first dtype, and in half unless `quick`; of the others those
/// that take long enough to be timed at all.
Examined examine(const Job& job, Limits& limits, bool quick);

}  // namespace mluop::cli
