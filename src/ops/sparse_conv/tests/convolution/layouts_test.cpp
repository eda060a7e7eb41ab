// Layouts of filters: which are refused, and that every other one means the same numbers.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_conv/kit/convolution/calls.hpp"

namespace mluop::sparse_conv::checks {
namespace {

/// A filter of 15 offsets, 2 input and 4 output channels in some layout: its sizes, and how far apart
/// neighbours are.
struct FilterLayout {
  mluOpTensorLayout_t layout;
  Dims dims;
  std::size_t k, ci, co;

  std::string name() const { return mluop::name_of(layout); }
};
const std::vector<FilterLayout> five_dims{{MLUOP_LAYOUT_ARRAY, {1, 3, 5, 2, 4}, 8, 4, 1},
                                          {MLUOP_LAYOUT_NDHWC, {4, 1, 3, 5, 2}, 2, 1, 30},
                                          {MLUOP_LAYOUT_NCDHW, {4, 2, 1, 3, 5}, 1, 15, 30}};
const std::vector<FilterLayout> four_dims{{MLUOP_LAYOUT_ARRAY, {3, 5, 2, 4}, 8, 4, 1},
                                          {MLUOP_LAYOUT_HWCN, {3, 5, 2, 4}, 8, 4, 1},
                                          {MLUOP_LAYOUT_NHWC, {4, 3, 5, 2}, 2, 1, 30},
                                          {MLUOP_LAYOUT_NCHW, {4, 2, 3, 5}, 1, 15, 30}};

auto with(const FilterLayout& filter) {
  return [filter](Args& args) {
    args.filters.layout = filter.layout;
    args.filters.dims = filter.dims;
  };
}

/// Small whole numbers, so that sums are exact in any order.
void number(std::vector<double>& values, int salt) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<double>((i * 7 + static_cast<std::size_t>(salt)) % 11) - 5;
  }
}

/// The three formulas in one loop: the result of `op` on the data of a call.
std::vector<double> formula(const Operator& op, Args args, const FilterLayout& filter) {
  std::vector<double>& result = args.*op.result;
  result.assign(result.size(), 0);
  for (std::size_t k = 0; k < 15; ++k) {
    for (std::int64_t t = 0; t < args.indice_num[k]; ++t) {
      const auto at = static_cast<std::int64_t>(k);
      const auto in = static_cast<std::size_t>(args.pair(at, args.inverse == 1 ? 1 : 0, t));
      const auto out = static_cast<std::size_t>(args.pair(at, args.inverse == 1 ? 0 : 1, t));
      for (std::size_t ci = 0; ci < 2; ++ci) {
        for (std::size_t co = 0; co < 4; ++co) {
          double& x = args.input_data[in * 2 + ci];
          double& w = args.filters_data[k * filter.k + ci * filter.ci + co * filter.co];
          double& y = args.output_data[out * 4 + co];
          if (op.backward_data) {
            x += y * w;
          } else if (op.backward_filter) {
            w += x * y;
          } else {
            y += x * w;
          }
        }
      }
    }
  }
  return result;
}

