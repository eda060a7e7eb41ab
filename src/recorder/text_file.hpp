// A file that is written piece by piece; whatever goes wrong is thrown as a Failure.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace mluop::recorder {

class TextFile {
 public:
  /// Creates the file unless it exists already; `created` tells the two apart.
  explicit TextFile(std::filesystem::path path);
  bool created() const noexcept { return file_ != nullptr; }
  /// Creates the file in the place of whatever was there.
  static TextFile replacing(const std::filesystem::path& path);

  const std::filesystem::path& path() const noexcept { return path_; }
  void append(std::string_view text);
  std::uint64_t size() const noexcept { return size_; }
  /// Goes on writing from an earlier size.
  void rewind(std::uint64_t size);
  void flush();
  void close();

 private:
  [[noreturn]] void fail(const char* what) const;

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;
};

}  // namespace mluop::recorder
