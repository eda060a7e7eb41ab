// The tables of a sweep.
#include <fmt/format.h>

#include "output/table.hpp"
#include "sweep/distribution.hpp"

namespace mluop::cli {

namespace {

std::string cell(const std::vector<double>& sorted, double q, int digits = 2) {
  return fmt::format("{:.{}f}", quantile(sorted, q), digits);
}

Table distribution_table(std::span<const SweepRow> rows) {
  Table table({{"bound", Align::left},
               {"dtype", Align::left},
               {"problems"},
               {"eff p10"},
               {"p25"},
               {"p50"},
               {"p75"},
               {"slower"},
               {"gain min"},
               {"p25"},
               {"p50"},
               {"p75"}});
  for (const Distribution& one : distributions(rows)) {
    table.add({kind_of(one.memory_bound), one.dtype, std::to_string(one.count),
               cell(one.efficiency, 0.1, 3), cell(one.efficiency, 0.25, 3),
               cell(one.efficiency, 0.5, 3), cell(one.efficiency, 0.75, 3),
               fmt::format("{:.0f} %", 100.0 * static_cast<double>(one.slower) /
                                           static_cast<double>(one.count)),
               cell(one.gain, 0), cell(one.gain, 0.25), cell(one.gain, 0.5), cell(one.gain, 0.75)});
  }
  return table;
}

void add_row(Table& table, const SweepRow& row) {
  table.add({kind_of(row.memory_bound), std::to_string(row.number), row.dtype,
             std::to_string(row.threads), row.impl, fmt::format("{:.4f}", row.ms),
             fmt::format("{:.4f}", row.limit_ms), fmt::format("{:.3f}", row.efficiency()),
             fmt::format("{:.2f}", row.gain()), row.shape});
}

Table row_table() {
  return Table({{"bound", Align::left},
                {"number"},
                {"dtype", Align::left},
                {"threads"},
                {"impl", Align::left},
                {"best ms"},
                {"limit ms"},
                {"efficiency"},
                {"gain"},
                {"shape", Align::left}});
}

}  // namespace

std::string sweep_text(const std::string& op, std::span<const SweepRow> rows) {
  std::string text = op + '\n' + distribution_table(rows).text();
  Table least = row_table();
  for (const bool memory_bound : {false, true}) {
    for (const SweepRow* row : worst(rows, memory_bound)) add_row(least, *row);
  }
  if (!least.empty()) text += "\n  the least efficient\n" + least.text();
  Table slow = row_table();
  for (const SweepRow* row : slowest(rows)) add_row(slow, *row);
  if (!slow.empty()) text += "\n  slower than the plain loop\n" + slow.text();
  return text + "\n  bars " + verdict_of(rows).text() + '\n';
}

std::string problems_text(std::span<const SweepRow> rows) {
  Table table = row_table();
  for (const SweepRow& row : rows) add_row(table, row);
  return table.text();
}

}  // namespace mluop::cli
