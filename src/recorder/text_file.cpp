// A TextFile is a std::FILE whose errors are looked at.
#include "recorder/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/status.hpp"

namespace mluop::recorder {

TextFile::TextFile(std::filesystem::path path)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wbx")) {
  if (file_ == nullptr && errno != EEXIST) fail("create");
}

TextFile TextFile::replacing(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  TextFile file{path};
  if (!file.created()) file.fail("replace");
  return file;
}

void TextFile::append(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail("write");
  size_ += text.size();
}

void TextFile::rewind(std::uint64_t size) {
  if (fseeko(file_.get(), static_cast<off_t>(size), SEEK_SET) != 0) fail("write");
  size_ = size;
}

void TextFile::flush() {
  if (std::fflush(file_.get()) != 0) fail("write");
}

void TextFile::close() {
  if (std::fclose(file_.release()) != 0) fail("write");
}

void TextFile::fail(const char* what) const {
  throw Failure{MLUOP_STATUS_EXECUTION_FAILED, std::string{"cannot "} + what + " '" +
                                                   path_.string() + "': " + std::strerror(errno)};
}

}  // namespace mluop::recorder
