// Which of two faults the three convolutions and their size queries report: every pair of faults.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "ops/sparse_conv/kit/convolution/calls.hpp"

namespace mluop::sparse_conv::checks {
namespace {

/// Faults touch different parts of a call, so that any two can be combined.
struct Fault {
  const char* what;
  mluOpStatus_t status;
  std::string text;
  std::function<void(Args&)> spoil;
};
using Chain = std::vector<Fault>;

const Fault no_handle{"handle", BAD_PARAM, "handle must not be null",
                      [](Args& args) { args.has_handle = false; }};
const Fault no_counts{"indice_num", BAD_PARAM, "indice_num must not be null",
                      [](Args& args) { args.has_indice_num = false; }};
const Fault no_size{"workspace_size", BAD_PARAM, "workspace_size must not be null",
                    [](Args& args) { args.has_size = false; }};
const Fault wrong_inverse{"inverse", BAD_PARAM, "inverse must be one of 0, 1, got 2",
                          [](Args& args) { args.inverse = 2; }};
const Fault wrong_sub_m{"sub_m", BAD_PARAM, "sub_m must be one of 0, 1, got 2",
                        [](Args& args) { args.sub_m = 2; }};
const Fault dtype_of_pairs{"dtype of pairs", BAD_PARAM, "indice_pairs dtype must be INT32",
                           [](Args& args) { args.pairs.dtype = MLUOP_DTYPE_FLOAT; }};
const Fault strides{"strides", NOT_SUPPORTED, "indice_pairs must be contiguous", [](Args& args) {
                      args.pairs.strides = {99, 9, 1};
                    }};
const Fault three_sides{"sides", BAD_PARAM, "indice_pairs dim 1 must be 2, got 3",
                        [](Args& args) { args.pairs.dims[1] = 3; }};
const Fault negative_count{"negative count", BAD_PARAM, "indice_num[2] must be at least 0",
                           [](Args& args) { args.indice_num[2] = -1; }};
const Fault large_count{"large count", BAD_PARAM, "must be at most 4, got 9",
                        [](Args& args) { args.indice_num[1] = 9; }};
const Fault empty{"empty", SUCCESS, "",
                  [](Args& args) { args.input.dims[1] = args.filters.dims[3] = 0; }};
const Fault no_data{"data", BAD_PARAM, "indice_pairs must not be null",
                    [](Args& args) { args.pairs.has_data = false; }};
const Fault no_workspace{"workspace", BAD_PARAM, "workspace must not be null",
                         [](Args& args) { args.has_workspace = false; }};
const Fault bad_pair{"pair", BAD_PARAM, "indice_pairs[2,0,1] must be at least 0",
                     [](Args& args) { args.pair(2, 0, 1) = -5; }};

Fault wrong_layout(mluOpStatus_t status) {
  return {"layout", status, " layout must be ",
          [](Args& args) { args.filters.layout = MLUOP_LAYOUT_TNC; }};
}
Fault too_many_rows(mluOpStatus_t status) {
  return {"rows", status, "indice_pairs dim 2 must be at most 1000000, got 1000001" + on_card,
          [](Args& args) { args.pairs.dims[2] = args.input.dims[0] = 1'000'001; }};
}
Fault inverse_on_card(mluOpStatus_t status) {
  return {"inverse on the card", status, "inverse must be 0, got 1" + on_card,
          [](Args& args) { args.inverse = 1; }};
}

/// The chains of the three operators; `card` adds what only the card asks.
class ConvolutionCheckOrder : public ConvolutionCalls {
 protected:
  Fault no_descriptor(const Named& named) const {
    return {"descriptor", BAD_PARAM, named.name + "_desc must not be null",
            [tensor = named.tensor](Args& args) { (args.*tensor).has_desc = false; }};
  }
  Fault no_descriptor_of_input() const { return no_descriptor(tensors()[0]); }
  Fault no_descriptor_of_output() const { return no_descriptor(tensors()[3]); }
  Fault rank() const {
    return {"rank", BAD_PARAM, output() + " must have 2 dims, got 3",
            [](Args& args) { args.output.dims.push_back(1); }};
  }
  Fault dtype_of_filters() const {
    return {"dtype of filters", BAD_PARAM, filters() + " dtype must be HALF",
            [](Args& args) { args.filters.dtype = MLUOP_DTYPE_INT32; }};
  }
  Fault mixed_dtypes() const {
    return {"mixed dtypes", BAD_PARAM, "dtype must be that of",
            [](Args& args) { args.output.dtype = MLUOP_DTYPE_HALF; }};
  }
  Fault negative_sizes() const {
    return {"sizes", BAD_PARAM, filters() + " dim 1 must be at least 0, got -3", [](Args& args) {
              args.filters.dims[1] = -3;
              args.filters.dims[2] = -5;
            }};
  }
  Fault shape() const {
    return {"shape", BAD_PARAM, output() + " dim 1 must be Co = 4",
            [](Args& args) { args.output.dims[1] = 5; }};
  }

