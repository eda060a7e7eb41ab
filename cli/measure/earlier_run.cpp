#include "measure/earlier_run.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace mluop::cli {

namespace {

/// Parses the whole text. The error message is the library's without its prefix: "line 2, column 1: …".
Json parsed(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    constexpr std::string_view begin = "parse error at ";
    const std::string_view sentence = error.what();
    const std::size_t found = sentence.find(begin);
    throw BadRows(
        std::string(found == sentence.npos ? sentence : sentence.substr(found + begin.size())));
  } catch (const Json::exception& error) {  // a number out of range
    throw BadRows(error.what());
  }
}

/// One row by its number, from 1.
class Row {
 public:
  Row(const Json& values, std::size_t number) : values_(values), number_(number) {}

  std::string text(const char* key) const {
    const Json* const value = find(key);
    if (value == nullptr || !value->is_string()) fail(key);
    return value->get<std::string>();
  }
  double amount(const char* key) const {
    const Json* const value = find(key);
    if (value == nullptr || !value->is_number()) fail(key);
    const auto amount = value->get<double>();
    if (!(amount > 0 && amount < 1e9)) fail(key);
    return amount;
  }

 private:
  const Json* find(const char* key) const {
    const auto found = values_.find(key);  // end() if this is not an object
    return found != values_.end() ? &*found : nullptr;
  }
  [[noreturn]] void fail(const char* key) const {
    throw BadRows(fmt::format("row {} has no usable \"{}\"; rows are those of mluop bench --json",
                              number_, key));
  }

  const Json& values_;
  std::size_t number_;
};

}  // namespace

EarlierRun::EarlierRun(std::string_view json) {
  const Json document = parsed(json);
  if (!document.is_array()) throw BadRows("an array of rows is expected");
  std::size_t number = 0;
  for (const Json& values : document) {
    const Row row(values, ++number);
    const Key key{row.text("op"),    row.text("case"),
                  row.text("dtype"), static_cast<int>(row.amount("threads")),
                  row.text("isa"),   row.text("impl")};
    ms_best_[key] = row.amount("ms_best");
  }
}

EarlierRun EarlierRun::from_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (file.peek() != std::ifstream::traits_type::eof())
    text << file.rdbuf();  // << fails on an empty file
  if (!file || !text) {
    throw UsageError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  }
  try {
    return EarlierRun(text.view());
  } catch (const BadRows& error) {
    throw UsageError(fmt::format("cannot compare with '{}': {}", path, error.what()));
  }
}

std::optional<double> EarlierRun::ratio(const Measurement& row) const {
  const auto found =
      ms_best_.find({row.op, row.case_name, row.dtype, row.threads, row.isa, row.impl});
  if (found == ms_best_.end()) return std::nullopt;
  return row.ms_best / found->second;
}

}  // namespace mluop::cli
