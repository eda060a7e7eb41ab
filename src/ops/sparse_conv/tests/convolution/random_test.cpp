// Thousands of small random convolutions against the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_conv/kit/convolution/cases.hpp"
#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "ops/sparse_conv/kit/convolution/error_bounds.hpp"
#include "ops/sparse_conv/kit/convolution/tables.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"

namespace mluop::sparse_conv {
namespace {

using testing::Generator;
using testing::Handle;
using testing::HostTensor;

constexpr int problems = testing::sanitized ? 100 : 1500;

template <class T, std::size_t count>
T one_of(Generator& random, const std::array<T, count>& values) {
  return values[static_cast<std::size_t>(random.integer(0, std::ssize(values) - 1))];
}

/// Any rank, layout, kernel and channels.
reference::FilterShape random_filters(Generator& random) {
  const bool deep = random.chance(0.5);
  const mluOpTensorLayout_t layout =
      deep ? one_of(random, std::array{MLUOP_LAYOUT_ARRAY, MLUOP_LAYOUT_NDHWC, MLUOP_LAYOUT_NCDHW})
           : one_of(random, std::array{MLUOP_LAYOUT_ARRAY, MLUOP_LAYOUT_HWCN, MLUOP_LAYOUT_NHWC,
                                       MLUOP_LAYOUT_NCHW});
  std::vector<std::int64_t> kernel(deep ? 3 : 2);
  for (std::int64_t& size : kernel) size = random.integer(1, 3);
  const auto channels = [&] {
    return random.chance(0.1) ? random.integer(65, 300) : random.integer(1, 70);
  };
  const std::int64_t Ci = channels();
  return {layout, kernel, Ci, channels()};
}

/// Offsets with all pairs, some or none.
std::shared_ptr<const PairTable> random_table(Generator& random, std::int64_t K) {
  const std::int64_t L = random.integer(1, 70), Y = random.integer(1, 70);
  const auto repeats = random.chance(0.7)   ? tables::Repeats::nothing
                       : random.chance(0.7) ? tables::Repeats::rows
                                            : tables::Repeats::pairs;
  std::vector<std::int64_t> counts;
  for (std::int64_t k = 0; k < K; ++k) {
    const std::int64_t most = repeats == tables::Repeats::nothing ? std::min(L, Y) : L;
    counts.push_back(random.chance(0.2) ? 0 : random.chance(0.2) ? most : random.integer(0, most));
  }
  return std::make_shared<const PairTable>(tables::random(random, L, Y, counts, repeats));
}

template <class Draw>
Operands random_operands(Generator& random, mluOpDataType_t dtype, Draw draw) {
  const reference::FilterShape filters = random_filters(random);
  Operands operands(random_table(random, filters.K()), filters, dtype, random.chance(0.3));
  for (const auto tensor : {&Operands::features, &Operands::filters, &Operands::output_grad}) {
    testing::fill(operands.*tensor, draw);
  }
  return operands;
}

std::string text_of(const Operands& operands) {
  std::string text =
      std::string{name_of(operands.dtype())} + ", " + name_of(operands.shape.layout) + " [";
  for (const std::int64_t dim : operands.shape.dims()) text += std::to_string(dim) + ' ';
  return text + "], " + std::to_string(operands.table->L) + " and " +
         std::to_string(operands.table->Y) + " rows" + (operands.inverse ? ", inverse" : "");
}

/// Any number of threads, and any instruction set.
void choose(Generator& random, Handle& handle) {
  const auto levels = handle.levels();
  handle.threads(static_cast<int>(random.integer(1, 4)))
      .isa(levels[static_cast<std::size_t>(random.integer(0, std::ssize(levels) - 1))]);
}

TEST(ConvolutionRandom, SmallProblemsMatchTheReference) {
  Generator random("sparse_conv/random");
  SCOPED_TRACE(random.describe());
  for (int number = 0; number < problems; ++number) {
    const mluOpDataType_t dtype = testing::floating_dtypes[static_cast<std::size_t>(number % 4)];
    const Operands operands = random_operands(random, dtype, [&] { return random.uniform(-1, 1); });
    SCOPED_TRACE("problem " + std::to_string(number) + ", " + text_of(operands));
    for (const Direction* direction : directions()) {
      Handle handle;
      choose(random, handle);
      const std::vector<double> result = direction->compute(handle, operands).values();
      const std::vector<double> expected = direction->reference(operands);
      const std::vector<double> bounds = error_bounds(*direction, operands, expected);
      ASSERT_EQ(result.size(), expected.size());
      for (std::size_t i = 0; i < result.size(); ++i) {
        ASSERT_LE(std::abs(result[i] - expected[i]), bounds[i])
            << direction->op << " at " << i << ": " << result[i] << " instead of " << expected[i];
      }
    }
  }
}

/// Sums of small whole numbers have no rounding before the result is stored, in any order and in any
/// arithmetic: every implementation gives exactly the same.
TEST(ConvolutionRandom, WholeNumbersAreExactEverywhere) {
  Generator random("sparse_conv/whole numbers");
  SCOPED_TRACE(random.describe());
  for (int number = 0; number < problems; ++number) {
    const mluOpDataType_t dtype = testing::floating_dtypes[static_cast<std::size_t>(number % 4)];
    const Operands operands =
        random_operands(random, dtype, [&] { return static_cast<double>(random.integer(-9, 9)); });
    SCOPED_TRACE("problem " + std::to_string(number) + ", " + text_of(operands));
    for (const Direction* direction : directions()) {
      const std::vector<double> expected =
          testing::rounded_to(dtype, direction->in_double(operands));
      for (const std::string& level : Handle{}.levels()) {
        Handle handle;
        handle.threads(2).isa(level);
        ASSERT_EQ(direction->compute(handle, operands).values(), expected)
            << direction->op << ' ' << level;
      }
    }
  }
}

/// Rows with equal coordinates: an offset has more pairs than there are rows on the other side.
TEST(ConvolutionRandom, MorePairsThanOutputRows) {
  Generator random("sparse_conv/more pairs than rows");
  SCOPED_TRACE(random.describe());
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    const reference::FilterShape filters{MLUOP_LAYOUT_ARRAY, {1, 1, 3}, 19, 35};
    Operands operands(std::make_shared<const PairTable>(
                          tables::random(random, 700, 20, {700, 0, 650}, tables::Repeats::rows)),
                      filters, dtype);
    for (const auto tensor : {&Operands::features, &Operands::filters, &Operands::output_grad}) {
      testing::fill(operands.*tensor, [&] { return static_cast<double>(random.integer(-3, 3)); });
    }
    for (const Direction* direction : directions()) {
      const std::vector<double> expected =
          testing::rounded_to(dtype, direction->in_double(operands));
      for (const std::string& level : Handle{}.levels()) {
        Handle handle;
        handle.isa(level);
        EXPECT_EQ(direction->compute(handle, operands).values(), expected)
            << direction->op << ' ' << level << ' ' << name_of(dtype);
      }
    }
  }
}

}  // namespace
}  // namespace mluop::sparse_conv
