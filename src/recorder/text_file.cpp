// A file descriptor with error checks.
#include "recorder/text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "core/status/status.hpp"

namespace mluop::recorder {

TextFile::TextFile(std::filesystem::path path)
    : path_(std::move(path)),
      descriptor_(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)),
      temporary_(descriptor_ >= 0) {
  if (descriptor_ < 0 && errno != EEXIST) fail("create");
}

TextFile::TextFile(TextFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      temporary_(std::exchange(other.temporary_, false)) {}

TextFile::~TextFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (temporary_) std::remove(path_.c_str());
}

TextFile TextFile::replacing(std::filesystem::path path) {
  std::remove(path.c_str());
  TextFile file{std::move(path)};
  if (!file.created()) file.fail("replace");
  return file;
}

void TextFile::append(std::string_view text) {
  size_ += text.size();
  while (!text.empty()) {
    const ssize_t written = write(descriptor_, text.data(), text.size());
    if (written < 0 && errno != EINTR) fail("write");
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void TextFile::rewind(std::uint64_t size) {
  if (lseek(descriptor_, static_cast<off_t>(size), SEEK_SET) < 0) fail("write");
  size_ = size;
}

void TextFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("write");
}

void TextFile::fail(const char* what) const {
  throw Failure{MLUOP_STATUS_EXECUTION_FAILED, std::string{"cannot "} + what + " '" +
                                                   path_.string() + "': " + std::strerror(errno)};
}

}  // namespace mluop::recorder
