#include "output/text_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "selection.hpp"

namespace mluop::cli {

namespace fs = std::filesystem;

TextFile::TextFile(fs::path path) : path_(std::move(path)) {
  if (path_ == "-") open_standard_output();
  if (path_.empty() || standard_output_ >= 0) return;
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

void TextFile::open_standard_output() {
  std::fflush(stdout);
  standard_output_ = dup(STDOUT_FILENO);
  if (standard_output_ < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) fail();
}

/// Through a stream of its own, which writes all of it or reports an error.
void TextFile::write_standard_output(std::string_view text) const {
  std::FILE* const stream = fdopen(standard_output_, "w");
  const bool written =
      stream != nullptr && std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (!written || std::fclose(stream) != 0) fail();
}

void TextFile::write(std::string_view text) {
  if (path_.empty()) return;
  if (standard_output_ >= 0) return write_standard_output(text);
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
