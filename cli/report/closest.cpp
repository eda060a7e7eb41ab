#include "report/closest.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace mluop::cli::report {

namespace {

std::optional<Closest> closest_of(const CaseResult& result) {
  std::optional<Closest> closest;
  for (const Judgement& judgement : result.judgements) {
    for (std::size_t i = 0; i < judgement.verdict.measures.size(); ++i) {
      const testing::Measured& measured = judgement.verdict.measures[i];
      if (measured.measure == testing::Measure::diff4 || measured.error == 0) continue;
      const Closest other{&result, &judgement, &measured, i < judgement.static_count};
      if (!closest || other.share() > closest->share()) closest = other;
    }
  }
  return closest;
}

}  // namespace

std::vector<Closest> closest_to_bounds(const OperatorResult& result) {
  std::vector<Closest> found;
  for (const CaseResult& one : result.cases) {
    if (const auto closest = closest_of(one)) found.push_back(*closest);
  }
  std::ranges::stable_sort(found, std::greater<>(), &Closest::share);
  return found;
}

}  // namespace mluop::cli::report
