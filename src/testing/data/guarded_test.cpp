// Every operator between inaccessible pages, on random sizes. MLUOP_TEST_GUARDED is the number of calls.
#include "testing/data/guarded.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "testing/faults/sanitized.hpp"

namespace mluop::testing {
namespace {

struct Row {
  const Suite* suite;
  mluOpDataType_t dtype;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> collected;
    for (const Suite& suite : suites()) {
      for (const mluOpDataType_t dtype : suite.dtypes) collected.push_back({&suite, dtype});
    }
    return collected;
  }();
  return all;
}

/// Of one row.
long calls_wanted() {
  const char* const text = std::getenv("MLUOP_TEST_GUARDED");
  const long all = text != nullptr ? std::atol(text) : sanitized ? 1200 : 12000;
  return all / static_cast<long>(rows().size()) + 1;
}

class Guarded : public ::testing::TestWithParam<Row> {};

TEST_P(Guarded, CallsStayInsideTheirMemory) {
  GuardedCases cases(*GetParam().suite, GetParam().dtype);
  SCOPED_TRACE(cases.describe());
  for (long calls = 0; calls < calls_wanted() && cases.problems().empty();) {
    calls += cases.run_one();
  }
  for (const std::string& problem : cases.problems()) ADD_FAILURE() << problem;
}

std::string name_of_test(const ::testing::TestParamInfo<Row>& info) {
  return info.param.suite->op + '_' + mluop::name_of(info.param.dtype);
}
INSTANTIATE_TEST_SUITE_P(, Guarded, ::testing::ValuesIn(rows()), name_of_test);

}  // namespace
}  // namespace mluop::testing
