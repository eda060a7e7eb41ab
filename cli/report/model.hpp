// The results of acceptance, from which every form of the report is written.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/disturbance.hpp"
#include "measure/host.hpp"
#include "measure/machine.hpp"
#include "measure/measurement.hpp"
#include "measure/trial.hpp"
#include "sweep/row.hpp"
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

/// When acceptance judges speed: `if_quiet` does not count a case as slow that was only measured while the
/// machine was busy.
enum class SpeedMode { if_quiet, always, never };
const char* name_of(SpeedMode mode);  // "if-quiet", "always", "never"
/// By that name; throws std::invalid_argument for any other.
SpeedMode speed_mode(std::string_view name);

/// The verdict on the time of a case.
enum class Speed {
  met,        // the standard
  explained,  // below the standard; the page states a reason, and the floor of this level is reached
  slow,       // below the standard without a reason for this level, or below the floor
  not_judged,  // as slow, but the machine was busy at every try
  no_floor  // below the standard; the page states a reason, but no floor was measured at this level
};
const char* name_of(Speed speed);  // "met", "explained", "slow", "not judged", "no floor"

/// One timed case and the verdict by MLU-OPS' performance standard.
struct TimedResult {
  Measurement row;  // of the best try
  std::string shape;
  bool network = false;
  int tries = 1;
  int busy_tries = 0;            // of them, while the machine was busy
  bool busy_counts = false;      // slow although the machine was busy: --speed=always
  std::string reason;            // of the operator's page for this level, "" if it states none
  std::optional<double> floor;   // efficiency that was measured with this reason at this level
  std::vector<Scaling> scaling;  // ascending; the last one is the row itself
  Disturbance disturbance;       // of all tries

  /// The least efficiency: 0.6 on network shapes, 0.3 on others.
  double standard() const { return network ? 0.6 : 0.3; }
  bool meets_standard() const { return row.efficiency() >= standard(); }
  /// Below this the case is slow: four fifths of the floor where there is one, otherwise the standard.
  double required() const { return floor ? std::min(standard(), 0.8 * *floor) : standard(); }
  Speed speed() const;
  bool accepted() const { return speed() != Speed::slow; }
  const char* verdict() const { return name_of(speed()); }
};

struct OperatorResult {
  std::string op;
  std::vector<CaseResult> cases;
  std::vector<testing::BadCallOutcome> bad_calls;
  std::vector<TimedResult> timings;

  std::size_t failed_cases() const;
  std::size_t refused() const;
  /// Cases below the standard.
  std::size_t below_standard() const;
  std::size_t count(Speed speed) const;
  std::size_t timed_network() const;
  /// Whether the bits of every case are independent of the number of threads.
  bool same_bits() const;
  double worst_share() const;
  bool accepted() const;
  /// "accepted", "NOT ACCEPTED", or "accurate; speed not judged: the machine was busy"
  std::string verdict() const;
  /// Why the operator is not accepted, one sentence each.
  std::vector<std::string> problems() const;
  /// What would be a problem, had the machine been quiet.
  std::vector<std::string> doubts() const;
};

struct Report {
  Host host;
  Machine machine;
  MachineLimits limits;
  std::string date;  // UTC, "2026-11-16 12:00"
  bool quick = false;
  SpeedMode speed = SpeedMode::if_quiet;
  Disturbance disturbance;  // of all timed runs
  std::vector<OperatorResult> operators;
  std::vector<SweepRow> sweep = {};  // random problems, with --sweep

  bool accepted() const;
  std::size_t count(Speed verdict) const;
  Disturbance disturbance_of_timings() const;
  /// As that of an operator: one sentence on everything.
  std::string verdict() const;
  std::size_t case_count() const;
  std::size_t accepted_operators() const;
};

}  // namespace mluop::cli::report
