// One timed row: a case with a number of threads and an implementation, held against the machine.
#pragma once

#include <optional>
#include <string>

#include "json.hpp"
#include "runtime/limits.hpp"
#include "selection.hpp"

namespace mluop::cli {

struct Measurement {
  std::string op, case_name, dtype, impl;
  int threads;
  double ms;  // median
  double ms_best;
  Limit limit;
  testing::Cost cost;
  std::size_t workspace_bytes;
  std::optional<double> peer_ms;  // best

  double limit_ms() const { return 1e3 * limit.seconds; }
  /// Best against best: the limit is the best of several, too, so noise hits both alike.
  double efficiency() const { return limit_ms() / ms_best; }
  /// How often the operator is done before its peer is.
  double gain() const { return *peer_ms / ms_best; }
  double bytes() const { return cost.bytes_read + cost.bytes_written; }
  JsonObject json() const;
};

/// Times a call that has been verified. Inputs and outputs stay in place between the runs. The
/// limit is measured just before and just after, and the better of the two counts: whatever else
/// slows the machine down then slows both down.
Measurement measure(const Job& job, testing::Call& call, const testing::Handle& handle,
                    Limits& limits);

}  // namespace mluop::cli
