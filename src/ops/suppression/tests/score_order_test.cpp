// The order of scores against a stable sort with the rule in words.
#include "ops/suppression/score_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/memory/arena.hpp"
#include "testing/data/generators.hpp"

namespace mluop::suppression {
namespace {

/// Whether a score comes before another one, whatever their indices.
template <class T>
bool before(T left, T right) {
  const auto a = to_compute(left), b = to_compute(right);
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && !std::isnan(b);
  return a > b;
}

template <class T>
std::vector<std::int32_t> expected_order(const std::vector<T>& scores) {
  std::vector<std::int32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return before(scores[a], scores[b]); });
  return order;
}

template <class T>
std::vector<std::int32_t> order_of(const std::vector<T>& scores, mluOpDataType_t dtype) {
  WorkspaceLayout layout;
  const ScoreOrder order(static_cast<std::int64_t>(scores.size()), dtype, layout);
  Arena arena;
  const std::int32_t* const sorted = order.sort(scores.data(), arena.require(layout.bytes()));
  return {sorted, sorted + scores.size()};
}

/// Random bits, so that NaN, infinities, zeros and subnormals occur; many of them twice.
template <class T, class Bits>
std::vector<T> random_scores(std::size_t count, const char* stream) {
  testing::Generator random(stream);
  std::vector<T> scores;
  for (std::size_t i = 0; i < count; ++i) {
    const bool again = !scores.empty() && random.chance(0.3);
    scores.push_back(again ? scores[random.next() % scores.size()]
                           : std::bit_cast<T>(static_cast<Bits>(random.next())));
  }
  return scores;
}

template <class T, class Bits>
void expect_sorted(mluOpDataType_t dtype) {
  for (const std::size_t count : {1, 2, 7, 255, 256, 257, 5000}) {
    SCOPED_TRACE(count);
    const auto scores = random_scores<T, Bits>(count, "scores");
    EXPECT_EQ(order_of(scores, dtype), expected_order(scores));
  }
}

TEST(ScoreOrder, IsThatOfAStableSortForEveryDtype) {
  expect_sorted<float, std::uint32_t>(MLUOP_DTYPE_FLOAT);
  expect_sorted<double, std::uint64_t>(MLUOP_DTYPE_DOUBLE);
  expect_sorted<Half, std::uint16_t>(MLUOP_DTYPE_HALF);
  expect_sorted<BFloat16, std::uint16_t>(MLUOP_DTYPE_BFLOAT16);
}

TEST(ScoreOrder, PutsNanFirstAndTakesZerosAsEqual) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> scores{-infinity, -0.0f, 1, nan, 0.0f, infinity, -nan, -1e-40f, 1e-40f};
  EXPECT_EQ(order_of(scores, MLUOP_DTYPE_FLOAT),
            (std::vector<std::int32_t>{3, 6, 5, 2, 8, 1, 4, 7, 0}));
}

}  // namespace
}  // namespace mluop::suppression
