// One timed row: a case with a number of threads and an implementation, held against the machine.
#pragma once

#include <optional>
#include <string>

#include "json.hpp"
#include "runtime/limits.hpp"
#include "selection.hpp"
#include "timing.hpp"

namespace mluop::cli {

struct Measurement {
  std::string op, case_name, dtype, impl;
  int threads;
  double ms;  // median
  double ms_best;
  Limit limit;
  Cost cost;
  std::size_t workspace_bytes;
  std::size_t max_rss_bytes;  // of the process while it was timed: the data of the case included
  std::optional<double> peer_ms;  // best

  double limit_ms() const { return 1e3 * limit.seconds; }
  /// Best against best: the limit is the best of several, too, so noise hits both alike.
  double efficiency() const { return limit_ms() / ms_best; }
  /// The two efficiencies of MLU-OPS' performance standard: what the call must move, or compute, at
  /// the best rate of this machine over the time it takes. The larger one says what binds.
  double io_efficiency() const { return 1e3 * limit.memory_seconds / ms_best; }
  double compute_efficiency() const { return 1e3 * limit.compute_seconds / ms_best; }
  /// How often the operator is done before its peer is.
  double gain() const { return *peer_ms / ms_best; }
  double bytes() const { return cost.bytes_read + cost.bytes_written; }
  JsonObject json() const;
};

/// Times a call that has been verified. Inputs and outputs stay in place between the runs. The
/// limit is measured just before and, unless the effort is brief, just after, and the better of the two
/// counts: whatever else slows the machine down then slows both down.
Measurement measure(const Job& job, testing::Call& call, const testing::Handle& handle,
                    Limits& limits, const Effort& effort = {});

}  // namespace mluop::cli
