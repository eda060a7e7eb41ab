#include "testing/compare/block_comparison.hpp"

#include <algorithm>
#include <cmath>

namespace mluop::testing {
namespace {

bool is_mean(const Criterion& criterion) {
  return criterion.measure == Measure::diff1 || criterion.measure == Measure::diff2;
}

}  // namespace

BlockComparison::BlockComparison(std::span<const Criterion> criteria)
    : criteria_(criteria.begin(), criteria.end()),
      exact_(!std::ranges::all_of(criteria, is_mean)),
      worst_(criteria.size()) {}

void BlockComparison::add(std::int64_t first, std::span<const double> baseline,
                          std::span<const double> measured) {
  for (std::size_t i = 0; i < baseline.size(); i += block) {
    const std::size_t count = std::min(block, baseline.size() - i);
    add_block(first + static_cast<std::int64_t>(i), baseline.subspan(i, count),
              measured.subspan(i, count));
  }
  compared_ += std::ssize(baseline);
}

void BlockComparison::add_block(std::int64_t first, std::span<const double> baseline,
                                std::span<const double> measured) {
  bool equal = true, finite = true;
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    equal &= baseline[i] == measured[i];
    finite &= std::isfinite(baseline[i]) && std::isfinite(measured[i]);
  }
  if (equal) return;
  if (exact_ || !finite) {  // rare, so it may take long
    keep(first, evaluate(baseline, measured, MLUOP_DTYPE_DOUBLE, criteria_));
    return;
  }
  bool good = true;
  for (std::size_t i = 0; i < criteria_.size(); ++i) {
    const double error = measure(criteria_[i].measure, baseline, measured, MLUOP_DTYPE_DOUBLE);
    good &= error <= criteria_[i].threshold;
    worst_[i] = std::max(worst_[i], error);
  }
  if (!good) keep(first, evaluate(baseline, measured, MLUOP_DTYPE_DOUBLE, criteria_));
}

void BlockComparison::keep(std::int64_t first, const Verdict& block_verdict) {
  for (std::size_t i = 0; i < worst_.size(); ++i) {
    worst_[i] = std::max(worst_[i], block_verdict.measures[i].error);
  }
  if (!block_verdict.pass && reason_.empty()) {
    reason_ = "in the block from element " + std::to_string(first) + ": " + block_verdict.reason;
  }
}

Verdict BlockComparison::verdict() const {
  Verdict verdict{.pass = reason_.empty() && compared_ > 0,
                  .measures = {},
                  .reason = compared_ > 0 ? reason_ : "no element was compared"};
  for (std::size_t i = 0; i < criteria_.size(); ++i) {
    const Criterion& one = criteria_[i];
    verdict.measures.push_back({one.measure, worst_[i], one.threshold, worst_[i] <= one.threshold});
  }
  return verdict;
}

}  // namespace mluop::testing
