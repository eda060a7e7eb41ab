// Limits of the card for the three convolutions: in force on request, lifted otherwise.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ops/sparse_conv/kit/convolution/calls.hpp"
#include "testing/faults/scoped_environment.hpp"

namespace mluop::sparse_conv::checks {
namespace {

/// Valid shapes, each with one tensor of 2^31 elements or more and no data to match.
struct Large {
  TensorArgument Args::*tensor;
  const char* elements;
  std::function<void(Args&)> enlarge;
};

std::vector<Large> large_calls() {
  return {{&Args::input, "2148000000",
           [](Args& args) {
             args.input.dims = {1'000'000, 2148};
             args.pairs.dims[2] = 1'000'000;
             args.filters.dims[3] = 2148;
           }},
          {&Args::filters, "4026531840",
           [](Args& args) {
             args.filters.dims = {1, 3, 5, 1 << 14, 1 << 14};
             args.input.dims[1] = args.output.dims[1] = 1 << 14;
           }},
          {&Args::pairs, "3000000000",
           [](Args& args) {
             args.filters.dims = {10, 10, 15, 2, 4};
             args.pairs.dims = {1500, 2, 1'000'000};
             args.input.dims[0] = 1'000'000;
             args.indice_num.assign(1500, 1);
           }},
          {&Args::output, "2147483648", [](Args& args) {
             args.output.dims = {1 << 20, 1 << 11};
             args.num_act_out = 1 << 20;
             args.filters.dims[4] = 1 << 11;
           }}};
}

void rows_beyond_a_million(Args& args) { args.input.dims[0] = args.pairs.dims[2] = 1'000'001; }

void inverse(Args& args) { args.invert(); }

class ConvolutionLimits : public ConvolutionCalls {
 protected:
  std::string name_of(TensorArgument Args::*tensor) const {
    for (const Named& named : tensors()) {
      if (named.tensor == tensor) return named.name;
    }
    return "";
  }
  /// What the contract gives the filter gradient where the others have NOT_SUPPORTED.
  mluOpStatus_t filter_differs() const { return op().backward_filter ? BAD_PARAM : NOT_SUPPORTED; }
};

INSTANTIATE_TEST_SUITE_P(, ConvolutionLimits, all_functions, name_of_test);

TEST_P(ConvolutionLimits, OfTheCard) {
  for (const Large& large : large_calls()) {
    const std::string name = name_of(large.tensor);
    table.add(name, NOT_SUPPORTED,
              name + " must have fewer than 2147483648 elements, got " + large.elements + on_card,
              large.enlarge);
  }
  table.add("a million rows and one", filter_differs(),
            "indice_pairs dim 2 must be at most 1000000, got 1000001" + on_card,
            rows_beyond_a_million);
  table.add("inverse", filter_differs(), "inverse must be 0, got 1" + on_card, inverse);
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_DOUBLE, "DOUBLE"}, std::pair{MLUOP_DTYPE_BFLOAT16, "BFLOAT16"}}) {
    table.add(name, BAD_PARAM, std::string(" dtype must be HALF or FLOAT, got ") + name + on_card,
              [dtype = dtype](Args& args) { args.dtypes(dtype); });
  }
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

/// A query says how much; a run gets as far as the data, which are not there.
TEST_P(ConvolutionLimits, AreLiftedOtherwise) {
  std::vector<std::function<void(Args&)>> changes{rows_beyond_a_million};
  for (const Large& large : large_calls()) changes.push_back(large.enlarge);
  for (const auto& change : changes) {
    if (function().query) {
      expect_accepted("large", MLUOP_CPU_LIMITS_NONE, change);
      continue;
    }
    table.add("large", BAD_PARAM, " must not be null", [change](Args& args) {
      change(args);
      args.no_data();
    });
  }
  expect_refused(MLUOP_CPU_LIMITS_NONE);

  expect_accepted("inverse", MLUOP_CPU_LIMITS_NONE, inverse);
  for (mluOpDataType_t dtype : {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_BFLOAT16}) {
    expect_accepted("a dtype the card lacks", MLUOP_CPU_LIMITS_NONE,
                    [dtype](Args& args) { args.dtypes(dtype); });
  }
}

TEST_P(ConvolutionLimits, MayBeOfEachDimInstead) {
  // Every row creates its own handle, and a handle reads the variable when it is created.
  const testing::ScopedEnvironment check_dim_size{"MLUOP_CHECK_DIM_SIZE", "1"};
  table.add("2^31 channels", NOT_SUPPORTED,
            (op().forward() ? "filters dim 4" : output() + " dim 1") +
                " must be less than 2147483648, got 2147483648",
            [](Args& args) { args.output.dims[1] = args.filters.dims[4] = std::int64_t{1} << 31; });
  expect_refused(MLUOP_CPU_LIMITS_MLU);
  for (const Large& large : large_calls()) {
    if (function().query) expect_accepted("each dim is small", MLUOP_CPU_LIMITS_MLU, large.enlarge);
  }
}

/// Seen from the other side, the rules about rows change sides.
TEST_P(ConvolutionLimits, InverseExchangesTheRows) {
  const auto spoilt = [](auto change) {
    return [change](Args& args) {
      args.invert();
      change(args);
    };
  };
  table.add("output rows", BAD_PARAM, output() + " dim 0 must be L = 4 (indice_pairs dim 2), got 3",
            spoilt([](Args& args) { args.output.dims[0] = args.num_act_out = 3; }));
  table.add("counts", BAD_PARAM, "indice_num[5] must be at most 4, got 5",
            spoilt([](Args& args) { args.indice_num[5] = 5; }));
  expect_accepted("more than input rows", MLUOP_CPU_LIMITS_NONE, [](Args& args) {
    args.rows(4, 3);
    args.invert();
  });
  if (op().forward()) {
    table.add("num_act_out", BAD_PARAM, "features_out dim 0 must be num_act_out = 6, got 4",
              spoilt([](Args& args) { args.num_act_out = 6; }));
  }
  if (op().backward_data && !function().query) {
    table.add("sub_m", BAD_PARAM, "input_grad dim 0 must be L = 4 (indice_pairs dim 2), got 6",
              spoilt([](Args& args) { args.sub_m = 1; }));
  }
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

}  // namespace
}  // namespace mluop::sparse_conv::checks
