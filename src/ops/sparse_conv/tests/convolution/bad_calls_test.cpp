// Every bad call of the tables of the convolutions and their queries is refused as stated.
#include <gtest/gtest.h>

#include "ops/sparse_conv/kit/convolution/calls.hpp"

namespace mluop::sparse_conv::checks {
namespace {

class ConvolutionBadCallTables : public ::testing::TestWithParam<Function> {};

INSTANTIATE_TEST_SUITE_P(, ConvolutionBadCallTables, all_functions, name_of_test);

TEST_P(ConvolutionBadCallTables, AreRefusedAsStated) {
  const auto outcomes = bad_calls(GetParam());
  EXPECT_GT(outcomes.size(), 100u);
  for (const auto& outcome : outcomes) testing::fail_on(outcome);
}

}  // namespace
}  // namespace mluop::sparse_conv::checks
