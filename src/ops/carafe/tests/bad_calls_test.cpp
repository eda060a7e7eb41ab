// Every bad call of CARAFE's tables is refused as stated.
#include <gtest/gtest.h>

#include "ops/carafe/kit/bad_calls.hpp"

namespace mluop::carafe::checks {
namespace {

class CarafeBadCallTables : public ::testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(, CarafeBadCallTables, ::testing::Bool(), direction_name);

TEST_P(CarafeBadCallTables, AreRefusedAsStated) {
  const auto outcomes = bad_calls(GetParam());
  EXPECT_GT(outcomes.size(), 100u);
  for (const auto& outcome : outcomes) testing::fail_on(outcome);
}

}  // namespace
}  // namespace mluop::carafe::checks
