// Every bad call of RoI-aware pooling's tables is refused as stated.
#include <gtest/gtest.h>

#include "ops/roiaware_pool3d/kit/spoilable_call.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::roiaware_pool3d::checks {
namespace {

template <class Args>
class RoiAwareBadCallTables : public ::testing::Test {};
using Directions = ::testing::Types<ForwardArgs, BackwardArgs>;
TYPED_TEST_SUITE(RoiAwareBadCallTables, Directions);

TYPED_TEST(RoiAwareBadCallTables, AreRefusedAsStated) {
  const auto outcomes = bad_calls<TypeParam>();
  EXPECT_GT(outcomes.size(), 100u);
  for (const auto& outcome : outcomes) testing::fail_on(outcome);
}

}  // namespace
}  // namespace mluop::roiaware_pool3d::checks
