// Reads the message of a file, text or binary, and locates errors.
#include "casefile/reader.hpp"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <climits>
#include <memory>
#include <new>
#include <span>
#include <string>

#include "casefile/mlu_op_test.pb.h"
#include "casefile/node.hpp"
#include "casefile/operator_name.hpp"
#include "casefile/regular_file.hpp"
#include "testing/suite/suite.hpp"

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
  try {
    const RegularFile file(path);
    if (file.size() > INT_MAX) throw FileError(path.string() + ": is larger than 2 GiB");
    std::string content(file.size(), '\0');
    file.read(std::as_writable_bytes(std::span(content)));
    return content;
  } catch (const CannotRead& problem) {
    throw FileError(path.string() + ": cannot be read: " + problem.what());
  }
}

/// "" if the text is a message of this kind. Fields that the kind does not have are an error unless they are
/// `skipped`.
std::string parse_text(const std::string& content, bool skipped, google::protobuf::Message& message,
                       TextFormat::ParseInfoTree& tree) {
  FirstError error;
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.WriteLocationsTo(&tree);
  parser.AllowUnknownField(skipped);
  google::protobuf::io::ArrayInputStream stream(content.data(), static_cast<int>(content.size()));
  return parser.Parse(&stream, &message) ? "" : error.text();
}

/// What is wrong with the operator that a text names, although it has fields that no operator of this library
/// has; "" for nothing.
std::string problem_of_its_operator(const std::string& content) {
  mluoptest::OperatorName node;
  TextFormat::ParseInfoTree tree;
  parse_text(content, true, node, tree);
  const std::string problem = node.has_op_name() ? problem_of_operator(node.op_name()) : "";
  return problem.empty() ? ""
                         : sentence(Place(node, &tree).line_of("op_name"), ": op_name: ", problem);
}

void read_text(const std::filesystem::path& path, const std::string& content, mluoptest::Node& node,
               TextFormat::ParseInfoTree& tree) {
  const std::string problem = parse_text(content, false, node, tree);
  if (problem.empty()) return;
  const std::string reason = problem_of_its_operator(content);
  throw FileError(sentence(path.string(), ":", printable(reason.empty() ? problem : reason)));
}

bool is_binary(const std::filesystem::path& path) { return path.extension() == ".pb"; }

/// "path:line: field: message", or without the line.
FileError located(const std::filesystem::path& path, const testing::CaseError& error) {
  const std::string what = printable(error.what());
  if (error.line() == 0) return FileError(sentence(path.string(), ": ", what));
  return FileError(sentence(path.string(), ":", error.line(), ": ", what));
}

}  // namespace

bool is_case_file(const std::filesystem::path& path) {
  return is_binary(path) || path.extension() == ".prototxt";
}

testing::FileCase read_case(const std::filesystem::path& path, const ReadOptions& options) {
  if (!is_case_file(path)) throw FileError(path.string() + ": is neither .prototxt nor .pb");
  // protobuf would also log to stderr.
  google::protobuf::SetLogHandler(nullptr);
  const std::string content = content_of(path);
  mluoptest::Node node;
  TextFormat::ParseInfoTree tree;
  if (is_binary(path)) {
    if (!node.ParsePartialFromString(content)) {
      throw FileError(path.string() + ": is not a binary case file, or is cut short");
    }
  } else {
    read_text(path, content, node, tree);
  }
  const Limits limits{{path.parent_path(), options.allow_outside}, options.memory_limit};
  try {
    return read_node(node, Place(node, is_binary(path) ? nullptr : &tree), limits);
  } catch (const testing::CaseError& error) {
    throw located(path, error);
  }
}

std::unique_ptr<testing::FileCall> read_call(const std::filesystem::path& path,
                                             const ReadOptions& options) try {
  testing::FileCase file = read_case(path, options);
  try {
    const testing::Suite& suite = *testing::find_suite(file.op);
    if (!suite.has_case_files()) {
      throw testing::CaseError("op_name", "'" + file.op +
                                              "' is an extension of this library, "
                                              "which case files do not describe");
    }
    return suite.from_file(std::move(file));
  } catch (const testing::CaseError& error) {
    throw located(path, error);
  }
} catch (const std::bad_alloc&) {
  throw FileError(path.string() + ": there is not enough memory to read it");
}

}  // namespace mluop::casefile
