// Edge cases of the convolutions about values: what is no number, and what is hardly one.
#include <array>
#include <limits>
#include <vector>

#include "ops/sparse_conv/kit/convolution/cases.hpp"
#include "ops/sparse_conv/kit/convolution/tables.hpp"

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
  std::vector<std::int64_t> counts(9);
  for (std::int64_t& count : counts) count = random.integer(0, 40);
  return tables::random(random, 40, 44, counts);
}

Definition valued(std::string name, DrawValue features, DrawValue weights, DrawValue output_grad,
                  std::vector<mluOpDataType_t> dtypes = {}) {
  Definition definition = edge(std::move(name), {MLUOP_LAYOUT_ARRAY, {1, 3, 3}, 35, 50}, pairs);
  definition.features = features;
  definition.weights = weights;
  definition.output_grad = output_grad;
  definition.dtypes = std::move(dtypes);
  return definition;
}

}  // namespace

std::vector<Definition> value_definitions() {
  const std::vector<mluOpDataType_t> wide = {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE,
                                             MLUOP_DTYPE_BFLOAT16};
  return {
      valued("zero_features", zero, uniform, uniform),
      valued("zero_filters", uniform, zero, uniform),
      valued("often_zero", often_zero, often_zero, often_zero),
      valued("nan", with_nan, with_nan, with_nan),
      valued("nan_in_filters", uniform, with_nan, uniform),
      valued("infinity", with_infinity, with_infinity, with_infinity),
      valued("infinity_in_filters", uniform, with_infinity, uniform),
      valued("infinity_times_zero", with_infinity, often_zero, often_zero),
      valued("nan_and_infinity", with_both, with_both, with_both),
      valued("tiny_to_huge_features", tiny_to_huge, uniform, uniform, wide),
      valued("tiny_to_huge_filters", uniform, tiny_to_huge, uniform, wide),
      valued("tiny_to_huge_gradients", uniform, uniform, tiny_to_huge, wide),
      valued("all_halves", all_halves, thousandth, thousandth, {MLUOP_DTYPE_HALF}),
      valued("all_halves_in_filters", thousandth, all_halves, thousandth, {MLUOP_DTYPE_HALF}),
      valued("all_halves_in_gradients", thousandth, thousandth, all_halves, {MLUOP_DTYPE_HALF})};
}

}  // namespace mluop::sparse_conv::cases
