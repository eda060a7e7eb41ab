// Output of a run: progress on stderr, tables on stdout.
#pragma once

#include <string>
#include <vector>

#include "output/progress.hpp"
#include "output/table.hpp"

namespace mluop::cli {

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
