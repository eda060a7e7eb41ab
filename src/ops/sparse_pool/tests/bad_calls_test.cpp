// Every bad call of the tables is refused as stated.
#include <gtest/gtest.h>

#include "ops/sparse_pool/kit/spoilable_call.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::sparse_pool::checks {
namespace {

class SparsePoolBadCallTables : public ::testing::TestWithParam<const Operation*> {};

INSTANTIATE_TEST_SUITE_P(, SparsePoolBadCallTables,
                         ::testing::ValuesIn(operations().begin(), operations().end()),
                         [](const auto& test) { return std::string{test.param->op}; });

TEST_P(SparsePoolBadCallTables, AreRefusedAsStated) {
  const auto outcomes = bad_calls(*GetParam());
  EXPECT_GT(outcomes.size(), 100u);
  for (const auto& outcome : outcomes) testing::fail_on(outcome);
}

}  // namespace
}  // namespace mluop::sparse_pool::checks
