// The negative tests that MLU-OPS has for the three convolutions, under the card's limits: each row
// asks for the workspace size and, if that succeeds, runs. The statuses are those of the card.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ops/sparse_conv/kit/convolution/calls.hpp"

namespace mluop::sparse_conv::checks {
namespace {

struct Row {
  const char* what;
  mluOpStatus_t status;
  std::function<void(Args&)> spoil;
};

void expect_rows(const Operator& op, const std::function<void(Args&)>& base,
                 const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    Args args;
    args.limits = MLUOP_CPU_LIMITS_MLU;
    base(args);
    row.spoil(args);
    mluOpStatus_t status = Function{op, true}.call(args);
    args.size = Args::size_sentinel;
    if (status == SUCCESS) status = Function{op, false}.call(args);
    EXPECT_STREQ(mluOpGetErrorString(status), mluOpGetErrorString(row.status))
        << mluOpCpuGetLastError();
    EXPECT_TRUE(args.outputs_untouched());
  }
}

/// A tensor that takes the place of another.
auto set(TensorArgument Args::*tensor, Dims dims, mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT) {
  return [=](Args& args) {
    (args.*tensor).dims = dims;
    (args.*tensor).dtype = dtype;
  };
}
auto filter(mluOpTensorLayout_t layout, Dims dims, mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT) {
  return [=](Args& args) { args.filters = {dims, layout, dtype}; };
}
auto parameters(std::vector<std::int64_t> indice_num, std::int64_t inverse, std::int64_t sub_m) {
  return [=](Args& args) {
    args.indice_num = indice_num;
    args.inverse = inverse;
    args.sub_m = sub_m;
  };
}
template <class... Changes>
auto all_of(Changes... changes) {
  return [=](Args& args) { (changes(args), ...); };
}
constexpr auto pairs = &Args::pairs;
constexpr auto input = &Args::input;
constexpr auto output = &Args::output;
constexpr auto INT32 = MLUOP_DTYPE_INT32;
constexpr auto HALF = MLUOP_DTYPE_HALF;

TEST(ConvolutionApiRows, Forward) {
  const auto base = [](Args& args) {
    args.input.dims = {2, 3};
    args.filters = {{5, 1, 2, 2, 3}, MLUOP_LAYOUT_NDHWC};
    args.pairs.dims = {4, 2, 2};
    args.output.dims = {9, 5};
    args.indice_num = {1, 1, 1, 1};
    args.num_act_out = 9;
  };
  const auto outputs = [](std::int64_t rows) {
    return [rows](Args& args) { args.num_act_out = rows; };
  };
  const Dims no_pairs{4, 2, 0};
  expect_rows(
      forward, base,
      {{"no input", SUCCESS,
        all_of(set(input, {0, 3}), set(pairs, no_pairs, INT32), parameters({0, 0, 0, 0}, 0, 0))},
       {"no output", SUCCESS, all_of(set(output, {0, 5}), outputs(0))},
       {"features dtype", BAD_PARAM, set(input, {2, 3}, HALF)},
       {"features rank", BAD_PARAM, set(input, {3, 2, 1})},
       {"features channels", BAD_PARAM, set(input, {2, 4})},
       {"features rows", BAD_PARAM, set(input, {3, 3})},
       {"filters dtype", BAD_PARAM, filter(MLUOP_LAYOUT_NDHWC, {5, 1, 2, 2, 3}, HALF)},
       {"filters rank", NOT_SUPPORTED, filter(MLUOP_LAYOUT_NDHWC, {5, 1, 2, 2})},
       {"filters layout", NOT_SUPPORTED, filter(MLUOP_LAYOUT_NHWC, {5, 1, 2, 2, 3})},
       {"pairs dtype", BAD_PARAM, set(pairs, {4, 2, 2}, MLUOP_DTYPE_INT64)},
       {"pairs rank", BAD_PARAM, set(pairs, {4, 2}, INT32)},
       {"pairs offsets", BAD_PARAM, set(pairs, {5, 2, 2}, INT32)},
       {"pairs sides", BAD_PARAM, set(pairs, {4, 3, 2}, INT32)},
       {"pairs columns", BAD_PARAM, set(pairs, {4, 2, 3}, INT32)},
       {"output dtype", BAD_PARAM, set(output, {9, 5}, HALF)},
       {"output rank", BAD_PARAM, set(output, {9, 5, 5})},
       {"output rows", BAD_PARAM, set(output, {10, 5})},
       {"output channels", BAD_PARAM, set(output, {9, 6})},
       {"indice_num -1", BAD_PARAM, parameters({-1, 1, 1, 1}, 0, 0)},
       {"indice_num 4", BAD_PARAM, parameters({1, 1, 4, 1}, 0, 0)},
       {"num_act_out", BAD_PARAM, outputs(19)},
       {"inverse 2", BAD_PARAM, parameters({1, 1, 1, 1}, 2, 0)},
       {"sub_m 2", BAD_PARAM, parameters({1, 1, 1, 1}, 0, 2)},
       {"inverse 1", NOT_SUPPORTED, parameters({1, 1, 1, 1}, 1, 0)},
       {"large features", NOT_SUPPORTED,
        all_of(set(input, {21474837, 100}), filter(MLUOP_LAYOUT_NDHWC, {5, 1, 2, 2, 100}),
               set(pairs, {4, 2, 21474837}, INT32))},
       {"large filters", NOT_SUPPORTED,
        all_of(set(input, {2, 3000}), filter(MLUOP_LAYOUT_NDHWC, {89479, 2, 2, 2, 3000}),
               set(output, {9, 89479}))},
       {"large pairs", NOT_SUPPORTED,
        all_of(set(input, {89478486, 2}), filter(MLUOP_LAYOUT_NDHWC, {5, 3, 2, 2, 2}),
               set(pairs, {12, 2, 89478486}, INT32),
               parameters(std::vector<std::int64_t>(12, 1), 0, 0))},
       {"large output", NOT_SUPPORTED,
        all_of(filter(MLUOP_LAYOUT_NDHWC, {500, 1, 2, 2, 3}), set(output, {4294968, 500}),
               outputs(4294968))}});
}

TEST(ConvolutionApiRows, BackwardData) {
  const std::vector<std::int64_t> tens(9, 10), none(9, 0), ones(9, 1);
  const auto base = [tens](Args& args) {
    args.output.dims = {10, 10};
    args.filters = {{3, 3, 21, 10}, MLUOP_LAYOUT_HWCN};
    args.pairs.dims = {9, 2, 10};
    args.input.dims = {10, 21};
    args.indice_num = tens;
  };
  const auto hwcn = [](Dims dims, mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT) {
    return filter(MLUOP_LAYOUT_HWCN, std::move(dims), dtype);
  };
  std::vector<Row> rows{
      {"Y 0", SUCCESS, all_of(set(output, {0, 10}), parameters(none, 0, 0))},
      {"Co 0", SUCCESS, all_of(set(output, {10, 0}), hwcn({3, 3, 21, 0}))},
      {"Ci 0", SUCCESS, all_of(set(input, {10, 0}), hwcn({3, 3, 0, 10}))},
      {"K 0", SUCCESS, all_of(set(pairs, {0, 2, 10}, INT32), hwcn({0, 3, 21, 10}))},
      {"L 0", SUCCESS,
       all_of(set(pairs, {9, 2, 0}, INT32), set(input, {0, 21}), parameters(none, 0, 0))},
      {"all INT32", BAD_PARAM,
       all_of(set(output, {10, 10}, INT32), hwcn({3, 3, 21, 10}, INT32),
              set(input, {10, 21}, INT32))},
      {"output_grad HALF", BAD_PARAM, set(output, {10, 10}, HALF)},
      {"output_grad INT32", BAD_PARAM, set(output, {10, 10}, INT32)},
      {"output_grad channels", BAD_PARAM, set(output, {10, 9})},
      {"output_grad rank 1", BAD_PARAM, set(output, {10})},
      {"output_grad rank 3", BAD_PARAM, set(output, {10, 10, 10})},
      {"filters HALF", BAD_PARAM, hwcn({3, 3, 21, 10}, HALF)},
      {"filters INT32", BAD_PARAM, hwcn({3, 3, 21, 10}, INT32)},
      {"filters Kh", BAD_PARAM, hwcn({2, 3, 21, 10})},
      {"filters Kw", BAD_PARAM, hwcn({3, 2, 21, 10})},
      {"filters Ci", BAD_PARAM, hwcn({3, 3, 20, 10})},
      {"filters Co", BAD_PARAM, hwcn({3, 3, 21, 9})},
      {"filters rank 3", BAD_PARAM, hwcn({3, 21, 10})},
      {"filters rank 6", BAD_PARAM, hwcn({3, 3, 3, 3, 21, 10})},
      {"pairs FLOAT", BAD_PARAM, set(pairs, {9, 2, 10})},
      {"pairs INT16", BAD_PARAM, set(pairs, {9, 2, 10}, MLUOP_DTYPE_INT16)},
      {"pairs offsets", BAD_PARAM, set(pairs, {8, 2, 10}, INT32)},
      {"pairs sides", BAD_PARAM, set(pairs, {9, 1, 10}, INT32)},
      {"pairs columns", BAD_PARAM, set(pairs, {9, 2, 9}, INT32)},
      {"pairs rank 2", BAD_PARAM, set(pairs, {9, 2}, INT32)},
      {"pairs rank 4", BAD_PARAM, set(pairs, {9, 2, 10, 1}, INT32)},
      {"input_grad HALF", BAD_PARAM, set(input, {10, 21}, HALF)},
      {"input_grad INT32", BAD_PARAM, set(input, {10, 21}, INT32)},
      {"input_grad rows", BAD_PARAM, set(input, {9, 21})},
      {"input_grad channels", BAD_PARAM, set(input, {10, 20})},
      {"input_grad rank 1", BAD_PARAM, set(input, {10})},
      {"input_grad rank 3", BAD_PARAM, set(input, {10, 21, 1})},
      {"indice_num -1", BAD_PARAM, [](Args& args) { args.indice_num[0] = -1; }},
      {"indice_num 20", BAD_PARAM, [](Args& args) { args.indice_num[0] = 20; }},
      {"inverse -1", BAD_PARAM, parameters(tens, -1, 0)},
      {"sub_m -1", BAD_PARAM, parameters(tens, 0, -1)},
      {"sub_m 2", BAD_PARAM, parameters(tens, 0, 2)},
      {"inverse 1", NOT_SUPPORTED, parameters(tens, 1, 0)},
      {"sub_m with L not Y", BAD_PARAM, all_of(set(output, {9, 10}), parameters(ones, 0, 1))}};
  for (mluOpTensorLayout_t layout :
       {MLUOP_LAYOUT_TNC, MLUOP_LAYOUT_NTC, MLUOP_LAYOUT_NC, MLUOP_LAYOUT_NLC}) {
    rows.push_back({"layout", BAD_PARAM, filter(layout, {3, 3, 21, 10})});
  }
  for (const Dims& dims : {Dims{2, 4, 21, 10}, Dims{4, 2, 21, 10}}) {
    rows.push_back({"sub_m with K 8", BAD_PARAM,
                    all_of(hwcn(dims), set(pairs, {8, 2, 10}, INT32),
                           parameters(std::vector<std::int64_t>(8, 10), 0, 1))});
  }
  expect_rows(backward_data, base, rows);
}

TEST(ConvolutionApiRows, BackwardFilter) {
  // These counts exceed the three rows; MLU-OPS does not mind where there is nothing to do.
  const std::vector<std::int64_t> counts{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto base = [counts](Args& args) {
    args.input.dims = {3, 5};
    args.output.dims = {3, 3};
    args.pairs.dims = {9, 2, 3};
    args.filters.dims = {3, 3, 5, 3};
    args.indice_num = counts;
  };
  const auto array = [](Dims dims, mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT) {
    return filter(MLUOP_LAYOUT_ARRAY, std::move(dims), dtype);
  };
  const auto complex = MLUOP_DTYPE_COMPLEX_FLOAT;
  expect_rows(backward_filter, base,
              {{"L 0", SUCCESS, all_of(set(input, {0, 5}), set(pairs, {9, 2, 0}, INT32))},
               {"Y 0", SUCCESS, set(output, {0, 3})},
               {"K 0", SUCCESS, all_of(set(pairs, {0, 2, 3}, INT32), array({3, 0, 5, 3}))},
               {"complex", BAD_PARAM,
                all_of(set(input, {1, 5}, complex), set(output, {3, 3}, complex),
                       array({3, 3, 5, 3}, complex))},
               {"features dtype", BAD_PARAM, set(input, {3, 5}, HALF)},
               {"features rank", BAD_PARAM, set(input, {3, 5, 1})},
               {"features channels", BAD_PARAM, set(input, {3, 15})},
               {"features shape", BAD_PARAM, set(input, {13, 3})},
               {"pairs dtype", BAD_PARAM, set(pairs, {9, 2, 3}, MLUOP_DTYPE_INT64)},
               {"pairs offsets", BAD_PARAM, set(pairs, {11, 2, 3}, INT32)},
               {"pairs sides", BAD_PARAM, set(pairs, {9, 1, 3}, INT32)},
               {"pairs rank", BAD_PARAM, set(pairs, {9, 2, 3, 4}, INT32)},
               {"output_grad dtype", BAD_PARAM, set(output, {3, 3}, HALF)},
               {"output_grad rank", BAD_PARAM, set(output, {3, 3, 3})},
               {"output_grad channels", BAD_PARAM, set(output, {3, 4})},
               {"filters_grad dtype", BAD_PARAM, array({3, 3, 5, 3}, HALF)},
               {"filters_grad rank", BAD_PARAM, array({3, 3, 5})},
               {"filters_grad Ci", BAD_PARAM, array({3, 3, 15, 3})},
               {"filters_grad Co", BAD_PARAM, array({3, 3, 5, 13})},
               {"inverse 1", BAD_PARAM, all_of(set(input, {1, 5}), parameters(counts, 1, 0))},
               {"large features", NOT_SUPPORTED, set(input, {1147483648, 5})},
               {"large output_grad", NOT_SUPPORTED, set(output, {715827883, 3})},
               {"large pairs", NOT_SUPPORTED, set(pairs, {715827883, 2, 3}, INT32)},
               {"large filters_grad", NOT_SUPPORTED, array({47721859, 3, 5, 3})}});
}

}  // namespace
}  // namespace mluop::sparse_conv::checks
