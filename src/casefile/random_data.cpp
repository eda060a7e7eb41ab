// libstdc++'s engine and distributions, written so that exchanged bounds are well defined.
#include "casefile/random_data.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "testing/compare/rounding.hpp"

namespace mluop::casefile {
namespace {

std::default_random_engine engine_of(std::int32_t seed) {
  return std::default_random_engine(static_cast<std::default_random_engine::result_type>(seed));
}

/// As std::uniform_real_distribution(lower, upper), which requires lower <= upper.
template <class Real>
void draw_uniform(const RandomData& data, std::vector<double>& values) {
  const Real lower = static_cast<Real>(data.first), bound = static_cast<Real>(data.second);
  // The upper bound is exclusive.
  const Real upper = std::nextafter(bound, -std::numeric_limits<Real>::infinity());
  std::default_random_engine engine = engine_of(data.seed);
  std::uniform_real_distribution<Real> unit(0, 1);
  for (double& value : values) {
    value = lower == bound ? lower : unit(engine) * (upper - lower) + lower;
  }
}

template <class Real>
void draw_gaussian(const RandomData& data, std::vector<double>& values) {
  const Real mean = static_cast<Real>(data.first), deviation = static_cast<Real>(data.second);
  std::default_random_engine engine = engine_of(data.seed);
  std::normal_distribution<Real> unit;
  for (double& value : values) value = unit(engine) * deviation + mean;
}

template <class Real>
void draw(const RandomData& data, std::vector<double>& values) {
  if (data.distribution == RandomData::Distribution::uniform) {
    draw_uniform<Real>(data, values);
  } else {
    draw_gaussian<Real>(data, values);
  }
}

}  // namespace

std::vector<double> random_values(const RandomData& data, mluOpDataType_t dtype,
                                  std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  if (dtype == MLUOP_DTYPE_DOUBLE) {
    draw<double>(data, values);
  } else {
    draw<float>(data, values);
  }
  if (testing::is_floating(dtype)) return values;
  const bool down = dtype == MLUOP_DTYPE_INT32 || dtype == MLUOP_DTYPE_INT64;
  for (double& value : values) value = down ? std::floor(value) : std::trunc(value);
  return values;
}

}  // namespace mluop::casefile
