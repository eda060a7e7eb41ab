#include "sweep/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mluop::cli {

namespace {

Distribution distribution_of(std::span<const SweepRow> rows, const std::string& dtype,
                             bool memory_bound) {
  Distribution result{.dtype = dtype, .memory_bound = memory_bound, .efficiency = {}, .gain = {}};
  for (const SweepRow& row : rows) {
    const bool belongs = row.memory_bound == memory_bound && (dtype == "all" || row.dtype == dtype);
    if (!belongs || !row.counts()) continue;
    ++result.count;
    if (row.gain() < 1) ++result.slower;
    result.efficiency.push_back(row.efficiency());
    result.gain.push_back(row.gain());
  }
  std::ranges::sort(result.efficiency);
  std::ranges::sort(result.gain);
  return result;
}

}  // namespace

double quantile(std::span<const double> sorted, double q) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

std::vector<Distribution> distributions(std::span<const SweepRow> rows) {
  std::vector<std::string> dtypes;
  for (const SweepRow& row : rows) {
    if (std::ranges::find(dtypes, row.dtype) == dtypes.end()) dtypes.push_back(row.dtype);
  }
  if (dtypes.size() > 1) dtypes.push_back("all");
  std::vector<Distribution> result;
  for (const bool memory_bound : {false, true}) {
    for (const std::string& dtype : dtypes) {
      Distribution one = distribution_of(rows, dtype, memory_bound);
      if (one.count > 0) result.push_back(std::move(one));
    }
  }
  return result;
}

std::vector<std::span<const SweepRow>> by_operator(std::span<const SweepRow> rows) {
  std::vector<std::span<const SweepRow>> operators;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && rows[end].op == rows[begin].op) ++end;
    operators.push_back(rows.subspan(begin, end - begin));
  }
  return operators;
}

std::vector<const SweepRow*> worst(std::span<const SweepRow> rows, bool memory_bound,
                                   std::size_t count) {
  std::vector<const SweepRow*> sorted;
  for (const SweepRow& row : rows) {
    if (row.counts() && row.memory_bound == memory_bound) sorted.push_back(&row);
  }
  std::ranges::stable_sort(sorted, {}, [](const SweepRow* row) { return row->efficiency(); });
  sorted.resize(std::min(sorted.size(), count));
  return sorted;
}

std::vector<const SweepRow*> slowest(std::span<const SweepRow> rows, std::size_t count) {
  std::vector<const SweepRow*> sorted;
  for (const SweepRow& row : rows) {
    if (row.counts() && row.gain() < 1) sorted.push_back(&row);
  }
  std::ranges::stable_sort(sorted, {}, [](const SweepRow* row) { return row->gain(); });
  sorted.resize(std::min(sorted.size(), count));
  return sorted;
}

bool SweepVerdict::met() const {
  return count > 0 && slower == 0 && std::ranges::all_of(kinds, &Distribution::even);
}

std::string SweepVerdict::text() const {
  std::string text = fmt::format("{}: {} of {} problems slower than the plain loop",
                                 met() ? "met" : "not met", slower, count);
  for (const Distribution& kind : kinds) {
    text +=
        fmt::format("; {}-bound: tenth percentile {:.2f} of the median", kind_of(kind.memory_bound),
                    quantile(kind.efficiency, 0.1) / quantile(kind.efficiency, 0.5));
  }
  if (brief > 0) text += fmt::format("; {} shorter than 20 µs do not count", brief);
  return text;
}

SweepVerdict verdict_of(std::span<const SweepRow> rows) {
  SweepVerdict verdict;
  for (const bool memory_bound : {false, true}) {
    Distribution kind = distribution_of(rows, "all", memory_bound);
    verdict.count += kind.count;
    verdict.slower += kind.slower;
    if (kind.count > 0) verdict.kinds.push_back(std::move(kind));
  }
  verdict.brief = rows.size() - verdict.count;
  return verdict;
}

}  // namespace mluop::cli
