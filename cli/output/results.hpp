// Output of a run: a progress bar on the terminal, tables on stdout.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output/table.hpp"

namespace mluop::cli {

/// A progress bar on stderr; silent if stderr is not a terminal.
class Progress {
 public:
  explicit Progress(std::size_t steps);
  ~Progress() { clear(); }
  void step(std::string_view what);
  /// Erases the bar; call it before printing anything else.
  void clear() const;

 private:
  bool visible_;
  std::size_t steps_;
  std::size_t done_ = 0;
};

/// One table per operator, printed after its last row.
class OperatorTables {
 public:
  OperatorTables(std::vector<Table::Column> columns, const Progress& progress)
      : empty_(std::move(columns)), table_(empty_), progress_(progress) {}
  OperatorTables(const OperatorTables&) = delete;
  OperatorTables& operator=(const OperatorTables&) = delete;

  /// Rows of one operator must be consecutive.
  void add(const std::string& op, std::vector<std::string> cells);
  void finish();

 private:
  const Table empty_;
  Table table_;
  std::string op_;
  const Progress& progress_;
};

}  // namespace mluop::cli
