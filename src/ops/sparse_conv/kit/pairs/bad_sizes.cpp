// The sizes that mluOpGetIndicePairs and its size query refuse: beyond the card, or beyond any machine.
#include "ops/sparse_conv/kit/pairs/spoilable_call.hpp"
#include "testing/faults/scoped_environment.hpp"

namespace mluop::sparse_conv::pairs_checks {
namespace {

class GetIndicePairsBadSizes {
 public:
  void limits_of_the_card();
  void sizes_that_no_machine_has();
  void workspace_that_no_machine_has();
  void card_may_limit_each_dim_instead();

 private:
  Table table;
};

/// Descriptors may have been set before the limits applied.
void GetIndicePairsBadSizes::limits_of_the_card() {
  table.add("images", BAD_PARAM, "sparse_conv_desc dimNb must be 5, got 4" + on_card,
            [](Args& args) { args.geometry.axes = 2; });
  table.add("transpose", BAD_PARAM, "sparse_conv_desc transpose must be 0, got 1" + on_card,
            [](Args& args) { args.geometry.transpose = 1; });
  table.add("inverse", BAD_PARAM, "sparse_conv_desc inverse must be 0, got 1" + on_card,
            [](Args& args) { args.geometry.inverse = 1; });
  table.add("stride and dilation", BAD_PARAM,
            "stride[1] where dilation[1] is not 1 must be 1, got 2" + on_card,
            [](Args& args) { args.geometry.stride[1] = args.geometry.dilation[1] = 2; });
  table.add("sub_m with dilation", BAD_PARAM, "dilation[2] with sub_m must be 1, got 3" + on_card,
            [](Args& args) {
              args.geometry.sub_m = 1;
              args.geometry.output_space = args.geometry.input_space;
              args.geometry.dilation[2] = 3;
              args.rows.dims[0] = 1;
            });
  table.add("more sites than cells", BAD_PARAM, "indices dim 0 must be at most 1, got 2" + on_card,
            [](Args& args) { args.sites(2); });
  table.add("offsets", BAD_PARAM, "indice_pairs dim 0 must be at most 4096, got 4913" + on_card,
            [](Args& args) {
              args.geometry.filter_space = {17, 17, 17};
              args.offsets(4913);
            });
  table.add("sites", BAD_PARAM, "indices dim 0 must be at most 1000000, got 1000001" + on_card,
            [](Args& args) {
              args.geometry.input_space = {1, 1000, 1001};
              args.sites(1'000'001);
            });
  table.add("elements", NOT_SUPPORTED,
            "indice_pairs must have fewer than 2147483648 elements, got 4096000000" + on_card,
            [](Args& args) {
              args.geometry.input_space = {1, 1000, 1000};
              args.geometry.filter_space = {16, 16, 16};
              args.sites(500'000);
              args.offsets(4096);
            });
  table.expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void GetIndicePairsBadSizes::sizes_that_no_machine_has() {
  table.add("negative", BAD_PARAM, "indices dim 0 must be at least 0, got -1",
            [](Args& args) { args.sites(-1); });
  table.add("address space", BAD_PARAM, "indice_pairs must fit an address space", [](Args& args) {
    args.geometry.input_space = {1 << 20, 1 << 20, 1};
    args.geometry.filter_space = {1 << 10, 1 << 10, 1 << 4};
    args.sites(std::int64_t{1} << 30);
    args.offsets(std::int64_t{1} << 24);
  });
  table.add("more rows than int32", NOT_SUPPORTED,
            "indices dim 0 must be at most 2147483647, got 2147483648", [](Args& args) {
              args.geometry.input_space = {1 << 20, 1 << 20, 1};
              args.sites(std::int64_t{1} << 31);
            });
  table.add("input space", NOT_SUPPORTED,
            "batch_size times input_space must be at most 46116860184273", [](Args& args) {
              args.geometry.input_space = {1 << 30, 1 << 30, 1 << 30};
            });
  table.add("output space", NOT_SUPPORTED,
            "batch_size times output_space must be at most 46116860184273", [](Args& args) {
              args.geometry.output_space = {1 << 30, 1 << 30, 8};
            });
  table.expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void GetIndicePairsBadSizes::workspace_that_no_machine_has() {
  table.add("sorted sites", MLUOP_STATUS_ALLOC_FAILED, "out of memory", [](Args& args) {
    const int side = 1 << 19;
    args.geometry.input_space = args.geometry.output_space = {side, side, side};
    args.geometry.filter_space = {64, 64, 4};
    args.sites(std::int64_t{1} << 29);
    args.offsets(64 * 64 * 4);
  });
  table.expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void GetIndicePairsBadSizes::card_may_limit_each_dim_instead() {
  // Every row creates its own handle, and a handle reads the variable when it is created.
  const testing::ScopedEnvironment check_dim_size{"MLUOP_CHECK_DIM_SIZE", "1"};
  table.add("many elements in small dims", BAD_PARAM, "indice_pairs must not be null",
            [](Args& args) {
              args.geometry.input_space = {1, 1000, 1000};
              args.geometry.filter_space = {16, 16, 16};
              args.sites(500'000);
              args.offsets(4096);
              args.pairs.has_data = false;
            });
  table.expect_refused_call(MLUOP_CPU_LIMITS_MLU);
}

}  // namespace

void bad_sizes() {
  for (const auto rows : {&GetIndicePairsBadSizes::limits_of_the_card,
                          &GetIndicePairsBadSizes::sizes_that_no_machine_has,
                          &GetIndicePairsBadSizes::workspace_that_no_machine_has,
                          &GetIndicePairsBadSizes::card_may_limit_each_dim_instead}) {
    GetIndicePairsBadSizes calls;
    (calls.*rows)();
  }
}

}  // namespace mluop::sparse_conv::pairs_checks
