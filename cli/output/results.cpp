#include "output/results.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace mluop::cli {

void OperatorTables::add(const std::string& op, std::vector<std::string> cells) {
  if (op != op_) finish();
  op_ = op;
  table_.add(std::move(cells));
}

void OperatorTables::finish() {
  if (table_.empty()) return;
  progress_.clear();
  fmt::print("{}\n{}\n", op_, table_.text());
  std::fflush(stdout);
  table_ = empty_;
}

}  // namespace mluop::cli
