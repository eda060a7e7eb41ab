// Which of two faults pooling reports, and what is no fault at all.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "ops/sparse_pool/kit/spoilable_call.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::sparse_pool::checks {
namespace {

class SparsePoolCheckOrder : public ::testing::TestWithParam<const Operation*>, protected BadCalls {
 protected:
  SparsePoolCheckOrder() : BadCalls(*GetParam()) {}

  struct Fault {
    std::string what;
    mluOpStatus_t status;
    std::string text;
    std::function<void(Args&)> spoil;
  };

  /// One fault for each step of the contract, in its order; later ones do not undo earlier ones.
  std::vector<Fault> faults() const {
    const auto result_argument = floats_of(operation()).back().tensor;
    std::vector<Fault> all{{"handle", BAD_PARAM, "handle must not be null",
                            [](Args& args) { args.has_handle = false; }},
                           {"descriptor", BAD_PARAM, result() + "_desc must not be null",
                            [=](Args& args) { (args.*result_argument).has_desc = false; }},
                           {"indice_num", BAD_PARAM, "indice_num must not be null",
                            [](Args& args) { args.has_indice_num = false; }},
                           {"dtype", BAD_PARAM, result() + " dtype must be that of " + first(),
                            [=](Args& args) { (args.*result_argument).dtype = MLUOP_DTYPE_HALF; }},
                           {"pairs' dtype", BAD_PARAM, "indice_pairs dtype must be INT32",
                            [](Args& args) { args.pairs.dtype = MLUOP_DTYPE_INT64; }}};
    if (operation().maximum) {
      all.push_back({"mode", BAD_PARAM, "mode must be one of 0, 1, got 9",
                     [](Args& args) { args.mode = 9; }});
    }
    const std::vector<Fault> rest{{"rank", BAD_PARAM, "indice_pairs must have 3 dims, got 4",
                                   [](Args& args) { args.pairs.dims.push_back(1); }},
                                  {"strides", NOT_SUPPORTED, result() + " must be contiguous",
                                   [=](Args& args) {
                                     (args.*result_argument).strides = {10, 2};
                                   }},
                                  {"shape", BAD_PARAM, "indice_pairs dim 1 must be 2, got 3",
                                   [](Args& args) { args.pairs.dims[1] = 3; }},
                                  {"count", BAD_PARAM, "indice_num[0] must be at most 4, got 5",
                                   [](Args& args) { args.indice_num[0] = 5; }},
                                  {"data", BAD_PARAM, result() + " must not be null",
                                   [=](Args& args) { (args.*result_argument).has_data = false; }},
                                  {"overlap", BAD_PARAM, "must not overlap",
                                   [](Args& args) {
                                     args.features_out.place = args.input_grad.place =
                                         args.pairs_data.data();
                                   }},
                                  {"pair", BAD_PARAM, "indice_pairs[2,0,1] must be at least 0",
                                   [](Args& args) { args.pair(2, 0, 1) = -4; }}};
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }
};

INSTANTIATE_TEST_SUITE_P(, SparsePoolCheckOrder,
                         ::testing::ValuesIn(operations().begin(), operations().end()),
                         [](const auto& test) { return std::string{test.param->op}; });

TEST_P(SparsePoolCheckOrder, TheFirstOfTwoFaultsIsReported) {
  const std::vector<Fault> all = faults();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      table.add(all[i].what + " before " + all[j].what, all[i].status, all[i].text,
                [first = all[i].spoil, second = all[j].spoil](Args& args) {
                  second(args);
                  first(args);
                });
    }
  }
  expect_refused_in_both_modes();
}

TEST_P(SparsePoolCheckOrder, EmptyTensorsAreSuccessAfterShapesAndCounts) {
  const auto expect = [&](const char* what, mluOpStatus_t status,
                          const std::function<void(Args&)>& change) {
    for (const mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
      SCOPED_TRACE(what);
      Args args;
      args.limits = limits;
      args.features.has_data = args.features_out.has_data = args.output_grad.has_data =
          args.pairs.has_data = args.input_grad.has_data = false;
      change(args);
      EXPECT_EQ(call(operation(), args), status) << mluOpCpuGetLastError();
      EXPECT_TRUE(args.outputs_untouched());
    }
  };
  expect("no channels", SUCCESS, [](Args& args) { args.sizes(4, 6, 0); });
  expect("no output rows", SUCCESS, [](Args& args) { args.sizes(4, 0, 5); });
  expect("no input rows", SUCCESS, [](Args& args) {
    args.sizes(0, 6, 5);
    args.indice_num = {0, 0, 0};
  });
  expect("no offsets", SUCCESS, [](Args& args) { args.pairs.dims[0] = 0; });
  expect("counts come first", BAD_PARAM, [](Args& args) { args.sizes(0, 6, 5); });
  expect("and shapes", BAD_PARAM, [](Args& args) {
    args.sizes(4, 6, 0);
    args.pairs.dims[1] = 1;
  });
}

TEST_P(SparsePoolCheckOrder, GoodCalls) {
  const auto expect_accepted = [&](const char* what, mluOpCpuLimits_t limits,
                                   const std::function<void(Args&)>& change) {
    SCOPED_TRACE(what);
    Args args;
    args.limits = limits;
    change(args);
    EXPECT_EQ(call(operation(), args), SUCCESS) << mluOpCpuGetLastError();
    EXPECT_FALSE(args.outputs_untouched());
  };
  for (const mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    expect_accepted("HALF", limits, [](Args& args) { args.dtypes(MLUOP_DTYPE_HALF); });
    expect_accepted("layouts do not matter", limits, [](Args& args) {
      args.features.layout = args.output_grad.layout = MLUOP_LAYOUT_NC;
      args.pairs.layout = MLUOP_LAYOUT_NLC;
    });
    expect_accepted("strides of dims of size 1 do not matter", limits, [](Args& args) {
      args.sizes(4, 6, 1);
      args.features.strides = args.input_grad.strides = {1, 77};
    });
    expect_accepted("the true maximum", limits,
                    [](Args& args) { args.mode = MLUOP_CPU_MAXPOOL_EXACT; });
    expect_accepted("no pairs at all", limits, [](Args& args) { args.indice_num = {0, 0, 0}; });
  }
  for (const mluOpDataType_t dtype : {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_BFLOAT16}) {
    expect_accepted("a dtype the card lacks", MLUOP_CPU_LIMITS_NONE,
                    [dtype](Args& args) { args.dtypes(dtype); });
  }
}

}  // namespace
}  // namespace mluop::sparse_pool::checks
