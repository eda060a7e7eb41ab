// Empty tensors: the convolutions succeed without touching anything, their queries answer 0.
#include <gtest/gtest.h>

#include <functional>

#include "ops/sparse_conv/kit/convolution/calls.hpp"

namespace mluop::sparse_conv::checks {
namespace {

struct Emptying {
  const char* what;
  std::function<void(Args&)> apply;
};

const Emptying emptyings[] = {
    {"no input rows", [](Args& args) { args.input.dims[0] = args.pairs.dims[2] = 0; }},
    {"no output rows", [](Args& args) { args.output.dims[0] = args.num_act_out = 0; }},
    {"no input channels", [](Args& args) { args.input.dims[1] = args.filters.dims[3] = 0; }},
    {"no output channels", [](Args& args) { args.output.dims[1] = args.filters.dims[4] = 0; }},
    {"no offsets", [](Args& args) { args.pairs.dims[0] = args.filters.dims[2] = 0; }}};

class ConvolutionEmpty : public ConvolutionCalls {};

INSTANTIATE_TEST_SUITE_P(, ConvolutionEmpty, all_functions, name_of_test);

TEST_P(ConvolutionEmpty, SucceedsWithoutDataAndWorkspace) {
  for (const auto& [what, apply] : emptyings) {
    const auto without_pairs = [apply = apply](Args& args) {
      apply(args);
      args.indice_num.assign(15, 0);
    };
    expect_skipped_in_both_modes(what, without_pairs);
    expect_skipped_in_both_modes(what, [without_pairs](Args& args) {
      without_pairs(args);
      args.no_data();
      args.has_workspace = false;
      args.workspace_size = 0;
    });
    expect_skipped_in_both_modes(what, [without_pairs](Args& args) {
      without_pairs(args);
      args.has_workspace = false;
      args.workspace_size = 64;
    });
  }
}

/// Forward and backward data look at the counts first, backward filter at the sizes.
TEST_P(ConvolutionEmpty, CountsMatterBeforeTheFilterGradientOnly) {
  const auto no_input_rows = emptyings[0].apply;
  const auto negative = [](Args& args) {
    emptyings[2].apply(args);
    args.indice_num[0] = -1;
  };
  if (op().backward_filter) {
    expect_skipped_in_both_modes("counts beyond no rows", no_input_rows);
    expect_skipped_in_both_modes("negative counts", negative);
  } else {
    table.add("counts beyond no rows", BAD_PARAM, "indice_num[0] must be at most 0, got 1",
              no_input_rows);
    table.add("negative counts", BAD_PARAM, "indice_num[0] must be at least 0, got -1", negative);
    expect_refused_in_both_modes();
  }
  expect_skipped_in_both_modes("no offset has a count", emptyings[4].apply);
}

TEST_P(ConvolutionEmpty, StridesOfAnEmptyTensorDoNotMatter) {
  expect_skipped_in_both_modes("strides", [](Args& args) {
    emptyings[2].apply(args);
    args.input.strides = {7, 7};
    args.filters.strides = {1, 2, 3, 4, 5};
  });
}

class ConvolutionEmptyQuery : public ConvolutionCalls {};

INSTANTIATE_TEST_SUITE_P(, ConvolutionEmptyQuery, all_queries, name_of_test);

TEST_P(ConvolutionEmptyQuery, OnlyForwardDoesWithoutAPlaceForTheSize) {
  const auto nowhere = [](Args& args) {
    emptyings[2].apply(args);
    args.has_size = false;
  };
  if (op().forward()) {
    expect_skipped_in_both_modes("nowhere to write", nowhere);
  } else {
    table.add("nowhere to write", BAD_PARAM, "workspace_size must not be null", nowhere);
    expect_refused_in_both_modes();
  }
}

}  // namespace
}  // namespace mluop::sparse_conv::checks
