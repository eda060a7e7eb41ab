// One timed row: a case with a number of threads, a level and a design, with the limit of the machine.
#pragma once

#include <optional>
#include <string>

#include "measure/disturbance.hpp"
#include "measure/timing.hpp"
#include "output/json_file.hpp"
#include "runtime/limits.hpp"
#include "selection.hpp"

namespace mluop::cli {

struct Measurement {
  std::string op, case_name, dtype, impl, isa;  // impl: the design
  int threads;
  double ms;  // median
  double ms_best;
  Limit limit;
  Cost cost;
  std::size_t workspace_bytes;
  std::size_t max_rss_bytes;      // peak of the process during timing, data of the case included
  std::optional<double> peer_ms;  // best
  Disturbance disturbance = {};   // of the timed runs

  double limit_ms() const { return 1e3 * limit.seconds; }
  /// Best time against best limit, so that noise affects both alike.
  double efficiency() const { return limit_ms() / ms_best; }
  /// The two efficiencies of MLU-OPS' performance standard: the time of
  /// the memory traffic, or of the arithmetic, at the best rate of this machine, divided by the time of the
  /// call. The larger one names the bottleneck.
  double io_efficiency() const { return 1e3 * limit.memory_seconds / ms_best; }
  double compute_efficiency() const { return 1e3 * limit.compute_seconds / ms_best; }
  /// Speed-up over the peer.
  double gain() const { return *peer_ms / ms_best; }
  double bytes() const { return cost.bytes_read + cost.bytes_written; }
  Json json() const;
};

/// Times a call that has been verified. Inputs and outputs stay in place between the runs. The limit is
/// measured directly before and, unless the effort is brief, directly after, and the better one counts:
/// other load then affects limit and call alike.
Measurement measure(const Job& job, testing::Call& call, const testing::Handle& handle,
                    Limits& limits, const Effort& effort = {});

}  // namespace mluop::cli
