// Opens without blocking and checks the type of the opened file.
#include "casefile/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace mluop::casefile {
namespace {

[[noreturn]] void fail() { throw CannotRead(std::strerror(errno)); }

const char* kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFDIR:
      return "a directory";
    case S_IFIFO:
      return "a FIFO";
    case S_IFSOCK:
      return "a socket";
    case S_IFCHR:
    case S_IFBLK:
      return "a device";
    default:
      return "something else";
  }
}

void expect_regular(mode_t mode) {
  if (S_ISREG(mode)) return;
  throw CannotRead(std::string{"it is "} + kind_of(mode) + ", not a regular file");
}

}  // namespace

RegularFile::Descriptor::Descriptor(const std::filesystem::path& path) {
  struct stat status {};
  // Checked before opening: opening a device may have side effects, and a socket cannot be opened.
  if (stat(path.c_str(), &status) != 0) fail();
  expect_regular(status.st_mode);
  // O_NONBLOCK in case a FIFO has replaced it since.
  number_ = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (number_ < 0) fail();
}

RegularFile::Descriptor::~Descriptor() { close(number_); }

RegularFile::RegularFile(const std::filesystem::path& path) : descriptor_(path) {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail();
  expect_regular(status.st_mode);
  size_ = static_cast<std::size_t>(status.st_size);
}

void RegularFile::read(std::span<std::byte> bytes) const {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t more =
        pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) fail();
    if (more == 0) throw CannotRead("it became shorter while it was read");
    done += static_cast<std::size_t>(more);
  }
}

}  // namespace mluop::casefile
