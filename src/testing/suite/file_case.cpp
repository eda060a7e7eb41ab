// Access to the numbers of a case, with a sentence for what is missing.
#include "testing/suite/file_case.hpp"

#include <algorithm>

namespace mluop::testing {
namespace {

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

void expect_count(const char* field, const std::vector<FileTensor>& tensors,
                  std::initializer_list<const char*> names, const std::string& op) {
  if (tensors.size() == names.size()) return;
  std::string list;
  for (const char* name : names) list += (list.empty() ? "" : ", ") + std::string{name};
  throw CaseError(field, op + " takes " + counted(names.size(), "tensor") + " (" + list +
                             "), the file has " + std::to_string(tensors.size()));
}

}  // namespace

void FileParams::fail(const std::string& name, const std::string& sentence) const {
  const auto found = fields_.find(name);
  const int line = found == fields_.end() ? 0 : found->second.line;
  throw CaseError(message_ + "." + name, sentence, line != 0 ? line : line_);
}

const FileParams::Numbers& FileParams::at(const std::string& name) const {
  const auto found = fields_.find(name);
  if (found == fields_.end()) fail(name, "is missing");
  return found->second;
}

std::int64_t FileParams::integer(const std::string& name) const {
  const Numbers& numbers = at(name);
  if (numbers.integers.size() != 1) fail(name, "must be one number");
  return numbers.integers.front();
}

float FileParams::real(const std::string& name) const {
  const Numbers& numbers = at(name);
  if (numbers.reals.size() != 1) fail(name, "must be one number");
  return static_cast<float>(numbers.reals.front());
}

const std::vector<std::int64_t>& FileParams::integers(const std::string& name) const {
  return at(name).integers;
}

std::vector<int> FileParams::numbers(const std::string& name, std::size_t count) const {
  const std::vector<std::int64_t>& all = integers(name);
  if (all.size() != count) {
    fail(name, "needs " + counted(count, "number") + ", has " + std::to_string(all.size()));
  }
  return {all.begin(), all.end()};
}

void FileParams::expect_message(const std::string& wanted, const std::string& op) const {
  if (message_ == wanted) return;
  throw CaseError(wanted,
                  "is missing, " + op + " needs it" +
                      (message_.empty() ? "" : "; the file has " + message_ + " instead"),
                  line_);
}

void FileParams::expect_no_message(const std::string& op) const {
  if (message_.empty()) return;
  throw CaseError(message_, "is not a message of " + op + ", which has no parameters", line_);
}

bool FileCase::without_criteria() const {
  return std::ranges::none_of(
      outputs, [](const FileTensor& one) { return one.compared && !one.criteria.empty(); });
}

void FileCase::expect_tensors(std::initializer_list<const char*> input_names,
                              std::initializer_list<const char*> output_names) const {
  expect_count("input", inputs, input_names, op);
  expect_count("output", outputs, output_names, op);
}

}  // namespace mluop::testing
