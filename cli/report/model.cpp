#include "report/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/numbers.hpp"

namespace mluop::cli::report {

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

std::size_t OperatorResult::unexplained() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(timings, [](const TimedResult& timed) { return !timed.accepted(); }));
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
  return failed_cases() == 0 && refused() == bad_calls.size() && unexplained() == 0;
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
    if (timed.accepted()) continue;
    found.push_back(fmt::format(
        "{} {} {}: efficiency {} is below the standard of {} and the operator's page states no "
        "reason ({} tries)",
        op, timed.row.case_name, timed.row.dtype, efficiency_text(timed.row.efficiency()),
        efficiency_text(timed.standard()), timed.tries));
  }
  return found;
}

bool Report::accepted() const {
  return std::ranges::all_of(operators, [](const OperatorResult& one) { return one.accepted(); });
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
