// Numbers at the ends of their range, NaN and infinity: each goes where the formula takes it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_conv/kit/convolution/cases.hpp"
#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "ops/sparse_conv/kit/convolution/error_bounds.hpp"
#include "ops/sparse_conv/kit/convolution/tables.hpp"
#include "testing/data/handle.hpp"

namespace mluop::sparse_conv {
namespace {

using testing::Generator;
using testing::Handle;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

class ConvolutionSpecialValues : public ::testing::TestWithParam<const Direction*> {
 protected:
  const Direction& direction() const { return *GetParam(); }

  /// Calls use(values) with the result of every implementation.
  template <class Use>
  void with_results(const Operands& operands, Use use) const {
    for (const std::string& level : Handle{}.levels()) {
      SCOPED_TRACE(level + ' ' + name_of(operands.dtype()));
      Handle handle;
      handle.isa(level);
      use(direction().compute(handle, operands).values());
    }
  }

  /// The measures of the accuracy standard hardly see small numbers beside large ones, nor numbers
  /// far below 1e-9: here every element counts.
  void expect_every_element(const Operands& operands) const {
    const std::vector<double> expected = direction().reference(operands);
    const std::vector<double> bounds = error_bounds(direction(), operands, expected);
    with_results(operands, [&](const std::vector<double>& result) {
      for (std::size_t i = 0; i < result.size(); ++i) {
        ASSERT_LE(std::abs(result[i] - expected[i]), bounds[i])
            << "at " << i << ": " << result[i] << " instead of " << expected[i];
      }
    });
  }

  void expect_every_element_at(mluOpDataType_t dtype, double one, double other) const;

  void expect_exactly(const Operands& operands, const std::vector<double>& expected) const {
    with_results(operands, [&](const std::vector<double>& result) {
      ASSERT_EQ(result.size(), expected.size());
      for (std::size_t i = 0; i < result.size(); ++i) {
        ASSERT_TRUE(std::isnan(expected[i]) ? std::isnan(result[i]) : result[i] == expected[i])
            << "at " << i << ": " << result[i] << " instead of " << expected[i];
      }
    });
  }
};

INSTANTIATE_TEST_SUITE_P(, ConvolutionSpecialValues,
                         ::testing::ValuesIn(directions().begin(), directions().end()),
                         [](const auto& test) { return test.param->name(); });

TEST_P(ConvolutionSpecialValues, SmallNumbersBesideLargeOnes) {
  for (const char* name :
       {"tiny_to_huge_features", "tiny_to_huge_filters", "tiny_to_huge_gradients", "all_halves",
        "all_halves_in_filters", "all_halves_in_gradients"}) {
    SCOPED_TRACE(name);
    const cases::Definition& definition = cases::definition_named(name);
    for (const mluOpDataType_t dtype : cases::dtypes_of(definition)) {
      expect_every_element(cases::make_operands(definition, dtype));
    }
  }
}

/// The two tensors that the operator reads hold numbers of these sizes, both ways round.
void ConvolutionSpecialValues::expect_every_element_at(mluOpDataType_t dtype, double one,
                                                       double other) const {
  for (const bool exchanged : {false, true}) {
    SCOPED_TRACE(::testing::Message() << one << " times " << other);
    Operands operands = cases::make_operands(cases::definition_named("often_zero"), dtype);
    Generator random("sparse_conv/scaled");
    random.fill_uniform(operands.*direction().sources[exchanged ? 1 : 0], -one, one);
    random.fill_uniform(operands.*direction().sources[exchanged ? 0 : 1], -other, other);
    expect_every_element(operands);
  }
}

TEST_P(ConvolutionSpecialValues, SubnormalNumbersAreNotLost) {
  struct Row {
    const char* what;
    double one, other;
  };
  const Row rows[] = {{"subnormal operands", 1e-40, 1},
                      {"the smallest numbers", 3e-45, 1},
                      {"operands on the edge", 2e-38, 1},
                      {"operands near the edge", 1e-36, 1},
                      {"subnormal products", 1e-20, 1e-20},
                      {"products on the edge", 1e-19, 1e-19},
                      {"products near the edge", 1e-17, 1e-18},
                      {"ordinary products of subnormal operands", 1e-40, 1e35},
                      {"large products", 1e15, 1e20},
                      {"tiny times huge", 1e-30, 1e30}};
  for (const mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_BFLOAT16}) {
    for (const Row& row : rows) {
      SCOPED_TRACE(row.what);
      expect_every_element_at(dtype, row.one, row.other);
    }
  }
}

TEST_P(ConvolutionSpecialValues, SubnormalHalvesAreNotLost) {
  for (const double one : {6e-8, 1e-6, 6e-5}) {
    for (const double other : {1.0, 1000.0, 6e4}) {
      expect_every_element_at(MLUOP_DTYPE_HALF, one, other);
    }
  }
}

// One offset without pairs, and one that joins row 0 with row 2, 1 with 0, and 3 with 2 again. Channel
// counts are no full vector at any width.
Operands marked(mluOpDataType_t dtype) {
  const std::vector<std::int32_t> rows = {-1, -1, -1, -1, -1, -1, -1, -1,  // offset 0
                                          0,  1,  3,  -1, 2,  0,  2,  -1};
  Operands operands(std::make_shared<const PairTable>(4, 5, rows, std::vector<std::int64_t>{0, 3}),
                    {MLUOP_LAYOUT_ARRAY, {2, 1, 1}, 19, 21}, dtype);
  for (const auto tensor : {&Operands::features, &Operands::filters, &Operands::output_grad}) {
    testing::fill(operands.*tensor, [] { return 1.0; });
  }
  return operands;
}

/// The result of `marked`: of 1s in all places, then changed.
std::vector<double> forward_of_ones() {
  std::vector<double> result(5 * 21, 0.0);
  for (std::size_t co = 0; co < 21; ++co) result[co] = 19, result[2 * 21 + co] = 38;
  return result;
}

std::vector<double> backward_data_of_ones() {
  std::vector<double> result(4 * 19, 21.0);
  for (std::size_t ci = 0; ci < 19; ++ci) result[2 * 19 + ci] = 0;
  return result;
}

std::vector<double> backward_filter_of_ones() {
  std::vector<double> result(2 * 19 * 21, 3.0);
  std::fill(result.begin(), result.begin() + 19 * 21, 0.0);
  return result;
}

std::vector<double> of_ones(const Direction& direction) {
  if (direction.role == Direction::Role::forward) return forward_of_ones();
  return direction.role == Direction::Role::backward_data ? backward_data_of_ones()
                                                          : backward_filter_of_ones();
}

TEST_P(ConvolutionSpecialValues, RowsAndOffsetsWithoutPairsAreZero) {
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    expect_exactly(marked(dtype), of_ones(direction()));
  }
}

