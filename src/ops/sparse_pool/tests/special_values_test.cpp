// What the contract singles out by value: floors, ties, zeros of both signs, NaN, infinities, repeated pairs.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "ops/sparse_pool/kit/operations.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/everywhere.hpp"

namespace mluop::sparse_pool {
namespace {

using testing::Handle;
using Values = std::vector<double>;

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();
constexpr auto FLOOR = MLUOP_CPU_MAXPOOL_ZERO_FLOOR;
constexpr auto EXACT = MLUOP_CPU_MAXPOOL_EXACT;

/// Input rows as they are pooled into the only output row, one list of values per row: one pair each, in
/// the order of the rows, repeated over 19 channels.
Operands window(const Values& rows, mluOpDataType_t dtype, mluOpCpuMaxPoolMode_t mode,
                const std::vector<std::int32_t>& order) {
  constexpr std::int64_t C = 19;
  const auto L = static_cast<std::int64_t>(order.size());
  std::vector<std::int32_t> pairs(order);
  pairs.resize(2 * order.size(), 0);
  Operands operands(std::make_shared<const PairTable>(L, 1, pairs, std::vector{L}), C, dtype, mode);
  for (std::int64_t i = 0; i < L * C; ++i) {
    operands.features.set(i, rows[static_cast<std::size_t>(i / C) % rows.size()]);
  }
  testing::fill(operands.output_grad, [] { return 3.0; });
  return operands;
}

std::vector<std::int32_t> ascending(std::size_t count) {
  std::vector<std::int32_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::int32_t>(i);
  return order;
}

/// Output and gradients of one window, of any channel: all have the same.
struct Outcome {
  double output;
  Values gradients;
};

/// In every dtype and implementation alike.
void expect_outcome(const char* what, const Values& rows, mluOpCpuMaxPoolMode_t mode,
                    const Outcome& expected, const std::vector<std::int32_t>& order) {
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    for (const std::string& level : Handle().levels()) {
      SCOPED_TRACE(std::string{what} + ", " + level + ", dtype " + std::to_string(dtype));
      Handle handle;
      handle.isa(level).isa(level);
      Operands operands = window(rows, dtype, mode, order);
      const Values output = max_forward.compute(handle, operands).values();
      operands.features_out.assign(output);
      const Values gradients = max_backward.compute(handle, operands).values();
      for (std::size_t c = 0; c < output.size(); ++c) {
        EXPECT_EQ(output[c], expected.output);
        EXPECT_EQ(std::signbit(output[c]), std::signbit(expected.output));
        for (std::size_t r = 0; r < rows.size(); ++r) {
          EXPECT_EQ(gradients[r * output.size() + c], expected.gradients[r]) << "row " << r;
        }
      }
    }
  }
}
void expect_outcome(const char* what, const Values& rows, mluOpCpuMaxPoolMode_t mode,
                    const Outcome& expected) {
  expect_outcome(what, rows, mode, expected, ascending(rows.size()));
}

TEST(SparsePoolSpecialValues, OfTheFloor) {
  expect_outcome("the greatest", {1, 2, -1}, FLOOR, {2, {0, 3, 0}});
  expect_outcome("ties all receive it", {2, 1, 2}, FLOOR, {2, {3, 0, 3}});
  expect_outcome("negative", {-1, -2}, FLOOR, {0, {0, 0}});
  expect_outcome("a zero ties with the floor", {-1, 0, 0}, FLOOR, {0, {0, 3, 3}});
  expect_outcome("so does a negative zero", {-0.0, -1}, FLOOR, {0, {3, 0}});
  expect_outcome("NaN never wins", {nan, 1, nan}, FLOOR, {1, {0, 3, 0}});
  expect_outcome("only NaN", {nan, nan}, FLOOR, {0, {0, 0}});
  expect_outcome("infinity", {inf, 1, inf}, FLOOR, {inf, {3, 0, 3}});
  expect_outcome("minus infinity", {-inf, -inf}, FLOOR, {0, {0, 0}});
}

TEST(SparsePoolSpecialValues, OfTheTrueMaximum) {
  expect_outcome("the greatest", {1, 2, -1}, EXACT, {2, {0, 3, 0}});
  expect_outcome("the first of ties", {1, 2, 2}, EXACT, {2, {0, 3, 0}});
  expect_outcome("negative", {-3, -1, -2}, EXACT, {-1, {0, 3, 0}});
  expect_outcome("zeros", {-1, 0, 0}, EXACT, {0, {0, 3, 0}});
  expect_outcome("the first zero stays", {-0.0, 0.0}, EXACT, {-0.0, {3, 0}});
  expect_outcome("whatever its sign", {0.0, -0.0}, EXACT, {0.0, {3, 0}});
  expect_outcome("NaN never wins", {nan, -1, nan}, EXACT, {-1, {0, 3, 0}});
  expect_outcome("only NaN", {nan, nan}, EXACT, {0, {0, 0}});
  expect_outcome("only minus infinity", {-inf, -inf}, EXACT, {0, {0, 0}});
  expect_outcome("minus infinity and NaN", {-inf, nan}, EXACT, {0, {0, 0}});
  expect_outcome("infinity", {1, inf, inf}, EXACT, {inf, {0, 3, 0}});
  expect_outcome("minus infinity and a number", {-inf, -5}, EXACT, {-5, {0, 3}});
}

TEST(SparsePoolSpecialValues, OrderIsThatOfThePairs) {
  expect_outcome("of ties the first that is listed", {2, 2, 2}, EXACT, {2, {0, 0, 3}}, {2, 0, 1});
}

TEST(SparsePoolSpecialValues, RepeatedPairs) {
  // Row 0 three times, row 1 once, row 2 not at all.
  const std::vector<std::int32_t> order{0, 1, 0, 0};
  expect_outcome("each adds", {2, 2, 1, 1}, FLOOR, {2, {9, 3, 0, 0}}, order);
  expect_outcome("one wins", {2, 2, 1, 1}, EXACT, {2, {3, 0, 0, 0}}, order);
  expect_outcome("another wins", {1, 2, 1, 1}, EXACT, {2, {0, 3, 0, 0}}, order);
  const Operands operands = window({2, 6, 1, 1}, MLUOP_DTYPE_FLOAT, FLOOR, order);
  const Handle handle;
  EXPECT_EQ(avg_forward.compute(handle, operands).values(), Values(19, 3.0));
  const Values gradients = avg_backward.compute(handle, operands).values();
  EXPECT_EQ(gradients[0], 2.25);
  EXPECT_EQ(gradients[19], 0.75);
  EXPECT_EQ(gradients[38], 0.0);
}

/// Half sums in float and rounds once: 2048 + 1 + 1 is 2050, not 2048.
TEST(SparsePoolSpecialValues, HalfSumsAreRoundedOnce) {
  const Operands operands = window({2048, 1, 1, 0}, MLUOP_DTYPE_HALF, FLOOR, ascending(4));
  EXPECT_EQ(avg_forward.compute(Handle(), operands).values(), Values(19, 512.5));
  // The gradient of one row that is in 33 windows: 2048 and 32 ones.
  constexpr std::int64_t windows = 33;
  std::vector<std::int32_t> pairs;
  for (std::int32_t y = 0; y < windows; ++y) pairs.insert(pairs.end(), {0, y});
  const std::vector<std::int64_t> ones(windows, 1);
  Operands one(std::make_shared<const PairTable>(1, windows, pairs, ones), 1, MLUOP_DTYPE_HALF,
               FLOOR);
  one.features.set(0, 1);
  testing::fill(one.features_out, [] { return 1.0; });
  testing::fill(one.output_grad, [] { return 1.0; });
  one.output_grad.set(0, 2048);
  EXPECT_EQ(max_backward.compute(Handle(), one).values(), Values{2080});
  EXPECT_EQ(avg_backward.compute(Handle(), one).values(), Values{2080});
}

/// Every row of the result is written, also without any pair.
TEST(SparsePoolSpecialValues, WithoutPairsResultsAreZero) {
  Operands operands(std::make_shared<const PairTable>(2, 3, std::vector<std::int32_t>(8, -1),
                                                      std::vector<std::int64_t>{0, 0}),
                    7, MLUOP_DTYPE_FLOAT, EXACT);
  for (const auto mode : {FLOOR, EXACT}) {
    operands.mode = mode;
    for (const Operation* operation : operations()) {
      EXPECT_EQ(operation->compute(Handle(), operands).values(),
                Values(operation->backward ? 14 : 21, 0.0));
    }
  }
}

}  // namespace
}  // namespace mluop::sparse_pool
