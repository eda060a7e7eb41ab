#include "output/results.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace mluop::cli {

Progress::Progress(std::size_t steps) : visible_(isatty(STDERR_FILENO) == 1), steps_(steps) {}

void Progress::step(std::string_view what) {
  ++done_;
  if (!visible_) return;
  constexpr std::size_t width = 24;
  const std::size_t full = width * done_ / std::max<std::size_t>(1, steps_);
  fmt::print(stderr, "\r\x1b[K[{:=<{}}{: <{}}] {}/{} {}", "", full, "", width - full, done_, steps_,
             what.substr(0, 40));  // fits on one line of a narrow terminal
}

void Progress::clear() const {
  if (visible_) fmt::print(stderr, "\r\x1b[K");
}

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