TEST_P(ConvolutionSpecialValues, RowsWithoutPairsAreNotRead) {
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    for (const double special : {nan, inf, -inf}) {
      Operands operands = marked(dtype);
      for (std::int64_t c = 0; c < 19; ++c) operands.features.set(2 * 19 + c, special);
      for (const std::int64_t row : {1, 3, 4}) {
        for (std::int64_t c = 0; c < 21; ++c) operands.output_grad.set(row * 21 + c, special);
      }
      for (std::int64_t i = 0; i < 19 * 21; ++i) operands.filters.set(i, special);  // offset 0
      expect_exactly(operands, of_ones(direction()));
    }
  }
}

/// One special element of one tensor, and the elements of the result it reaches.
TEST_P(ConvolutionSpecialValues, ReachWhatTheyAreMultipliedInto) {
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    for (const double special : {nan, inf, -inf}) {
      Operands features = marked(dtype), filters = marked(dtype), gradients = marked(dtype);
      features.features.set(3 * 19 + 18, special);           // row 3, its last channel
      filters.filters.set((1 * 19 + 4) * 21 + 20, special);  // W(1, 4, 20)
      gradients.output_grad.set(2 * 21 + 20, special);       // row 2, its last channel
      std::vector<double> a = of_ones(direction()), b = a, c = a;
      if (direction().role == Direction::Role::forward) {
        for (std::size_t co = 0; co < 21; ++co) a[2 * 21 + co] = special;
        b[20] = b[2 * 21 + 20] = special;
      } else if (direction().role == Direction::Role::backward_data) {
        for (const std::size_t row : {0, 1, 3}) b[row * 19 + 4] = special;
        for (const std::size_t row : {0, 3}) {
          for (std::size_t ci = 0; ci < 19; ++ci) c[row * 19 + ci] = special;
        }
      } else {
        for (std::size_t co = 0; co < 21; ++co) a[(19 + 18) * 21 + co] = special;
        for (std::size_t ci = 0; ci < 19; ++ci) c[(19 + ci) * 21 + 20] = special;
      }
      expect_exactly(features, a);
      expect_exactly(filters, b);
      expect_exactly(gradients, c);
    }
  }
}

TEST_P(ConvolutionSpecialValues, InfinityTimesZeroAndMinusInfinityAreNan) {
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    Operands zero = marked(dtype), opposite = marked(dtype);
    // An infinity in each tensor, and a zero wherever it is multiplied: everything it reaches is NaN.
    zero.features.set(1 * 19 + 2, inf);
    zero.output_grad.set(0 * 21 + 3, inf);
    for (std::int64_t co = 0; co < 21; ++co) zero.filters.set((19 + 2) * 21 + co, 0);
    for (std::int64_t ci = 0; ci < 19; ++ci) zero.filters.set((19 + ci) * 21 + 3, 0);
    // Row 2 of the result adds rows 0 and 3, which hold infinities of both signs; gradients likewise.
    opposite.features.set(0 * 19 + 5, inf);
    opposite.features.set(3 * 19 + 5, -inf);
    opposite.output_grad.set(2 * 21 + 0, inf);
    opposite.output_grad.set(2 * 21 + 1, -inf);
    expect_exactly(zero, direction().in_double(zero));
    expect_exactly(opposite, direction().in_double(opposite));
  }
}

}  // namespace
}  // namespace mluop::sparse_conv
