// The five measures, the rule that turns an error into a verdict, and the words for a failure.
#include "testing/compare.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>

namespace mluop::testing {
namespace {

using Values = std::span<const double>;

constexpr double epsilon = 1e-9;
constexpr std::size_t fewest_pairs = 100;

double diff1(Values baseline, Values measured) {
  double difference = 0, magnitude = 0;
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    difference += std::abs(measured[i] - baseline[i]);
    magnitude += std::abs(baseline[i]);
  }
  return difference / (magnitude + epsilon);
}

double diff2(Values baseline, Values measured) {
  double difference = 0, magnitude = 0;
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    const double d = measured[i] - baseline[i];
    difference += d * d;
    magnitude += baseline[i] * baseline[i];
  }
  return std::sqrt(difference / (magnitude + epsilon));
}

/// Below it a deviation counts as it is, from it on relative to the baseline.
double relative_from(mluOpDataType_t dtype) {
  switch (dtype) {
    case MLUOP_DTYPE_FLOAT:
      return 1e-6;
    case MLUOP_DTYPE_HALF:
      return 1e-4;
    default:
      return 0;
  }
}

double diff3(Values baseline, Values measured, mluOpDataType_t dtype) {
  const double threshold = relative_from(dtype);
  double worst = 0;
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    const double difference = std::abs(measured[i] - baseline[i]);
    const double magnitude = std::abs(baseline[i]);
    worst =
        std::max(worst, magnitude < threshold ? difference : difference / (magnitude + epsilon));
  }
  return worst;
}

double diff3_2(Values baseline, Values measured) {
  double worst = 0;
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    worst = std::max(worst, std::abs(measured[i] - baseline[i]));
  }
  return worst;
}

double diff4(Values baseline, Values measured) {
  std::vector<std::pair<double, double>> pairs;
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    if (measured[i] != baseline[i]) pairs.emplace_back(measured[i], baseline[i]);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  if (pairs.size() < fewest_pairs) return -1;
  const auto below = std::count_if(pairs.begin(), pairs.end(),
                                   [](const auto& pair) { return pair.first < pair.second; });
  return static_cast<double>(below) / static_cast<double>(pairs.size());
}

bool passes(const Criterion& criterion, double error) {
  if (!std::isfinite(error)) return false;
  if (criterion.measure == Measure::diff4) {
    const bool off = criterion.threshold < 0;
    return off || !(error == 0 || error == 1);
  }
  return error >= 0 && error <= criterion.threshold;  // so that a NaN threshold fails too
}

/// Enough digits that two different doubles read differently.
std::string text_of(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}

std::string at_position(std::size_t i, double baseline, double measured) {
  return "at position " + std::to_string(i) + ": got " + text_of(measured) + ", expected " +
         text_of(baseline);
}

/// The values whose measures are taken, and where each of them stood.
struct Finite {
  std::vector<double> baseline, measured;
  std::vector<std::size_t> position;
};

/// Splits off the finite positions; the text names the first special value that has no match.
std::string split_special(Values baseline, Values measured, Finite& finite) {
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    const double b = baseline[i], m = measured[i];
    if (std::isfinite(b) && std::isfinite(m)) {
      finite.baseline.push_back(b);
      finite.measured.push_back(m);
      finite.position.push_back(i);
    } else if (!(b == m || (std::isnan(b) && std::isnan(m)))) {
      return "special values differ " + at_position(i, b, m);
    }
  }
  return {};
}

std::string reason_for(const Measured& failed, const Finite& finite) {
  const std::string error = std::string{name_of(failed.measure)} + " = " + text_of(failed.error);
  if (failed.measure == Measure::diff4) return error + ": every deviation lies on one side";
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t i = 0; i < finite.position.size(); ++i) {
    const double difference = std::abs(finite.measured[i] - finite.baseline[i]);
    if (difference > largest) {
      largest = difference;
      worst = i;
    }
  }
  return error + " exceeds " + text_of(failed.threshold) + ", worst " +
         at_position(finite.position[worst], finite.baseline[worst], finite.measured[worst]);
}

Verdict refused(std::string reason, std::span<const Criterion> criteria) {
  Verdict verdict{false, {}, std::move(reason)};
  for (const Criterion& criterion : criteria) {
    verdict.measures.push_back({criterion.measure, DBL_MAX, criterion.threshold, false});
  }
  return verdict;
}

}  // namespace

const char* name_of(Measure measure) {
  switch (measure) {
    case Measure::diff1:
      return "diff1";
    case Measure::diff2:
      return "diff2";
    case Measure::diff3:
      return "diff3";
    case Measure::diff3_2:
      return "diff3_2";
    case Measure::diff4:
      return "diff4";
  }
  return "unknown";
}

double measure(Measure which, Values baseline, Values measured, mluOpDataType_t dtype) {
  switch (which) {
    case Measure::diff1:
      return diff1(baseline, measured);
    case Measure::diff2:
      return diff2(baseline, measured);
    case Measure::diff3:
      return diff3(baseline, measured, dtype);
    case Measure::diff3_2:
      return diff3_2(baseline, measured);
    case Measure::diff4:
      return diff4(baseline, measured);
  }
  return DBL_MAX;
}

Verdict evaluate(Values baseline, Values measured, mluOpDataType_t dtype,
                 std::span<const Criterion> criteria) {
  if (criteria.empty()) return refused("no criterion to judge by", criteria);
  if (baseline.size() != measured.size()) {
    return refused("got " + std::to_string(measured.size()) + " values, expected " +
                       std::to_string(baseline.size()),
                   criteria);
  }
  Finite finite;
  std::string mismatch = split_special(baseline, measured, finite);
  if (!mismatch.empty()) return refused(std::move(mismatch), criteria);

  Verdict verdict;
  for (const Criterion& criterion : criteria) {
    const double error = measure(criterion.measure, finite.baseline, finite.measured, dtype);
    const bool pass = finite.position.empty() || passes(criterion, error);
    verdict.measures.push_back({criterion.measure, error, criterion.threshold, pass});
    if (pass || !verdict.pass) continue;
    verdict.pass = false;
    verdict.reason = reason_for(verdict.measures.back(), finite);
  }
  return verdict;
}

}  // namespace mluop::testing
