// A text file that is opened at once, so that a bad path costs no run, and written at the end.
#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace mluop::cli {

class TextFile {
 public:
  /// No path means no file. Throws UsageError if the file cannot be written.
  explicit TextFile(std::filesystem::path path);
  /// The whole text; throws as the constructor does.
  void write(std::string_view text);

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::ofstream file_;
};

}  // namespace mluop::cli
