// Where results go: progress to the terminal, tables to stdout, rows to a JSON file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json.hpp"
#include "table.hpp"
#include "text_file.hpp"

namespace mluop::cli {

/// A bar on stderr that overwrites itself; silent when stderr is no terminal.
class Progress {
 public:
  explicit Progress(std::size_t steps);
  ~Progress() { clear(); }
  void step(std::string_view what);
  /// Before anything else is printed.
  void clear() const;

 private:
  bool visible_;
  std::size_t steps_;
  std::size_t done_ = 0;
};

/// One table per operator, printed when its last row is known.
class OperatorTables {
 public:
  OperatorTables(std::vector<Table::Column> columns, const Progress& progress)
      : empty_(std::move(columns)), table_(empty_), progress_(progress) {}
  OperatorTables(const OperatorTables&) = delete;
  OperatorTables& operator=(const OperatorTables&) = delete;

  /// Rows of one operator come one after the other.
  void add(const std::string& op, std::vector<std::string> cells);
  void finish();

 private:
  const Table empty_;
  Table table_;
  std::string op_;
  const Progress& progress_;
};

/// A file of rows; no path means no file.
class JsonFile {
 public:
  /// Throws UsageError if the file cannot be written.
  explicit JsonFile(const std::string& path) : file_(path) {}
  void add(JsonObject row) { rows_.push_back(std::move(row)); }
  /// Writes the rows; throws as the constructor does.
  void finish() { file_.write(json_array(rows_)); }

 private:
  TextFile file_;
  std::vector<JsonObject> rows_;
};

}  // namespace mluop::cli
