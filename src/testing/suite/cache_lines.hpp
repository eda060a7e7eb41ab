// What a sparse access moves: memory comes in cache lines, so a short row moves the whole of its line.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mluop::testing {

/// Bytes of the cache lines, each counted once, that hold the first used[i] bytes of row i; rows of `row_bytes`
/// follow each other from the beginning of a line.
double bytes_in_lines(std::span<const std::int64_t> used, std::int64_t row_bytes);

/// The same of rows that are used as a whole or not at all.
class UsedRows {
 public:
  explicit UsedRows(std::int64_t rows) : used_(static_cast<std::size_t>(rows)) {}
  void use(std::int64_t row) { used_[static_cast<std::size_t>(row)] = true; }
  double bytes_in_lines(std::int64_t row_bytes) const;

 private:
  std::vector<bool> used_;
};

}  // namespace mluop::testing
