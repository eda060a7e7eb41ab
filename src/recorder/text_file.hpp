// A file that is written in pieces; errors are thrown as Failure.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace mluop::recorder {

/// The destructor removes the file unless it is kept. Writes are unbuffered: a forked child that calls exit
/// would flush a stdio buffer a second time.
class TextFile {
 public:
  /// Creates the file unless it exists; `created` says whether it did.
  explicit TextFile(std::filesystem::path path);
  bool created() const noexcept { return temporary_; }
  /// Creates the file, replacing an existing one.
  static TextFile replacing(std::filesystem::path path);
  TextFile(TextFile&& other) noexcept;
  TextFile& operator=(TextFile&&) = delete;
  ~TextFile();

  const std::filesystem::path& path() const noexcept { return path_; }
  void append(std::string_view text);
  std::uint64_t size() const noexcept { return size_; }
  /// Continues writing at an earlier size.
  void rewind(std::uint64_t size);
  void close();
  void keep() noexcept { temporary_ = false; }

 private:
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_;
  int descriptor_;
  std::uint64_t size_ = 0;
  bool temporary_;  // until it is kept
};

}  // namespace mluop::recorder
