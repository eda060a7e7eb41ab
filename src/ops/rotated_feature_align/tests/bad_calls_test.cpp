// Every bad call of rotated feature align's tables is refused as stated.
#include <gtest/gtest.h>

#include "ops/rotated_feature_align/kit/bad_calls.hpp"

namespace mluop::rotated_feature_align::checks {
namespace {

class RotatedFeatureAlignBadCallTables : public ::testing::TestWithParam<const Direction*> {};

INSTANTIATE_TEST_SUITE_P(, RotatedFeatureAlignBadCallTables,
                         ::testing::Values(&forward_direction, &backward_direction),
                         [](const auto& test) { return test.param->name(); });

TEST_P(RotatedFeatureAlignBadCallTables, AreRefusedAsStated) {
  const auto outcomes = bad_calls(*GetParam());
  EXPECT_GT(outcomes.size(), 80u);
  for (const auto& outcome : outcomes) testing::fail_on(outcome);
}

}  // namespace
}  // namespace mluop::rotated_feature_align::checks
