// Reads regular files only: a FIFO may block, a device may never end.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <stdexcept>

namespace mluop::casefile {

/// The reason why a file cannot be read, without its name: "No such file or directory", "it is a FIFO, not
/// a regular file".
struct CannotRead : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class RegularFile {
 public:
  /// Opens the file, following links; throws CannotRead. Never blocks.
  explicit RegularFile(const std::filesystem::path& path);

  std::size_t size() const { return size_; }
  /// The first bytes of the file; throws CannotRead if there are fewer.
  void read(std::span<std::byte> bytes) const;

 private:
  class Descriptor {
   public:
    explicit Descriptor(const std::filesystem::path& path);
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    operator int() const { return number_; }  // NOLINT(google-explicit-constructor)

   private:
    int number_;
  };

  Descriptor descriptor_;
  std::size_t size_ = 0;
};

}  // namespace mluop::casefile
