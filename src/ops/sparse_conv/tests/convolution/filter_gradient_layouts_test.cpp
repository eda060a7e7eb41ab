// mluOpCpuIndiceConvolutionBackwardFilter: the numbers of the MLU-OPS entry, stored in any layout.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "ops/sparse_conv/kit/convolution/error_bounds.hpp"
#include "ops/sparse_conv/kit/convolution/tables.hpp"
#include "testing/data/generators.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/suite/run_everywhere.hpp"

namespace mluop::sparse_conv {
namespace {

using reference::FilterShape;
using testing::Generator;
using testing::Handle;
using testing::HostTensor;
using Counts = std::vector<std::int64_t>;

const Direction& dense = backward_filter_direction;
const Direction& by_layout = backward_filter_by_layout_direction;

const std::vector<mluOpTensorLayout_t> deep{MLUOP_LAYOUT_ARRAY, MLUOP_LAYOUT_NDHWC,
                                            MLUOP_LAYOUT_NCDHW};
const std::vector<mluOpTensorLayout_t> flat{MLUOP_LAYOUT_ARRAY, MLUOP_LAYOUT_HWCN,
                                            MLUOP_LAYOUT_NHWC, MLUOP_LAYOUT_NCHW};

std::size_t workspace_of(const Direction& direction, const Operands& operands) {
  std::size_t bytes = 0;
  testing::expect_success(
      direction.workspace_size(Handle{}, operands, direction.make_result(operands), &bytes),
      direction.function);
  return bytes;
}

/// A dense gradient, moved to where the layout wants it.
std::vector<std::byte> permuted(const HostTensor& gradient, const FilterShape& shape) {
  std::vector<std::byte> moved(gradient.raw().size());
  const std::size_t size = size_of(gradient.dtype());
  for (std::int64_t i = 0; i < gradient.count(); ++i) {
    const std::int64_t k = i / (shape.Ci * shape.Co), ci = i / shape.Co % shape.Ci;
    const auto to = static_cast<std::size_t>(shape.index(k, ci, i % shape.Co));
    std::memcpy(moved.data() + to * size,
                gradient.raw().data() + static_cast<std::size_t>(i) * size, size);
  }
  return moved;
}

/// Every implementation and number of threads has the bits of the other entry, with as much workspace.
void expect_same_numbers(const Operands& operands) {
  EXPECT_EQ(workspace_of(by_layout, operands), workspace_of(dense, operands));
  for (const std::string& level : Handle{}.levels()) {
    SCOPED_TRACE(level + ' ' + name_of(operands.dtype()) + ' ' + name_of(operands.shape.layout));
    Handle handle;
    handle.threads(1).isa(level);
    const std::vector<std::byte> expected =
        permuted(dense.compute(handle, operands), operands.shape);
    for (const int threads : testing::thread_counts) {
      handle.threads(threads);
      EXPECT_TRUE(std::ranges::equal(by_layout.compute(handle, operands).raw(), expected))
          << threads << " threads";
    }
  }
}

struct Problem {
  const char* name;
  std::vector<std::int64_t> kernel;
  std::int64_t Ci, Co;
  Counts counts;
  bool inverse = false;
};

/// Sums that are stored at once and in parts, as they are and transposed; channels on both sides of a
/// stored block and of a tile.
const std::vector<Problem> problems{{"one_element", {1, 1, 1}, 1, 1, {3}},
                                    {"whole", {1, 2, 2}, 17, 33, {40, 0, 7, 33}},
                                    {"parts", {3, 1, 1}, 40, 70, {2500, 0, 1800}},
                                    {"parts_transposed", {3, 1, 1}, 70, 3, {2500, 300, 0}},
                                    {"tiles", {2, 1, 1}, 130, 145, {1300, 200}},
                                    {"tiles_transposed", {2, 1, 1}, 145, 129, {1300, 200}},
                                    {"plane", {2, 3}, 31, 19, {1100, 20, 0, 1500, 3, 900}},
                                    {"inverse", {2, 2}, 19, 31, {1100, 20, 0, 1500}, true}};

Operands operands_of(const Problem& problem, mluOpTensorLayout_t layout, mluOpDataType_t dtype) {
  Generator random("sparse_conv/filter_gradient_layouts");
  const std::int64_t L = *std::ranges::max_element(problem.counts);
  Operands operands(std::make_shared<const PairTable>(
                        tables::random(random, L, 60, problem.counts, tables::Repeats::rows)),
                    {layout, problem.kernel, problem.Ci, problem.Co}, dtype, problem.inverse);
  for (const auto tensor : dense.sources) random.fill_uniform(operands.*tensor, -1, 1);
  return operands;
}

class FilterGradientLayouts : public ::testing::TestWithParam<Problem> {};

INSTANTIATE_TEST_SUITE_P(, FilterGradientLayouts, ::testing::ValuesIn(problems),
                         [](const auto& test) { return std::string{test.param.name}; });

TEST_P(FilterGradientLayouts, HaveTheBitsOfTheDenseOne) {
  for (const mluOpTensorLayout_t layout : GetParam().kernel.size() == 3 ? deep : flat) {
    for (const mluOpDataType_t dtype : testing::floating_dtypes) {
      expect_same_numbers(operands_of(GetParam(), layout, dtype));
    }
  }
}

/// Against the formula itself, in the layout of the filters.
TEST_P(FilterGradientLayouts, AreThoseOfTheFilters) {
  for (const mluOpTensorLayout_t layout : GetParam().kernel.size() == 3 ? deep : flat) {
    const Operands operands = operands_of(GetParam(), layout, MLUOP_DTYPE_DOUBLE);
    const std::vector<double> result = by_layout.compute(Handle{}, operands).values();
    const std::vector<double> expected = by_layout.reference(operands);
    const std::vector<double> bounds = error_bounds(by_layout, operands, expected);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_LE(std::abs(result[i] - expected[i]), bounds[i]) << name_of(layout) << " at " << i;
    }
  }
}

}  // namespace
}  // namespace mluop::sparse_conv
