// Submanifold calls: what backward data asks of them, and that the others ask nothing.
#include <gtest/gtest.h>

#include "ops/sparse_conv/kit/convolution/calls.hpp"

namespace mluop::sparse_conv::checks {
namespace {

/// As many output rows as input rows, and the most pairs at the centre.
void submanifold(Args& args) {
  args.sub_m = 1;
  args.rows(4, 4);
}

class ConvolutionSubM : public ConvolutionCalls {};

INSTANTIATE_TEST_SUITE_P(, ConvolutionSubM, all_functions, name_of_test);

TEST_P(ConvolutionSubM, IsAccepted) { expect_accepted_in_both_modes("centred", submanifold); }

TEST_P(ConvolutionSubM, BindsBackwardDataAlone) {
  const auto other_rows = [](Args& args) { args.sub_m = 1; };
  const auto no_centre = [](Args& args) {
    submanifold(args);
    args.indice_num[7] = 3;
  };
  const auto even = [](Args& args) {
    args.indice_num = {1, 2, 3, 4, 4, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0};
    submanifold(args);
    args.filters.dims = {1, 2, 4, 2, 4};
    args.pairs.dims[0] = 8;
  };
  if (op().backward_data && !function().query) {
    table.add("rows", BAD_PARAM, "output_grad dim 0 must be L = 4 (indice_pairs dim 2), got 6",
              other_rows);
    table.add("centre", BAD_PARAM,
              "indice_num[7], the centre when sub_m is 1, must be at least 4, got 3", no_centre);
    table.add("even", BAD_PARAM, "the number of offsets when sub_m is 1 must be odd, got 8", even);
    table.add("no offsets", BAD_PARAM, "the number of offsets when sub_m is 1 must be odd, got 0",
              [](Args& args) {
                submanifold(args);
                args.filters.dims[1] = args.pairs.dims[0] = 0;
              });
    table.add("rows before the centre", BAD_PARAM, "output_grad dim 0 must be L = 4",
              [no_centre](Args& args) {
                no_centre(args);
                args.output.dims[0] = 6;
              });
    table.add("centre before even", BAD_PARAM, "indice_num[4], the centre", [even](Args& args) {
      even(args);
      args.indice_num[4] = 3;
    });
    expect_refused_in_both_modes();
  } else {
    expect_accepted_in_both_modes("rows", other_rows);
    expect_accepted_in_both_modes("centre", no_centre);
    expect_accepted_in_both_modes("even", even);
  }
}

}  // namespace
}  // namespace mluop::sparse_conv::checks
