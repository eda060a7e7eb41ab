#include "earlier_run.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "json_reader.hpp"

namespace mluop::cli {

namespace {

template <class Get>
auto required(const JsonValue& row, std::size_t number, const char* key, Get get) {
  const JsonValue* member = row.member(key);
  const auto* value = member != nullptr ? get(*member) : nullptr;
  if (value == nullptr) {
    throw JsonError(fmt::format("row {} has no usable \"{}\"; rows are those of mluop bench --json",
                                number, key));
  }
  return *value;
}

}  // namespace

EarlierRun::EarlierRun(std::string_view json) {
  const JsonValue document = parse_json(json);
  if (document.array() == nullptr) throw JsonError("an array of rows is expected");
  std::size_t number = 0;
  for (const JsonValue& row : *document.array()) {
    ++number;
    const auto text = [&](const char* key) {
      return required(row, number, key, [](const JsonValue& value) { return value.string(); });
    };
    const auto amount = [&](const char* key) {
      return required(row, number, key, [](const JsonValue& value) {
        const double* const found = value.number();
        return found != nullptr && *found > 0 && *found < 1e9 ? found : nullptr;
      });
    };
    const Key key{text("op"), text("case"), text("dtype"), static_cast<int>(amount("threads")),
                  text("impl")};
    ms_best_[key] = amount("ms_best");
  }
}

EarlierRun EarlierRun::from_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();  // fails on nothing
  if (!file || !text) {
    throw UsageError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  }
  try {
    return EarlierRun(text.view());
  } catch (const JsonError& error) {
    throw UsageError(fmt::format("cannot compare with '{}': {}", path, error.what()));
  }
}

std::optional<double> EarlierRun::ratio(const Measurement& row) const {
  const auto found = ms_best_.find({row.op, row.case_name, row.dtype, row.threads, row.impl});
  if (found == ms_best_.end()) return std::nullopt;
  return row.ms_best / found->second;
}

}  // namespace mluop::cli
