#include "testing/loops/sweep_sizes.hpp"

#include <algorithm>
#include <cmath>

namespace mluop::testing {

double log_uniform(Generator& random, double low, double high) {
  return low * std::exp(random.uniform(0, std::log(high / low)));
}

std::int64_t log_integer(Generator& random, std::int64_t low, std::int64_t high) {
  // A whole number stands for the interval up to the next one.
  const double drawn = log_uniform(random, static_cast<double>(low), static_cast<double>(high) + 1);
  return std::clamp(static_cast<std::int64_t>(drawn), low, high);
}

std::int64_t channels(Generator& random, std::int64_t low, std::int64_t high) {
  const std::int64_t drawn = log_integer(random, low, high);
  if (random.chance(0.5)) return drawn;
  std::int64_t usual = 1;
  if (random.chance(0.5) || drawn < 32) {
    while (2 * usual <= drawn) usual *= 2;
  } else {
    usual = drawn / 16 * 16;
  }
  return std::clamp(usual, low, high);
}

}  // namespace mluop::testing
