// Edge cases of the convolutions about values: what is no number, and what is hardly one.
#include <array>
#include <limits>
#include <vector>

#include "ops/sparse_conv/cases.hpp"
#include "ops/sparse_conv/tables.hpp"

namespace mluop::sparse_conv::cases {
namespace {

using testing::Generator;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

template <std::size_t count>
double one_of(Generator& random, const std::array<double, count>& values) {
  return values[static_cast<std::size_t>(random.integer(0, std::ssize(values) - 1))];
}

double zero(Generator&) { return 0; }

double often_zero(Generator& random) { return random.chance(0.7) ? 0 : uniform(random); }

double with_nan(Generator& random) { return random.chance(0.002) ? nan : uniform(random); }

double with_infinity(Generator& random) {
  return random.chance(0.002) ? one_of(random, std::array{inf, -inf}) : uniform(random);
}

double with_both(Generator& random) { return random.chance(0.001) ? nan : with_infinity(random); }

/// From the subnormal numbers of float to what a sum of products with numbers up to 1 can hold.
double tiny_to_huge(Generator& random) {
  return uniform(random) * one_of(random, std::array{1e-40, 1e-30, 1e-10, 1.0, 1e10, 1e30});
}

/// Subnormal numbers of half, ordinary ones, and the largest.
double all_halves(Generator& random) {
  return random.chance(0.05) ? one_of(random, std::array{65504.0, -65504.0})
                             : uniform(random) * one_of(random, std::array{6e-8, 1e-6, 1e-4, 1.0});
}

double thousandth(Generator& random) { return 1e-3 * uniform(random); }

PairTable pairs(Generator& random) {
  std::vector<std::int64_t> counts;
  for (int k = 0; k < 9; ++k) counts.push_back(random.integer(0, 40));
  return tables::random(random, 40, 44, counts);
}

}  // namespace

std::vector<Definition> value_definitions() {
  const reference::FilterShape filters{MLUOP_LAYOUT_ARRAY, {1, 3, 3}, 35, 50};
  const std::vector<mluOpDataType_t> wide = {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE,
                                             MLUOP_DTYPE_BFLOAT16};
  std::vector<Definition> all = {
      {.name = "zero_features", .features = zero},
      {.name = "zero_filters", .weights = zero},
      {.name = "often_zero",
       .features = often_zero,
       .weights = often_zero,
       .output_grad = often_zero},
      {.name = "nan", .features = with_nan, .weights = with_nan, .output_grad = with_nan},
      {.name = "nan_in_filters", .weights = with_nan},
      {.name = "infinity",
       .features = with_infinity,
       .weights = with_infinity,
       .output_grad = with_infinity},
      {.name = "infinity_in_filters", .weights = with_infinity},
      {.name = "nan_and_infinity",
       .features = with_both,
       .weights = with_both,
       .output_grad = with_both},
      {.name = "infinity_and_zero",
       .features = with_infinity,
       .weights = often_zero,
       .output_grad = often_zero},
      {.name = "tiny_to_huge_features", .features = tiny_to_huge, .dtypes = wide},
      {.name = "tiny_to_huge_filters", .weights = tiny_to_huge, .dtypes = wide},
      {.name = "tiny_to_huge_gradients", .output_grad = tiny_to_huge, .dtypes = wide},
      {.name = "all_halves",
       .features = all_halves,
       .weights = thousandth,
       .output_grad = thousandth,
       .dtypes = {MLUOP_DTYPE_HALF}},
      {.name = "all_halves_in_gradients",
       .features = thousandth,
       .weights = thousandth,
       .output_grad = all_halves,
       .dtypes = {MLUOP_DTYPE_HALF}}};
  for (Definition& definition : all) {
    definition.filters = filters;
    definition.draw_table = pairs;
  }
  return all;
}

}  // namespace mluop::sparse_conv::cases
