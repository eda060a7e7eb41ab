// schema_check SCHEMA FILE: says what in a JSON file does not fit a schema; exit code 1 if anything.
#include <fstream>
#include <iostream>
#include <sstream>

#include "schema.hpp"

namespace {

std::string text_of(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  return text.str();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::runtime_error("usage: schema_check SCHEMA FILE");
  const mluop::cli::Schema schema(text_of(argv[1]));
  const auto problems = schema.problems(mluop::cli::parse_json(text_of(argv[2])));
  for (const std::string& problem : problems) std::cout << argv[2] << ": " << problem << '\n';
  return problems.empty() ? 0 : 1;
} catch (const std::exception& error) {
  std::cout << "schema_check: " << error.what() << '\n';
  return 2;
}
