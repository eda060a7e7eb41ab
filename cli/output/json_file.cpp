#include "output/json_file.hpp"

#include <nlohmann/json.hpp>

namespace mluop::cli {

std::string json_text(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

JsonFile::JsonFile(const std::string& path)
    : file_(path), rows_(std::make_unique<Json>(Json::array())) {}
JsonFile::~JsonFile() = default;

void JsonFile::add(const Json& row) { rows_->push_back(row); }
void JsonFile::finish() { file_.write(json_text(*rows_)); }

}  // namespace mluop::cli
