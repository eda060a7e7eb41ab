#include "output/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mluop::cli {

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    for (const auto& row : rows_) widths[i] = std::max(widths[i], row[i].size());
    if (widths[i] > 0) widths[i] = std::max(widths[i], columns_[i].title.size());
  }
  std::string out;
  const auto line = [&](const auto& cell_of) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (widths[i] == 0) continue;
      out += columns_[i].align == Align::left ? fmt::format("  {:<{}}", cell_of(i), widths[i])
                                              : fmt::format("  {:>{}}", cell_of(i), widths[i]);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  };
  line([&](std::size_t i) { return columns_[i].title; });
  for (const auto& row : rows_) line([&](std::size_t i) { return row[i]; });
  return out;
}

}  // namespace mluop::cli
