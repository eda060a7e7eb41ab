// Reads the message of a file, as text or binary, and says where it went wrong.
#include "casefile/reader.hpp"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "casefile/mlu_op_test.pb.h"
#include "casefile/node.hpp"
#include "testing/suite.hpp"

namespace mluop::casefile {
namespace {

using google::protobuf::TextFormat;

/// Keeps the first error of a text.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (!text_.empty()) return;
    if (line >= 0) text_ = sentence(line + 1, ":", column + 1, ": ");
    text_ += message;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string content_of(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) throw FileError(path.string() + ": is a directory");
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) {
    throw FileError(path.string() + ": cannot be read: " + std::strerror(errno));
  }
  if (content.size() > INT_MAX) throw FileError(path.string() + ": is larger than 2 GiB");
  return content;
}

void parse_text(const std::filesystem::path& path, const std::string& content,
                mluoptest::Node& node, TextFormat::ParseInfoTree& tree) {
  FirstError error;
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.WriteLocationsTo(&tree);
  google::protobuf::io::ArrayInputStream stream(content.data(), static_cast<int>(content.size()));
  if (!parser.Parse(&stream, &node)) throw FileError(path.string() + ":" + error.text());
}

bool is_binary(const std::filesystem::path& path) { return path.extension() == ".pb"; }

/// "path:line: field: sentence", or without the line.
FileError located(const std::filesystem::path& path, const testing::CaseError& error) {
  if (error.line() == 0) return FileError(sentence(path.string(), ": ", error.what()));
  return FileError(sentence(path.string(), ":", error.line(), ": ", error.what()));
}

}  // namespace

std::size_t default_memory_limit() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return std::size_t{1} << 30;
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page) / 4 * 3;
}

bool is_case_file(const std::filesystem::path& path) {
  return is_binary(path) || path.extension() == ".prototxt";
}

testing::FileCase read_case(const std::filesystem::path& path, std::size_t memory_limit) {
  if (!is_case_file(path)) throw FileError(path.string() + ": is neither .prototxt nor .pb");
  // It would write to stderr what is reported here.
  google::protobuf::SetLogHandler(nullptr);
  const std::string content = content_of(path);
  mluoptest::Node node;
  TextFormat::ParseInfoTree tree;
  if (is_binary(path)) {
    if (!node.ParsePartialFromString(content)) {
      throw FileError(path.string() + ": is not a binary case file, or is cut short");
    }
  } else {
    parse_text(path, content, node, tree);
  }
  Context context{.directory = path.parent_path(), .memory_limit = memory_limit};
  try {
    return read_node(node, Place(node, is_binary(path) ? nullptr : &tree), context);
  } catch (const testing::CaseError& error) {
    throw located(path, error);
  }
}

std::unique_ptr<testing::FileCall> read_call(const std::filesystem::path& path,
                                             std::size_t memory_limit) {
  testing::FileCase file = read_case(path, memory_limit);
  const testing::Suite* suite = testing::find_suite(file.op);
  if (suite == nullptr) {
    throw FileError(path.string() + ": op_name: no operator is called '" + file.op + "'");
  }
  try {
    return suite->from_file(std::move(file));
  } catch (const testing::CaseError& error) {
    throw located(path, error);
  }
}

}  // namespace mluop::casefile