void expect_formula(const Function& function, const FilterLayout& filter, bool inverse) {
  SCOPED_TRACE(filter.name() + (inverse ? ", inverse" : ""));
  Args args;
  args.dtypes(MLUOP_DTYPE_DOUBLE);
  with(filter)(args);
  if (inverse) args.invert();
  number(args.input_data, 1);
  number(args.filters_data, 2);
  number(args.output_data, 3);
  const std::vector<double> expected = formula(function.op, args, filter);
  ASSERT_EQ(function.call(args), SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(*args.result, expected);
}

class ConvolutionLayouts : public ConvolutionCalls {};

INSTANTIATE_TEST_SUITE_P(, ConvolutionLayouts,
                         ::testing::Values(Function{forward, false}, Function{backward_data, false},
                                           Function{backward_filter_by_layout, false},
                                           Function{forward, true}, Function{backward_data, true},
                                           Function{backward_filter_by_layout, true}),
                         name_of_test);

TEST_P(ConvolutionLayouts, WithoutAxesForAFilterAreRefused) {
  const mluOpStatus_t status = op().forward() ? NOT_SUPPORTED : BAD_PARAM;
  for (mluOpTensorLayout_t layout :
       {MLUOP_LAYOUT_TNC, MLUOP_LAYOUT_NTC, MLUOP_LAYOUT_NC, MLUOP_LAYOUT_NLC, MLUOP_LAYOUT_NCL,
        static_cast<mluOpTensorLayout_t>(77)}) {
    table.add(name_of(layout), status, std::string("NCDHW, got ") + name_of(layout),
              [layout](Args& args) { args.filters.layout = layout; });
  }
  expect_refused_in_both_modes();
}

TEST_P(ConvolutionLayouts, HaveTheRankThatTheyName) {
  const mluOpStatus_t status = op().forward() ? NOT_SUPPORTED : BAD_PARAM;
  const auto swapped = [&](const std::vector<FilterLayout>& from, const Dims& dims) {
    for (const FilterLayout& filter : from) {
      if (filter.layout == MLUOP_LAYOUT_ARRAY) continue;
      table.add(filter.name(), status,
                filters() + " must have " + std::to_string(filter.dims.size()) +
                    " dims in layout " + filter.name() + ", got " + std::to_string(dims.size()),
                with({filter.layout, dims, 0, 0, 0}));
    }
  };
  swapped(four_dims, five_dims[0].dims);
  swapped(five_dims, four_dims[0].dims);
  expect_refused(MLUOP_CPU_LIMITS_NONE);
  if (!op().forward()) expect_refused(MLUOP_CPU_LIMITS_MLU);
}

TEST_P(ConvolutionLayouts, AreAccepted) {
  for (const FilterLayout& filter : five_dims) {
    expect_accepted_in_both_modes(filter.name().c_str(), with(filter));
  }
  for (const FilterLayout& filter : four_dims) {
    expect_accepted(filter.name().c_str(), MLUOP_CPU_LIMITS_NONE, with(filter));
    if (!op().forward()) {
      expect_accepted(filter.name().c_str(), MLUOP_CPU_LIMITS_MLU, with(filter));
    } else if (filter.layout == MLUOP_LAYOUT_ARRAY) {
      table.add(filter.name(), NOT_SUPPORTED, "filters must have 5 dims, got 4" + on_card,
                with(filter));
    } else {
      table.add(filter.name(), NOT_SUPPORTED,
                "filters layout must be NDHWC, ARRAY or NCDHW, got " + filter.name() + on_card,
                with(filter));
    }
  }
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

class ConvolutionFormula : public ConvolutionCalls {};

INSTANTIATE_TEST_SUITE_P(, ConvolutionFormula, all_runs, name_of_test);

TEST_P(ConvolutionFormula, HoldsForEveryLayoutAndBothDirectionsOfThePairs) {
  for (const auto* layouts : {&five_dims, &four_dims}) {
    for (const FilterLayout& filter : *layouts) {
      const bool dense = filter.co == 1;
      if (op().backward_filter && !op().by_layout && !dense) continue;
      for (bool inverse : {false, true}) expect_formula(function(), filter, inverse);
    }
  }
}

class FilterGradientTags : public ConvolutionCalls {};

INSTANTIATE_TEST_SUITE_P(, FilterGradientTags,
                         ::testing::Values(Function{backward_filter, false},
                                           Function{backward_filter, true}),
                         name_of_test);

TEST_P(FilterGradientTags, DoNotMatter) {
  for (int tag = MLUOP_LAYOUT_NCHW; tag <= MLUOP_LAYOUT_NCL + 1; ++tag) {
    for (const Dims& dims : {five_dims[0].dims, four_dims[0].dims}) {
      const FilterLayout filter{static_cast<mluOpTensorLayout_t>(tag), dims, 8, 4, 1};
      expect_accepted_in_both_modes(filter.name().c_str(), with(filter));
      if (!function().query) expect_formula(function(), filter, false);
    }
  }
}

}  // namespace
}  // namespace mluop::sparse_conv::checks
