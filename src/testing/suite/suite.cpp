// Defaults of a call, and suites by name.
#include "testing/suite/suite.hpp"

namespace mluop::testing {

std::vector<Part> Call::parts() {
  auto reference = this->reference(), plain = this->plain();
  std::vector<Part> whole;
  for (const HostTensor& output : outputs()) {
    const std::size_t i = whole.size();
    whole.push_back({output.name(), i, 0, std::move(reference[i]), std::move(plain[i])});
  }
  return whole;
}

const Suite* find_suite(std::string_view op) {
  for (const Suite& suite : suites()) {
    if (suite.op == op || suite.name_in_files() == op) return &suite;
  }
  return nullptr;
}

}  // namespace mluop::testing
