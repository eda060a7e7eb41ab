// A problem of a sweep, timed: the call, the limit of the machine, and the plain loop.
#pragma once

#include <cstdint>
#include <string>

#include "measure/measurement.hpp"
#include "sweep/problem.hpp"

namespace mluop::cli {

/// What a distribution is made of, and what a stored row holds.
struct SweepRow {
  std::string op, dtype, impl, shape;
  std::uint64_t seed;
  int number, threads;
  double ms, limit_ms, loop_ms;  // best times
  bool memory_bound;

  double efficiency() const { return limit_ms / ms; }
  /// How much faster than the plain loop.
  double gain() const { return loop_ms / ms; }
  /// Below this, calling costs more than computing.
  static constexpr double short_ms = 0.02;
  bool counts() const { return ms >= short_ms; }
};

const char* kind_of(bool memory_bound);  // "memory", "compute"

/// Compares the call with the plain loop, then times both. Throws std::runtime_error with a sentence if
/// the call fails, or if the results differ by more than ten times the thresholds of the suite.
SweepRow time_problem(const SweepProblem& problem, std::uint64_t seed, Limits& limits);

Json json_of(const SweepRow& row);

}  // namespace mluop::cli
