// What the cases of CARAFE promise about their data and their cost.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/carafe/kit/calls.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::carafe {
namespace {

testing::Cost cost_of(const char* op, const char* name, mluOpDataType_t dtype) {
  const testing::Suite& suite = *testing::find_suite(op);
  return std::ranges::find(suite.cases, name, &testing::Case::name)->make(dtype)->cost();
}

TEST(CarafeCases, CostIsWhatTheFormulaNeeds) {
  // [2,3,3,64], k 5, G 4, s 2: along each axis the three windows have 3, 3 and 3 used cells.
  const double used = 2 * 4 * 9 * 9, input = 2 * 9 * 64, output = 4 * input;
  const double mask = 2 * 36 * 4 * 25;
  const testing::Cost forward = cost_of("carafe_forward", "mmcv", MLUOP_DTYPE_HALF);
  EXPECT_EQ(forward.flops, 2 * used * 64);
  EXPECT_EQ(forward.bytes_read, 2 * (input + mask));
  EXPECT_EQ(forward.bytes_written, 2 * output);
  const testing::Cost backward = cost_of("carafe_backward", "mmcv", MLUOP_DTYPE_FLOAT);
  EXPECT_EQ(backward.flops, 4 * used * 64);
  EXPECT_EQ(backward.bytes_read, 4 * (input + mask + output));
  EXPECT_EQ(backward.bytes_written, 4 * (input + mask));
}

TEST(CarafeCases, UsedCellsAreCountedAsTheyAreVisited) {
  for (const reference::Shape& shape :
       {reference::Shape{2, 3, 4, 1, 5, 1, 2}, {1, 1, 1, 1, 9, 1, 3}, {1, 6, 2, 1, 3, 1, 1}}) {
    std::int64_t visited = 0;
    reference::for_each_cell(shape, [&](std::int64_t, std::int64_t, std::int64_t) { ++visited; });
    EXPECT_EQ(reference::used_cells(shape), visited) << cases::text_of(shape);
  }
}

TEST(CarafeCases, SpecialValuesOccurAndLeaveOthers) {
  for (const cases::Definition& definition : cases::definitions()) {
    if (definition.specials.empty()) continue;
    SCOPED_TRACE(definition.name);
    const auto special = [](double value) { return !std::isfinite(value); };
    const std::vector<double> output = ForwardData(definition, MLUOP_DTYPE_FLOAT).reference()[0];
    EXPECT_TRUE(std::ranges::any_of(output, special));
    EXPECT_FALSE(std::ranges::all_of(output, special));
  }
}

TEST(CarafeCases, TheNetworkCasesAreThere) {
  for (const char* name : {"fpn_p3", "fpn_p4", "map512", "grouped"}) {
    const auto found = std::ranges::find(cases::definitions(), name, &cases::Definition::name);
    ASSERT_NE(found, cases::definitions().end()) << name;
    EXPECT_EQ(found->kind, testing::Case::Kind::network);
  }
  EXPECT_EQ(cases::text_of({2, 100, 152, 256, 5, 1, 2}), "[2,100,152,256] k 5, G 1, s 2");
}

}  // namespace
}  // namespace mluop::carafe
