// Sizes for the problems of a sweep: each magnitude as likely as the others.
#pragma once

#include <cstdint>

#include "testing/data/generators.hpp"

namespace mluop::testing {

/// In [low, high], log-uniformly.
double log_uniform(Generator& random, double low, double high);
/// The same of whole numbers; `low` is at least 1.
std::int64_t log_integer(Generator& random, std::int64_t low, std::int64_t high);
/// Half of them whatever comes, odd ones too, half of them as networks have them: powers of two and, from
/// 32 on, multiples of 16.
std::int64_t channels(Generator& random, std::int64_t low, std::int64_t high);

/// What a problem of a sweep may take, so that a run of it and of its loop stays below a second or so.
struct SweepBudget {
  double bytes = 256e6;  // of all tensors, as float
  double flops = 6e9;
  /// Problems that are below both last less than 20 µs.
  double least_bytes = 4e5, least_flops = 2e6;

  bool allows(double problem_bytes, double problem_flops) const {
    const bool short_one = problem_bytes < least_bytes && problem_flops < least_flops;
    return !short_one && problem_bytes <= bytes && problem_flops <= flops;
  }
};

}  // namespace mluop::testing
