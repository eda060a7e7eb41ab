#include "output/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "selection.hpp"

namespace mluop::cli {

namespace fs = std::filesystem;

TextFile::TextFile(fs::path path) : path_(std::move(path)) {
  if (path_.empty()) return;
  std::error_code unknown;  // ignored: opening the file reports it
  const fs::file_type type = fs::status(path_, unknown).type();
  if (type != fs::file_type::regular && type != fs::file_type::not_found) {
    file_.open(path_);
    if (!file_) fail();
    return;
  }
  if (type == fs::file_type::regular) {
    if (!std::ofstream(path_, std::ios::app)) fail();
    path_ = fs::canonical(path_);  // keep a symbolic link, replace its target
  }
  part_ = path_;
  part_ += ".part";
  file_.open(part_);
  if (!file_) fail();
  file_.close();
  fs::remove(part_, unknown);
}

void TextFile::write(std::string_view text) {
  if (path_.empty()) return;
  if (!part_.empty()) file_.open(part_);
  file_ << text;
  file_.close();
  if (!file_) fail();
  if (!part_.empty() && std::rename(part_.c_str(), path_.c_str()) != 0) fail();
}

void TextFile::fail() const {
  const int reason = errno;
  std::error_code ignored;
  if (!part_.empty()) fs::remove(part_, ignored);
  throw UsageError(fmt::format("cannot write '{}': {}", path_.string(), std::strerror(reason)));
}

}  // namespace mluop::cli
