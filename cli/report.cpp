#include "report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "selection.hpp"

namespace mluop::cli {

Progress::Progress(std::size_t steps) : visible_(isatty(STDERR_FILENO) == 1), steps_(steps) {}

void Progress::step(std::string_view what) {
  ++done_;
  if (visible_) fmt::print(stderr, "\r\x1b[K[{}/{}] {}", done_, steps_, what);
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

JsonFile::JsonFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  file_.open(path_, std::ios::trunc);
  if (!file_) fail();
}

void JsonFile::finish() {
  if (path_.empty()) return;
  file_ << json_array(rows_);
  file_.close();
  if (!file_) fail();
}

void JsonFile::fail() const {
  throw UsageError(fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
}

}  // namespace mluop::cli
