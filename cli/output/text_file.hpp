// A text file that is written at the end of a run. The path is tried first, so that a wrong one is
// reported before the run; an earlier file is replaced only when the new text is complete.
#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace mluop::cli {

class TextFile {
 public:
  /// No path means no file; "-" is standard output, and what the program prints there from now on goes to
  /// stderr instead, so that standard output has this text alone. Throws UsageError if the file cannot be written. An existing file stays as it
  /// is until write() has written the whole text.
  explicit TextFile(std::filesystem::path path);
  /// The whole text; throws as the constructor does.
  void write(std::string_view text);

 private:
  void open_standard_output();
  void write_standard_output(std::string_view text) const;
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::filesystem::path part_;  // temporary file, renamed at the end; empty for devices and pipes
  std::ofstream file_;
  int standard_output_ = -1;  // a copy of the descriptor, if the path is "-"
};

}  // namespace mluop::cli
