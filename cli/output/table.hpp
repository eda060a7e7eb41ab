// Aligned plain-text tables.
#pragma once

#include <string>
#include <vector>

namespace mluop::cli {

enum class Align { left, right };

class Table {
 public:
  struct Column {
    std::string title;
    Align align = Align::right;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell per column; missing cells at the end are empty.
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  /// Every line indented by two spaces; a column without any content is left out.
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace mluop::cli
