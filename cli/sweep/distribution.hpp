// What the rows of a sweep say: quartiles by kind, the worst problems, and whether the bars are met.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sweep/row.hpp"

namespace mluop::cli {

/// The value below which the share `q` of the sorted values lies, interpolated between neighbours; of no
/// values NaN.
double quantile(std::span<const double> sorted, double q);

/// Rows of one operator whose limit is of one kind, in one dtype or in all.
struct Distribution {
  std::string dtype;  // or "all"
  bool memory_bound;
  std::size_t count = 0, slower = 0;     // slower than the plain loop
  std::vector<double> efficiency, gain;  // sorted

  /// The tenth percentile of efficiency is at least half of the median.
  bool even() const { return quantile(efficiency, 0.1) >= 0.5 * quantile(efficiency, 0.5); }
};

/// Of rows that count, without empty ones: by kind, the dtypes in the order in which they appear, then all if
/// there is more than one.
std::vector<Distribution> distributions(std::span<const SweepRow> rows);

/// The rows of each operator, which follow each other.
std::vector<std::span<const SweepRow>> by_operator(std::span<const SweepRow> rows);

/// The ten rows of each kind that are least efficient, those that count.
std::vector<const SweepRow*> worst(std::span<const SweepRow> rows, bool memory_bound,
                                   std::size_t count = 10);

/// Those that are slower than the plain loop, the slowest first, at most ten.
std::vector<const SweepRow*> slowest(std::span<const SweepRow> rows, std::size_t count = 10);

/// The bars of an operator: no row slower than the plain loop, and even distributions of both kinds.
struct SweepVerdict {
  std::size_t count = 0, slower = 0, brief = 0;  // rows that count; those below 20 µs
  std::vector<Distribution> kinds;               // of all dtypes

  bool met() const;
  std::string text() const;
};
SweepVerdict verdict_of(std::span<const SweepRow> rows);

/// The tables of one operator: distributions, the worst, whether the bars are met.
std::string sweep_text(const std::string& op, std::span<const SweepRow> rows);
/// A line for each problem.
std::string problems_text(std::span<const SweepRow> rows);

}  // namespace mluop::cli
