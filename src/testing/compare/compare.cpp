// The five measures, the rule that turns an error into a verdict, and the words for a failure.
#include "testing/compare/compare.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
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

using Pair = std::pair<double, double>;

std::uint64_t hash_of(const Pair& pair) {
  const auto mixed = [](double value) {
    return std::bit_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15;
  };
  const std::uint64_t hash = mixed(pair.first) ^ std::rotr(mixed(pair.second), 32);
  return (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9;
}

/// The pairs that differ, those with the same leading bits of their hash side by side: equal ones
/// meet in a bucket of about a thousand, however many there are.
struct Buckets {
  std::vector<Pair> pairs;
  std::vector<std::size_t> ends;

  Buckets(Values baseline, Values measured) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < baseline.size(); ++i) count += measured[i] != baseline[i];
    const int bits = std::bit_width(count >> 10);
    const auto visit = [&](auto&& take) {
      for (std::size_t i = 0; i < baseline.size(); ++i) {
        if (measured[i] == baseline[i]) continue;
        const Pair pair{measured[i] + 0.0, baseline[i] + 0.0};  // −0 counts as 0
        take(pair, static_cast<std::size_t>(bits == 0 ? 0 : hash_of(pair) >> (64 - bits)));
      }
    };
    pairs.resize(count);
    ends.resize((std::size_t{1} << bits) + 1);
    visit([&](const Pair&, std::size_t bucket) { ++ends[bucket + 1]; });
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    visit([&](const Pair& pair, std::size_t bucket) { pairs[ends[bucket]++] = pair; });
  }
};

double diff4(Values baseline, Values measured) {
  Buckets buckets(baseline, measured);
  std::size_t distinct = 0, below = 0, begin = 0;
  for (const std::size_t end : buckets.ends) {
    const auto bucket = std::span(buckets.pairs).subspan(begin, end - begin);
    std::ranges::sort(bucket);
    const auto last = std::unique(bucket.begin(), bucket.end());
    distinct += static_cast<std::size_t>(last - bucket.begin());
    below += static_cast<std::size_t>(std::count_if(
        bucket.begin(), last, [](const Pair& pair) { return pair.first < pair.second; }));
    begin = end;
  }
  if (distinct < fewest_pairs) return -1;
  return static_cast<double>(below) / static_cast<double>(distinct);
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
class Finite {
 public:
  Finite(Values baseline, Values measured) : baseline_(baseline), measured_(measured) {
    std::size_t i = 0;
    while (i < baseline.size() && is_finite(i)) ++i;
    if (i < baseline.size()) leave_out_special();
  }

  Values baseline() const { return baseline_; }
  Values measured() const { return measured_; }
  std::size_t position(std::size_t i) const { return all_ ? i : position_[i]; }
  /// Names the first special value that has no match, "" if there is none.
  const std::string& mismatch() const { return mismatch_; }

 private:
  bool is_finite(std::size_t i) const {
    return std::isfinite(baseline_[i]) && std::isfinite(measured_[i]);
  }

  void leave_out_special() {
    all_ = false;
    for (std::size_t i = 0; i < baseline_.size(); ++i) {
      const double b = baseline_[i], m = measured_[i];
      if (is_finite(i)) {
        kept_baseline_.push_back(b);
        kept_measured_.push_back(m);
        position_.push_back(i);
      } else if (!(b == m || (std::isnan(b) && std::isnan(m)))) {
        mismatch_ = "special values differ " + at_position(i, b, m);
        return;
      }
    }
    baseline_ = kept_baseline_;
    measured_ = kept_measured_;
  }

  Values baseline_, measured_;  // all values, or those kept
  std::vector<double> kept_baseline_, kept_measured_;
  std::vector<std::size_t> position_;
  bool all_ = true;
  std::string mismatch_;
};

std::string reason_for(const Measured& failed, const Finite& finite) {
  const std::string error = std::string{name_of(failed.measure)} + " = " + text_of(failed.error);
  if (failed.measure == Measure::diff4) return error + ": every deviation lies on one side";
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t i = 0; i < finite.baseline().size(); ++i) {
    const double difference = std::abs(finite.measured()[i] - finite.baseline()[i]);
    if (difference > largest) {
      largest = difference;
      worst = i;
    }
  }
  return error + " exceeds " + text_of(failed.threshold) + ", worst " +
         at_position(finite.position(worst), finite.baseline()[worst], finite.measured()[worst]);
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
  const Finite finite(baseline, measured);
  if (!finite.mismatch().empty()) return refused(finite.mismatch(), criteria);

  Verdict verdict;
  for (const Criterion& criterion : criteria) {
    const double error = measure(criterion.measure, finite.baseline(), finite.measured(), dtype);
    const bool pass = finite.baseline().empty() || passes(criterion, error);
    verdict.measures.push_back({criterion.measure, error, criterion.threshold, pass});
    if (pass || !verdict.pass) continue;
    verdict.pass = false;
    verdict.reason = reason_for(verdict.measures.back(), finite);
  }
  return verdict;
}

}  // namespace mluop::testing
