#include "help/values.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "runtime/cores.hpp"
#include "selection.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::cli {

namespace {

using testing::Case;
using testing::Suite;

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// Those of the operators that are named; all of them where none of the names is known.
std::vector<const Suite*> suites_among(const std::string& ops) {
  std::vector<const Suite*> named, all;
  const std::vector<std::string> names = split(ops, ',');
  for (const Suite& suite : testing::suites()) {
    all.push_back(&suite);
    if (std::ranges::find(names, suite.op) != names.end()) named.push_back(&suite);
  }
  return named.empty() ? all : named;
}

class Collected {
 public:
  void add(const std::string& word, const std::string& description = "") {
    const auto same = [&](const Candidate& other) { return other.word == word; };
    if (std::ranges::none_of(all_, same)) all_.push_back({word, description});
  }
  std::vector<Candidate> take() { return std::move(all_); }

 private:
  std::vector<Candidate> all_;
};

std::vector<Candidate> operators_for(std::string_view kind) {
  Collected names;
  // Without a list it is the operator of a case file.
  const bool single = kind == "OP";
  if (!single) names.add("all", "Every operator");
  for (const Suite& suite : testing::suites()) {
    if (!single || suite.has_case_files()) names.add(suite.op);
  }
  return names.take();
}

std::vector<Candidate> cases_for(const GivenNames& given) {
  Collected names;
  names.add("all", "Every case");
  names.add("network", "Shapes of real networks");
  names.add("edge", "Small and unusual cases");
  for (const Suite* suite : suites_among(given.ops)) {
    for (const Case& test_case : suite->cases) names.add(test_case.name, test_case.shape);
  }
  return names.take();
}

std::vector<Candidate> dtypes_for(const GivenNames& given) {
  Collected names;
  names.add("all", "Every dtype of the operator");
  for (const Suite* suite : suites_among(given.argument.empty() ? given.ops : given.argument)) {
    for (const mluOpDataType_t dtype : suite->dtypes) names.add(name_of(dtype));
  }
  return names.take();
}

std::vector<Candidate> designs_for(const GivenNames& given) {
  Collected names;
  names.add("all", "Every design that accepts the case");
  const testing::Handle handle;
  for (const Suite* suite : suites_among(given.ops)) {
    for (const auto& design : handle.available_implementations(suite->op)) names.add(design.name);
  }
  return names.take();
}

std::vector<Candidate> levels() {
  Collected names;
  names.add("all", "Every instruction set of this machine");
  for (const std::string& level : testing::Handle().levels()) names.add(level);
  return names.take();
}

std::vector<Candidate> thread_counts() {
  Collected names;
  for (const int count : {1, 2, available_cores()}) names.add(std::to_string(count));
  return names.take();
}

std::vector<Candidate> sizes_for(const GivenNames& given) {
  Collected names;
  if (const Suite* const suite = testing::find_suite(given.argument)) {
    for (const testing::SizeKey& key : suite->sized.keys) {
      names.add(std::string(key.name) + "=", key.meaning);
    }
  }
  return names.take();
}

/// Words in small letters are the values themselves.
std::vector<Candidate> choices_in(std::string_view kind) {
  Collected names;
  const bool words =
      std::ranges::none_of(kind, [](unsigned char c) { return std::isupper(c) != 0; });
  for (const std::string& word : split(kind, '|')) {
    if (words) names.add(word);
  }
  return names.take();
}

}  // namespace

Values values_of(std::string_view kind, const GivenNames& given) {
  if (kind == "OP" || kind == "OP,..." || kind == "[OP,...]") {
    return {operators_for(kind), kind != "OP"};
  }
  if (kind == "CASE,...") return {cases_for(given), true};
  if (kind == "DTYPE,...") return {dtypes_for(given), true};
  if (kind == "DESIGN,...") return {designs_for(given), true};
  if (kind == "ISA,...") return {levels(), true};
  if (kind == "N,...") return {thread_counts(), true};
  if (kind == "NAME=N,...") return {sizes_for(given), true};
  return {choices_in(kind), false};
}

std::string_view files_of(std::string_view kind) {
  if (kind == "FILE") return "files";
  if (kind == "DIR") return "folders";
  return kind == "FILE|DIR..." ? "cases" : "";
}

}  // namespace mluop::cli
