#include "text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "selection.hpp"

namespace mluop::cli {

TextFile::TextFile(std::filesystem::path path) : path_(std::move(path)) {
  if (path_.empty()) return;
  file_.open(path_, std::ios::trunc);
  if (!file_) fail();
}

void TextFile::write(std::string_view text) {
  if (path_.empty()) return;
  file_ << text;
  file_.close();
  if (!file_) fail();
}

void TextFile::fail() const {
  throw UsageError(fmt::format("cannot write '{}': {}", path_.string(), std::strerror(errno)));
}

}  // namespace mluop::cli
