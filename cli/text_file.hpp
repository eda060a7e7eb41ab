// A text file that is written at the end of a run: a bad path costs no run, and a run that does not end
// costs no earlier file.
#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace mluop::cli {

class TextFile {
 public:
  /// No path means no file. Throws UsageError if the file cannot be written. What is there stays until
  /// write() has the new text complete.
  explicit TextFile(std::filesystem::path path);
  /// The whole text; throws as the constructor does.
  void write(std::string_view text);

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::filesystem::path
      part_;  // where the text grows; none for devices and pipes, written in place
  std::ofstream file_;
};

}  // namespace mluop::cli
