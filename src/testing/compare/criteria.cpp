// The threshold table of the accuracy standard and the thresholds derived from a plain loop.
#include "testing/compare/criteria.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "testing/compare/rounding.hpp"

namespace mluop::testing {
namespace {

/// diff1 and diff2, or none where results must equal the baseline.
struct ClassThresholds {
  OpClass op_class;
  double for_float;
  double for_half;
};
constexpr ClassThresholds standard[] = {
    {OpClass::convolution, 1e-5, 3e-3}, {OpClass::accumulation, 3e-3, 3e-3},
    {OpClass::activation, 3e-3, 3e-3},  {OpClass::composite, 3e-3, 3e-3},
    {OpClass::atomic, 3e-3, 3e-3},
};
constexpr double for_double = 1e-12;

constexpr double dynamic_rate = 10;
constexpr double largest_dynamic = 0.3;
constexpr double diff4_on = 0.75;

/// What a dynamic threshold never falls below: about twice the unit roundoff, where two correct
/// results that were rounded differently already differ.
double floor_of(mluOpDataType_t dtype) {
  switch (dtype) {
    case MLUOP_DTYPE_HALF:
      return 9.8e-4;
    case MLUOP_DTYPE_BFLOAT16:
      return 7.8e-3;
    case MLUOP_DTYPE_FLOAT:
      return 1.2e-7;
    default:
      return 2.3e-16;
  }
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

/// dynamic_criteria of a baseline that is rounded already.
std::vector<Criterion> dynamic_for(std::span<const double> rounded, std::span<const double> plain,
                                   mluOpDataType_t dtype) {
  std::vector<Criterion> criteria;
  for (const Measure which : {Measure::diff1, Measure::diff2}) {
    const double error = measure(which, rounded, plain, dtype);
    const double threshold = std::max(dynamic_rate * error, floor_of(dtype));
    if (!(threshold <= largest_dynamic)) {
      throw std::domain_error("the plain implementation has " + std::string{name_of(which)} +
                              " = " + std::to_string(error) + ", too much to derive a threshold");
    }
    criteria.push_back({which, threshold});
  }
  criteria.push_back({Measure::diff4, diff4_on});
  return criteria;
}

constexpr Criterion exact{Measure::diff3, 0};

}  // namespace

std::vector<Criterion> static_criteria(double float_threshold, double half_threshold,
                                       mluOpDataType_t dtype) {
  double threshold = 0;
  switch (dtype) {
    case MLUOP_DTYPE_FLOAT:
      threshold = float_threshold;
      break;
    case MLUOP_DTYPE_HALF:
      threshold = half_threshold;
      break;
    case MLUOP_DTYPE_BFLOAT16:
      threshold = half_threshold * unit_roundoff(dtype) / unit_roundoff(MLUOP_DTYPE_HALF);
      break;
    case MLUOP_DTYPE_DOUBLE:
      threshold = for_double;
      break;
    default:
      return {exact};
  }
  return {{Measure::diff1, threshold}, {Measure::diff2, threshold}};
}

std::vector<Criterion> static_criteria(OpClass op_class, mluOpDataType_t dtype) {
  for (const ClassThresholds& row : standard) {
    if (row.op_class == op_class) return static_criteria(row.for_float, row.for_half, dtype);
  }
  return {{Measure::diff3_2, 0}};  // arithmetic and pure IO
}

std::vector<Criterion> dynamic_criteria(std::span<const double> baseline,
                                        std::span<const double> plain, mluOpDataType_t dtype) {
  if (!is_floating(dtype)) return {exact};
  const std::vector<double> rounded = rounded_to(dtype, baseline);
  if (!all_finite(rounded) || !all_finite(plain)) {
    throw std::domain_error("dynamic thresholds need finite data");
  }
  return dynamic_for(rounded, plain, dtype);
}

Verdict judge(std::span<const double> baseline, std::span<const double> plain,
              std::span<const double> measured, mluOpDataType_t dtype,
              std::span<const Criterion> criteria) {
  std::vector<Criterion> all(criteria.begin(), criteria.end());
  if (!is_floating(dtype)) {
    all.push_back(exact);
    return evaluate(baseline, measured, dtype, all);
  }
  const std::vector<double> rounded = rounded_to(dtype, baseline);
  if (all_finite(rounded) && all_finite(plain)) {
    const std::vector<Criterion> dynamic = dynamic_for(rounded, plain, dtype);
    all.insert(all.end(), dynamic.begin(), dynamic.end());
  }
  return evaluate(rounded, measured, dtype, all);
}

}  // namespace mluop::testing
