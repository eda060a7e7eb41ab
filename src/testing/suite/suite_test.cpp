// Every operator of the library has a suite, and every suite has what its users rely on.
#include "testing/suite/suite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/design/design.hpp"

namespace mluop::testing {
namespace {

TEST(Suites, CoverTheOperatorsInTheOrderOfTheHeader) {
  std::vector<std::string> named, expected;
  for (const Suite& suite : suites()) named.push_back(suite.op);
  for (const OperatorInfo* op : operators()) expected.emplace_back(op->name);
  EXPECT_EQ(named, expected);
}

TEST(Suites, AreFoundByName) {
  for (const Suite& suite : suites()) EXPECT_EQ(find_suite(suite.op), &suite);
  EXPECT_EQ(find_suite("no_such_operator"), nullptr);
  EXPECT_EQ(find_suite(""), nullptr);
}

TEST(Suites, HaveNamedCasesOfBothKindsAndCriteriaForEveryDtype) {
  for (const Suite& suite : suites()) {
    SCOPED_TRACE(suite.op);
    std::set<std::string> names;
    bool network = false, edge = false;
    for (const Case& one : suite.cases) {
      EXPECT_FALSE(one.name.empty());
      EXPECT_TRUE(names.insert(one.name).second) << one.name << " occurs twice";
      EXPECT_TRUE(one.make) << one.name;
      network = network || one.kind == Case::Kind::network;
      edge = edge || one.kind == Case::Kind::edge;
      for (const mluOpDataType_t dtype : suite.dtypes_of(one)) {
        EXPECT_TRUE(std::ranges::count(suite.dtypes, dtype) == 1) << one.name;
      }
    }
    EXPECT_TRUE(network && edge);
    EXPECT_TRUE(suite.bad_calls);
    EXPECT_FALSE(suite.dtypes.empty());
    for (const mluOpDataType_t dtype : suite.dtypes) EXPECT_FALSE(suite.criteria(dtype).empty());
  }
}

}  // namespace
}  // namespace mluop::testing
