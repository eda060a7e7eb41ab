// A file that is written piece by piece; whatever goes wrong is thrown as a Failure.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace mluop::recorder {

/// Unless it is kept, the file goes with the object. Every piece is written at once: a buffer of stdio
/// would be written a second time by a child that is forked meanwhile and calls exit.
class TextFile {
 public:
  /// Creates the file unless it exists already; `created` tells the two apart.
  explicit TextFile(std::filesystem::path path);
  bool created() const noexcept { return temporary_; }
  /// Creates the file in the place of whatever was there.
  static TextFile replacing(std::filesystem::path path);
  TextFile(TextFile&& other) noexcept;
  TextFile& operator=(TextFile&&) = delete;
  ~TextFile();

  const std::filesystem::path& path() const noexcept { return path_; }
  void append(std::string_view text);
  std::uint64_t size() const noexcept { return size_; }
  /// Goes on writing from an earlier size.
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
