#include "report/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "report/numbers.hpp"

namespace mluop::cli::report {

namespace {

/// Why a slow case is slow.
std::string slowness(const TimedResult& timed) {
  const Measurement& row = timed.row;
  const std::string bound =
      timed.floor
          ? fmt::format("four fifths of its floor of {}", efficiency_text(*timed.floor))
          : fmt::format("the standard of {}, and the operator's page states no reason at {}",
                        efficiency_text(timed.standard()), row.isa);
  return fmt::format("{} {} {}: slow, efficiency {} is below {} ({} tries{})", row.op,
                     row.case_name, row.dtype, efficiency_text(row.efficiency()), bound,
                     timed.tries, timed.busy_tries == timed.tries ? ", the machine was busy" : "");
}

}  // namespace

const char* name_of(SpeedMode mode) {
  constexpr const char* names[] = {"if-quiet", "always", "never"};
  return names[static_cast<int>(mode)];
}

SpeedMode speed_mode(std::string_view name) {
  for (const SpeedMode mode : {SpeedMode::if_quiet, SpeedMode::always, SpeedMode::never}) {
    if (name == name_of(mode)) return mode;
  }
  throw std::invalid_argument(fmt::format("unknown mode '{}'", name));
}

const char* name_of(Speed speed) {
  constexpr const char* names[] = {"met", "explained", "slow", "not judged", "no floor"};
  return names[static_cast<int>(speed)];
}

Speed TimedResult::speed() const {
  if (meets_standard()) return Speed::met;
  if (floor ? row.efficiency() >= required() : !reason.empty()) {
    return floor ? Speed::explained : Speed::no_floor;
  }
  return busy_tries == tries && !busy_counts ? Speed::not_judged : Speed::slow;
}

double CaseResult::worst_share() const {
  double worst = 0;
  for (const Judgement& judgement : judgements) {
    for (const testing::Measured& one : judgement.verdict.measures) {
      // diff4 is no size; a threshold of 0 admits no error, and then there is none to divide by.
      if (one.measure == testing::Measure::diff4 || one.error == 0) continue;
      worst = std::max(worst, one.error / one.threshold);
    }
  }
  return worst;
}

std::size_t OperatorResult::failed_cases() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(cases, [](const CaseResult& one) { return !one.problem.empty(); }));
}

std::size_t OperatorResult::refused() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(bad_calls, [](const auto& row) { return row.problem.empty(); }));
}

std::size_t OperatorResult::below_standard() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      timings, [](const TimedResult& timed) { return !timed.meets_standard(); }));
}

std::size_t OperatorResult::count(Speed speed) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      timings, [&](const TimedResult& timed) { return timed.speed() == speed; }));
}

std::size_t OperatorResult::timed_network() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(timings, [](const TimedResult& timed) { return timed.network; }));
}

bool OperatorResult::same_bits() const {
  return std::ranges::all_of(cases,
                             [](const CaseResult& one) { return one.same_bits.value_or(true); });
}

double OperatorResult::worst_share() const {
  double worst = 0;
  for (const CaseResult& one : cases) worst = std::max(worst, one.worst_share());
  return worst;
}

bool OperatorResult::accepted() const {
  return failed_cases() == 0 && refused() == bad_calls.size() && count(Speed::slow) == 0;
}

std::string OperatorResult::verdict() const {
  if (!accepted()) return "NOT ACCEPTED";
  if (count(Speed::not_judged) > 0) return "accurate; speed not judged: the machine was busy";
  if (count(Speed::no_floor) > 0) {
    return fmt::format("accepted; speed at {} not judged: no floor measured", timings[0].row.isa);
  }
  return "accepted";
}

std::vector<std::string> OperatorResult::problems() const {
  std::vector<std::string> found;
  for (const CaseResult& one : cases) {
    if (!one.problem.empty()) {
      found.push_back(fmt::format("{} {} {}: {}", op, one.name, one.dtype, one.problem));
    }
  }
  for (const auto& row : bad_calls) {
    if (!row.problem.empty()) found.push_back(fmt::format("{}: {}", row.what, row.problem));
  }
  for (const TimedResult& timed : timings) {
    if (timed.speed() == Speed::slow) found.push_back(slowness(timed));
  }
  return found;
}

std::vector<std::string> OperatorResult::doubts() const {
  std::vector<std::string> found;
  for (const TimedResult& timed : timings) {
    if (timed.speed() == Speed::not_judged) found.push_back(slowness(timed));
  }
  return found;
}

bool Report::accepted() const {
  return std::ranges::all_of(operators, [](const OperatorResult& one) { return one.accepted(); });
}

std::size_t Report::count(Speed verdict) const {
  std::size_t sum = 0;
  for (const OperatorResult& one : operators) sum += one.count(verdict);
  return sum;
}

Disturbance Report::disturbance_of_timings() const {
  Disturbance sum;
  for (const OperatorResult& one : operators) {
    for (const TimedResult& timed : one.timings) sum += timed.disturbance;
  }
  return sum;
}

std::string Report::verdict() const {
  if (!accepted()) return "not accepted";
  if (speed == SpeedMode::never) return "accurate; speed not judged: --speed=never";
  if (count(Speed::not_judged) > 0) return "accurate; speed not judged: the machine was busy";
  if (count(Speed::no_floor) > 0) {
    return fmt::format("accepted; speed at {} not judged where no floor is measured", machine.isa);
  }
  return "accepted";
}

std::size_t Report::accepted_operators() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(operators, [](const OperatorResult& one) { return one.accepted(); }));
}

std::size_t Report::case_count() const {
  std::size_t count = 0;
  for (const OperatorResult& one : operators) count += one.cases.size();
  return count;
}

}  // namespace mluop::cli::report
