// JSON as mluop writes it: indented, members in the order in which they were added.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "output/text_file.hpp"

namespace mluop::cli {

using Json = nlohmann::ordered_json;

/// The text of a file. NaN and infinity become null, bytes that are not UTF-8 (of a path, say) the
/// replacement character.
std::string json_text(const Json& value);

/// A file that holds an array of rows; paths as of a TextFile.
class JsonFile {
 public:
  /// Throws UsageError if the file cannot be written.
  explicit JsonFile(const std::string& path);
  ~JsonFile();
  void add(const Json& row);
  /// Writes the rows; throws as the constructor does.
  void finish();

 private:
  TextFile file_;
  std::unique_ptr<Json> rows_;  // behind a pointer: the complete type takes a second to compile
};

}  // namespace mluop::cli
