// Every bad call of the tables of mluOpGetIndicePairs and its query is refused as stated.
#include <gtest/gtest.h>

#include "ops/sparse_conv/kit/pairs/spoilable_call.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::sparse_conv::pairs_checks {
namespace {

TEST(GetIndicePairsBadCallTables, AreRefusedAsStated) {
  const auto outcomes = bad_calls();
  EXPECT_GT(outcomes.size(), 100u);
  for (const auto& outcome : outcomes) testing::fail_on(outcome);
}

}  // namespace
}  // namespace mluop::sparse_conv::pairs_checks
