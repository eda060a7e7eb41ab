// The results of acceptance, from which every form of the report is written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/host.hpp"
#include "measure/machine.hpp"
#include "measure/measurement.hpp"
#include "measure/trial.hpp"
#include "testing/suite/bad_calls.hpp"

namespace mluop::cli::report {

/// One case in one dtype.
struct CaseResult {
  std::string name, shape, dtype;
  bool network = false;
  std::vector<Judgement> judgements;  // one per output
  std::optional<bool> same_bits;      // none if a run failed
  std::string problem;                // "" when accepted

  /// The largest error of an output as a share of what is accepted; 0 where results are exact.
  double worst_share() const;
};

/// The best time of a case with some number of threads.
struct Scaling {
  int threads;
  double ms_best;
};

/// One timed case and the verdict by MLU-OPS' performance standard.
struct TimedResult {
  Measurement row;
  std::string shape;
  bool network = false;
  int tries = 1;
  std::string reason;            // of the operator's page, "" if it states none
  std::vector<Scaling> scaling;  // ascending; the last one is the row itself

  /// The least efficiency: 0.6 on network shapes, 0.3 on others.
  double standard() const { return network ? 0.6 : 0.3; }
  bool meets_standard() const { return row.efficiency() >= standard(); }
  bool accepted() const { return meets_standard() || !reason.empty(); }
  const char* verdict() const {
    return meets_standard() ? "met" : accepted() ? "below, reason stated" : "below";
  }
};

struct OperatorResult {
  std::string op;
  std::vector<CaseResult> cases;
  std::vector<testing::BadCallOutcome> bad_calls;
  std::vector<TimedResult> timings;

  std::size_t failed_cases() const;
  std::size_t refused() const;
  /// Cases below the standard: all of them, and those without a reason.
  std::size_t below_standard() const;
  std::size_t unexplained() const;
  std::size_t timed_network() const;
  /// Whether the bits of every case are independent of the number of threads.
  bool same_bits() const;
  double worst_share() const;
  bool accepted() const;
  /// Why the operator is not accepted, one sentence each.
  std::vector<std::string> problems() const;
};

struct Report {
  Host host;
  Machine machine;
  MachineLimits limits;
  std::string date;  // UTC, "2026-11-16 12:00"
  bool quick = false;
  std::vector<OperatorResult> operators;

  bool accepted() const;
  std::size_t case_count() const;
  std::size_t accepted_operators() const;
};

}  // namespace mluop::cli::report
