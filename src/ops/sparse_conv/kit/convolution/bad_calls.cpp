// What the three convolutions and their size queries refuse, with which status and sentence.
#include <cstdint>
#include <string>

#include "ops/sparse_conv/kit/convolution/spoilable_call.hpp"

namespace mluop::sparse_conv::checks {
namespace {

class ConvolutionBadCalls : public SpoilableConvolution {
 public:
  using SpoilableConvolution::SpoilableConvolution;

  void null();
  void rank();
  void dtype();
  void onchip_dtype();
  void strides();
  void shapes();
  void parameters();
  void counts();
  void counts_and_output_rows();
  void negative_and_immense_sizes();
  void layouts();
  void overlaps();

 private:
  /// NOT_SUPPORTED where only forward says so.
  mluOpStatus_t forward_differs() const { return op().forward() ? NOT_SUPPORTED : BAD_PARAM; }
};

void ConvolutionBadCalls::null() {
  table.add("handle", BAD_PARAM, "handle must not be null",
            [](Args& args) { args.has_handle = false; });
  table.add("indice_num", BAD_PARAM, "indice_num must not be null",
            [](Args& args) { args.has_indice_num = false; });
  for (const auto& [name, tensor] : tensors()) {
    table.add(name + " descriptor", BAD_PARAM, name + "_desc must not be null",
              [tensor = tensor](Args& args) { (args.*tensor).has_desc = false; });
    if (function().query) continue;
    table.add(name + " data", BAD_PARAM, name + " must not be null",
              [tensor = tensor](Args& args) { (args.*tensor).has_data = false; });
  }
  if (function().query) {
    table.add("workspace_size", BAD_PARAM, "workspace_size must not be null",
              [](Args& args) { args.has_size = false; });
  }
  expect_refused_in_both_modes();
}

void ConvolutionBadCalls::rank() {
  for (const auto& [name, tensor] : tensors()) {
    if (tensor == &Args::filters) continue;
    table.add_wrong_ranks(name, tensor, tensor == &Args::pairs ? 3 : 2);
  }
  table.add("filters of rank 3", forward_differs(), "5 dims, got 3", [](Args& args) {
    args.filters.dims = {15, 2, 4};
  });
  table.add("filters of rank 6", forward_differs(), "5 dims, got 6",
            [](Args& args) { args.filters.dims = {1, 1, 3, 5, 2, 4}; });
  expect_refused_in_both_modes();
}

void ConvolutionBadCalls::dtype() {
  for (const auto& [name, tensor] : floats()) {
    for (mluOpDataType_t dtype : {MLUOP_DTYPE_INT32, MLUOP_DTYPE_COMPLEX_FLOAT, MLUOP_DTYPE_INVALID,
                                  static_cast<mluOpDataType_t>(200)}) {
      table.add(name, BAD_PARAM, name + " dtype must be HALF",
                [tensor = tensor, dtype](Args& args) { (args.*tensor).dtype = dtype; });
    }
    table.add(name + " of another dtype", BAD_PARAM, " dtype must be that of ",
              [tensor = tensor](Args& args) { (args.*tensor).dtype = MLUOP_DTYPE_HALF; });
  }
  table.add("pairs of 64 bits", BAD_PARAM, "indice_pairs dtype must be INT32, got INT64",
            [](Args& args) { args.pairs.dtype = MLUOP_DTYPE_INT64; });
  table.add("pairs of floats", BAD_PARAM, "indice_pairs dtype must be INT32, got FLOAT",
            [](Args& args) { args.pairs.dtype = MLUOP_DTYPE_FLOAT; });
  expect_refused_in_both_modes();
}

/// Backward filter alone looks at on-chip dtypes.
void ConvolutionBadCalls::onchip_dtype() {
  const auto onchip = [](TensorArgument Args::*tensor, mluOpDataType_t dtype) {
    return [=](Args& args) { (args.*tensor).onchip_dtype = dtype; };
  };
  for (const auto& [name, tensor] : tensors()) {
    const bool is_pairs = tensor == &Args::pairs;
    expect_accepted_in_both_modes("the tensor's own",
                                  onchip(tensor, is_pairs ? MLUOP_DTYPE_INT32 : MLUOP_DTYPE_FLOAT));
    if (!op().backward_filter) {
      expect_accepted_in_both_modes("any other", onchip(tensor, MLUOP_DTYPE_INT8));
      continue;
    }
    for (mluOpDataType_t dtype : {MLUOP_DTYPE_HALF, MLUOP_DTYPE_INT8}) {
      table.add(name, BAD_PARAM,
                name + " on-chip dtype, if set, must be " + (is_pairs ? "INT32" : "FLOAT"),
                onchip(tensor, dtype));
    }
  }
  expect_refused_in_both_modes();
  expect_accepted_in_both_modes("sums wider than the result", [](Args& args) {
    args.dtypes(MLUOP_DTYPE_HALF);
    args.filters.onchip_dtype = MLUOP_DTYPE_FLOAT;
  });
}

void ConvolutionBadCalls::strides() {
  for (const auto& [name, tensor] : tensors()) {
    table.add_strided(name, tensor, "with padded rows", NOT_SUPPORTED,
                      [](auto& strides) { strides.end()[-2] += 1; });
    table.add_strided(name, tensor, "with spaced elements", NOT_SUPPORTED,
                      [](auto& strides) { strides.back() = 2; });
    table.add_strided(name, tensor, "broadcast", NOT_SUPPORTED,
                      [](auto& strides) { strides.end()[-2] = 0; });
  }
  expect_refused_in_both_modes();
}

void ConvolutionBadCalls::shapes() {
  table.add("input channels", BAD_PARAM,
            input() + " dim 1 must be Ci = 2 (" + filters() + " dim 3), got 3",
            [](Args& args) { args.input.dims[1] = 3; });
  table.add("output channels", BAD_PARAM,
            output() + " dim 1 must be Co = 4 (" + filters() + " dim 4), got 5",
            [](Args& args) { args.output.dims[1] = 5; });
  table.add("input rows", BAD_PARAM, input() + " dim 0 must be L = 4 (indice_pairs dim 2), got 5",
            [](Args& args) { args.input.dims[0] = 5; });
  table.add("columns of pairs", BAD_PARAM,
            input() + " dim 0 must be L = 3 (indice_pairs dim 2), got 4", [](Args& args) {
              args.pairs.dims[2] = 3;
              args.indice_num.assign(15, 1);
            });
  table.add("pairs of three", BAD_PARAM, "indice_pairs dim 1 must be 2, got 3",
            [](Args& args) { args.pairs.dims[1] = 3; });
  table.add("offsets of pairs", BAD_PARAM, "indice_pairs dim 0 must be Kd * Kh * Kw = 15, got 14",
            [](Args& args) { args.pairs.dims[0] = 14; });
  for (std::size_t axis : {0u, 1u, 2u}) {
    table.add("offsets of filters", BAD_PARAM, "indice_pairs dim 0 must be Kd * Kh * Kw = ",
              [axis](Args& args) { args.filters.dims[axis] += 1; });
  }
  table.add("Ci of filters", BAD_PARAM, input() + " dim 1 must be Ci = 3",
            [](Args& args) { args.filters.dims[3] = 3; });
  table.add("Co of filters", BAD_PARAM, output() + " dim 1 must be Co = 3",
            [](Args& args) { args.filters.dims[4] = 3; });
  if (op().forward()) {
    table.add("output rows", BAD_PARAM, "features_out dim 0 must be num_act_out = 6, got 5",
              [](Args& args) { args.output.dims[0] = 5; });
    table.add("num_act_out", BAD_PARAM, "features_out dim 0 must be num_act_out = -6, got 6",
              [](Args& args) { args.num_act_out = -6; });
  }
  expect_refused_in_both_modes();
}

void ConvolutionBadCalls::parameters() {
  for (std::int64_t value : {std::int64_t{-1}, std::int64_t{2}, std::int64_t{1} << 32}) {
    const std::string rule = " must be one of 0, 1, got " + std::to_string(value);
    table.add("inverse", BAD_PARAM, "inverse" + rule,
              [value](Args& args) { args.inverse = value; });
    const bool asks_sub_m = op().forward() || (op().backward_data && !function().query);
    if (asks_sub_m) {
      table.add("sub_m", BAD_PARAM, "sub_m" + rule, [value](Args& args) { args.sub_m = value; });
    } else {
      expect_accepted_in_both_modes("sub_m does not matter",
                                    [value](Args& args) { args.sub_m = value; });
    }
  }
  expect_refused_in_both_modes();
}

void ConvolutionBadCalls::counts() {
  for (std::size_t k : {std::size_t{0}, std::size_t{7}, std::size_t{14}}) {
    const std::string at = "indice_num[" + std::to_string(k) + "] must be ";
    table.add("negative", BAD_PARAM, at + "at least 0, got -1",
              [k](Args& args) { args.indice_num[k] = -1; });
    table.add("more than there are columns", BAD_PARAM, at + "at most 4, got 5",
              [k](Args& args) { args.indice_num[k] = 5; });
  }
  table.add("the first offset decides", BAD_PARAM, "indice_num[2] must be at most 4, got 9",
            [](Args& args) { args.indice_num[2] = args.indice_num[3] = 9; });
  expect_refused_in_both_modes();
}

/// The card's backward data alone asks that an offset joins a row once at most.
void ConvolutionBadCalls::counts_and_output_rows() {
  const auto spoil = [](Args& args) { args.rows(4, 3); };
  expect_accepted("more than output rows", MLUOP_CPU_LIMITS_NONE, spoil);
  if (op().backward_data) {
    table.add("more than output rows", BAD_PARAM,
              "indice_num[3] must be at most 3, got 4" + on_card, spoil);
    expect_refused(MLUOP_CPU_LIMITS_MLU);
  } else {
    expect_accepted("more than output rows", MLUOP_CPU_LIMITS_MLU, spoil);
  }
}

void ConvolutionBadCalls::negative_and_immense_sizes() {
  table.add("negative channels", BAD_PARAM, input() + " dim 1 must be at least 0, got -2",
            [](Args& args) { args.filters.dims[3] = args.input.dims[1] = -2; });
  table.add("two negative sizes", BAD_PARAM, filters() + " dim 1 must be at least 0, got -3",
            [](Args& args) {
              args.filters.dims[1] = -3;
              args.filters.dims[2] = -5;
            });
  table.add("negative rows", BAD_PARAM,
            op().backward_data ? "indice_num[0] must be at most -4, got 0"
                               : input() + " dim 0 must be at least 0, got -4",
            [](Args& args) {
              args.pairs.dims[2] = args.input.dims[0] = -4;
              args.indice_num.assign(15, 0);
            });
  table.add("no address space is this large", BAD_PARAM,
            input() + " must fit an address space, got dims [4, 70368744177664]",
            [](Args& args) { args.input.dims[1] = args.filters.dims[3] = std::int64_t{1} << 46; });
  table.add("offsets overflow", BAD_PARAM,
            "indice_pairs dim 0 must be Kd * Kh * Kw, which overflows, got 15", [](Args& args) {
              const std::int64_t side = std::int64_t{1} << 32;
              args.filters.dims = {side, side, side, 0, 4};
              args.input.dims[1] = 0;
            });
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

/// The MLU-OPS entry of backward filter alone does not look at the layout.
void ConvolutionBadCalls::layouts() {
  const auto as = [](mluOpTensorLayout_t layout) {
    return [layout](Args& args) { args.filters.layout = layout; };
  };
  if (op().backward_filter && !op().by_layout) {
    for (const mluOpTensorLayout_t layout : {MLUOP_LAYOUT_NTC, MLUOP_LAYOUT_NHWC}) {
      expect_accepted_in_both_modes("any layout", as(layout));
    }
    return;
  }
  table.add("no layout of filters", forward_differs(), filters() + " layout must be ",
            as(MLUOP_LAYOUT_NTC));
  expect_refused_in_both_modes();
  table = {};
  table.add("a layout of 4 dims", forward_differs(),
            filters() + " must have 4 dims in layout NHWC, got 5", as(MLUOP_LAYOUT_NHWC));
  expect_refused(MLUOP_CPU_LIMITS_NONE);
  if (!op().forward()) expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void ConvolutionBadCalls::overlaps() {
  if (function().query) return;
  testing::expect_overlaps_refused(
      function().name(), "", Args{}, [&](Args& args) { return function().memory(args); },
      [&](Args& args) { return function().call(args); });
}

}  // namespace

std::vector<testing::BadCallOutcome> bad_calls(const Function& function) {
  return testing::outcomes_of([&] {
    for (const auto rows :
         {&ConvolutionBadCalls::null, &ConvolutionBadCalls::rank, &ConvolutionBadCalls::dtype,
          &ConvolutionBadCalls::onchip_dtype, &ConvolutionBadCalls::strides,
          &ConvolutionBadCalls::shapes, &ConvolutionBadCalls::parameters,
          &ConvolutionBadCalls::counts, &ConvolutionBadCalls::counts_and_output_rows,
          &ConvolutionBadCalls::negative_and_immense_sizes, &ConvolutionBadCalls::layouts,
          &ConvolutionBadCalls::overlaps}) {
      ConvolutionBadCalls calls(function);
      (calls.*rows)();
    }
  });
}

std::vector<testing::BadCallOutcome> bad_calls(std::string_view op) {
  std::vector<testing::BadCallOutcome> outcomes;
  for (const Operator* one :
       {&forward, &backward_data, &backward_filter, &backward_filter_by_layout}) {
    // Two entries are one operator.
    if (one->name != op && !(one->by_layout && op == backward_filter.name)) continue;
    for (const bool query : {false, true}) {
      const auto more = bad_calls(Function{*one, query});
      outcomes.insert(outcomes.end(), more.begin(), more.end());
    }
  }
  return outcomes;
}

}  // namespace mluop::sparse_conv::checks