  Chain forward_chain(bool card) const {
    Chain chain{
        no_handle,          no_descriptor_of_input(), no_counts,      no_descriptor_of_output(),
        dtype_of_filters(), dtype_of_pairs,           mixed_dtypes(), wrong_sub_m};
    chain.push_back(card ? inverse_on_card(NOT_SUPPORTED) : wrong_inverse);
    chain.push_back(wrong_layout(NOT_SUPPORTED));
    chain.push_back(rank());
    if (card) chain.push_back(too_many_rows(NOT_SUPPORTED));
    const Fault rank_of_filters{"rank of filters", NOT_SUPPORTED, "5 dims, got 6", [](Args& args) {
                                  args.filters.dims.insert(args.filters.dims.begin(), 1);
                                }};
    for (const Fault& fault :
         {rank_of_filters, strides, negative_sizes(), shape(), negative_count}) {
      chain.push_back(fault);
    }
    chain.push_back(empty);
    if (function().query) chain.push_back(no_size);
    return chain;
  }

  Chain backward_data_chain(bool card) const {
    Chain chain{no_handle};
    if (function().query) chain.push_back(no_size);
    for (const Fault& fault :
         {no_descriptor_of_output(), no_descriptor_of_input(), no_counts, rank(), three_sides}) {
      chain.push_back(fault);
    }
    if (card) chain.push_back(too_many_rows(NOT_SUPPORTED));
    for (const Fault& fault :
         {dtype_of_filters(), dtype_of_pairs, wrong_layout(BAD_PARAM), strides}) {
      chain.push_back(fault);
    }
    if (!card) chain.push_back(wrong_inverse);
    if (!function().query) chain.push_back(wrong_sub_m);
    chain.push_back(negative_count);
    if (card) chain.push_back(inverse_on_card(NOT_SUPPORTED));
    for (const Fault& fault : {shape(), large_count, mixed_dtypes(), negative_sizes(), empty}) {
      chain.push_back(fault);
    }
    return chain;
  }

  Chain backward_filter_chain(bool card) const {
    Chain chain{no_handle};
    if (function().query) chain.push_back(no_size);
    const Fault onchip{"on-chip dtype", BAD_PARAM, "features on-chip dtype, if set, must be FLOAT",
                       [](Args& args) { args.input.onchip_dtype = MLUOP_DTYPE_HALF; }};
    const Fault onchip_result{"on-chip dtype of the result", BAD_PARAM,
                              "filters_grad on-chip dtype, if set, must be ",
                              [](Args& args) { args.filters.onchip_dtype = MLUOP_DTYPE_INT32; }};
    for (const Fault& fault :
         {no_descriptor_of_input(), no_descriptor_of_output(), no_counts,
          card ? inverse_on_card(BAD_PARAM) : wrong_inverse, strides, dtype_of_pairs,
          dtype_of_filters(), mixed_dtypes(), onchip, onchip_result, negative_sizes(), rank()}) {
      chain.push_back(fault);
    }
    if (op().by_layout) chain.push_back(wrong_layout(BAD_PARAM));
    if (card) chain.push_back(too_many_rows(BAD_PARAM));
    for (const Fault& fault : {shape(), empty, negative_count}) chain.push_back(fault);
    return chain;
  }

  Fault overlap() const {
    return {"overlap", BAD_PARAM,
            op().target() + (" must not overlap " + std::string(op().source()) + " in memory"),
            [this](Args& args) {
              TensorArgument& source = op().backward_data ? args.output : args.input;
              source.place = (args.*op().result).data();
            }};
  }

  Chain chain(bool card) const {
    Chain faults = op().forward()       ? forward_chain(card)
                   : op().backward_data ? backward_data_chain(card)
                                        : backward_filter_chain(card);
    if (!function().query) {
      faults.insert(faults.end(), {no_data, no_workspace, overlap(), bad_pair});
    }
    return faults;
  }
};

INSTANTIATE_TEST_SUITE_P(, ConvolutionCheckOrder, all_functions, name_of_test);

TEST_P(ConvolutionCheckOrder, OfEveryPairOfFaults) {
  for (bool card : {false, true}) {
    table = {};
    const Chain faults = chain(card);
    for (std::size_t i = 0; i < faults.size(); ++i) {
      for (std::size_t j = i + 1; j < faults.size(); ++j) {
        const Fault &first = faults[i], &second = faults[j];
        // A query that succeeds writes a size, unless there is no place for it.
        if (first.status == SUCCESS && function().query && second.text != no_size.text) continue;
        table.add(first.what + std::string(" before ") + second.what, first.status, first.text,
                  [first, second](Args& args) {
                    second.spoil(args);
                    first.spoil(args);
                  });
      }
    }
    expect_refused(card ? MLUOP_CPU_LIMITS_MLU : MLUOP_CPU_LIMITS_NONE);
  }
}

/// 2^31 elements: before the shapes, except for backward data.
TEST_P(ConvolutionCheckOrder, OfLargeTensors) {
  const auto large_and_misshapen = [](Args& args) {
    args.filters.dims = {1, 3, 5, 1 << 14, 1 << 14};
    args.input.dims[1] = args.output.dims[1] = 1 << 14;
    args.pairs.dims[0] = 14;
  };
  if (op().backward_data) {
    table.add("shape before size", BAD_PARAM, "indice_pairs dim 0 must be Kd * Kh * Kw = 15",
              large_and_misshapen);
  } else {
    table.add("size before shape", NOT_SUPPORTED, "must have fewer than 2147483648 elements",
              large_and_misshapen);
  }
  table.add("size before empty", NOT_SUPPORTED, output() + " must have fewer than 2147483648",
            [](Args& args) {
              args.filters.dims = {1, 3, 5, 0, 1 << 11};
              args.input.dims[1] = 0;
              args.output.dims = {1 << 20, 1 << 11};
              args.num_act_out = 1 << 20;
            });
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

}  // namespace
}  // namespace mluop::sparse_conv::checks
