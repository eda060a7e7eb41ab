// Which of two faults mluOpGetIndicePairs and its size query report: every pair of faults.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "ops/sparse_conv/kit/pairs/spoilable_call.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::sparse_conv::pairs_checks {
namespace {

/// A fault makes its own part of a call wrong, and may set anything of the faults behind it right.
struct Fault {
  const char* what;
  mluOpStatus_t status;
  std::string text;
  std::function<void(Args&)> spoil;
};
using Chain = std::vector<Fault>;

const Fault no_handle{"handle", BAD_PARAM, "handle must not be null",
                      [](Args& args) { args.has_handle = false; }};
const Fault no_geometry{"sparse_conv_desc", BAD_PARAM, "sparse_conv_desc must not be null",
                        [](Args& args) { args.has_geometry = false; }};
const Fault no_indices{"indices_desc", BAD_PARAM, "indices_desc must not be null",
                       [](Args& args) { args.indices.has_desc = false; }};
const Fault no_pairs{"indice_pairs_desc", BAD_PARAM, "indice_pairs_desc must not be null",
                     [](Args& args) { args.pairs.has_desc = false; }};
const Fault no_rows{"out_indices_desc", BAD_PARAM, "out_indices_desc must not be null",
                    [](Args& args) { args.rows.has_desc = false; }};
const Fault no_num{"indice_num_desc", BAD_PARAM, "indice_num_desc must not be null",
                   [](Args& args) { args.num.has_desc = false; }};
const Fault no_size{"workspace_size", BAD_PARAM, "workspace_size must not be null",
                    [](Args& args) { args.has_size = false; }};
const Fault never_set{"new descriptor", BAD_PARAM, "sparse_conv_desc dimNb must be one of 4, 5",
                      [](Args& args) { args.is_set = false; }};
const Fault transposed{"transpose", BAD_PARAM, "sparse_conv_desc transpose must be 0, got 1",
                       [](Args& args) { args.geometry.transpose = 1; }};
const Fault rank_of_rows{"rank", BAD_PARAM, "out_indices must have 2 dims", [](Args& args) {
                           args.rows.dims = {27, 2, 2};
                         }};
const Fault rank_of_num{"rank of indice_num", BAD_PARAM, "indice_num must have 1 dims",
                        [](Args& args) {
                          args.num.dims = {27, 1};
                        }};
const Fault columns{"columns", BAD_PARAM, "indices dim 1 must be 4",
                    [](Args& args) { args.indices.dims[1] = 5; }};
const Fault columns_of_rows{"columns of out_indices", BAD_PARAM, "out_indices dim 1 must be 4",
                            [](Args& args) { args.rows.dims[1] = 5; }};
const Fault sides{"sides", BAD_PARAM, "indice_pairs dim 1 must be 2",
                  [](Args& args) { args.pairs.dims[1] = 3; }};
const Fault sites_of_pairs{"sites of indice_pairs", BAD_PARAM, "indice_pairs dim 2 must be L",
                           [](Args& args) { args.pairs.dims[2] = 9; }};
const Fault offsets_of_num{"offsets of indice_num", BAD_PARAM, "indice_num dim 0 must be K",
                           [](Args& args) { args.num.dims[0] = 26; }};
const Fault too_many_sites{"more sites than cells", BAD_PARAM,
                           "indices dim 0 must be at most 1, got 2", [](Args& args) {
                             args.geometry.input_space = {1, 1, 1};
                             args.sites(2);
                           }};
const Fault strided_and_dilated{
    "stride and dilation", BAD_PARAM, "stride[2] where dilation[2]",
    [](Args& args) { args.geometry.stride[2] = args.geometry.dilation[2] = 2; }};
const Fault kernel{"kernel", BAD_PARAM, "indice_pairs dim 0 must be 3 * 3 * 2 = 18",
                   [](Args& args) {
                     args.geometry.filter_space = {3, 3, 2};
                   }};
const Fault large_kernel{"4913 offsets", BAD_PARAM, "indice_pairs dim 0 must be at most 4096",
                         [](Args& args) {
                           args.geometry.filter_space = {17, 17, 17};
                           args.offsets(4913);
                         }};
const Fault too_many_rows{"more output sites than cells", BAD_PARAM,
                          "out_indices dim 0 must be at most 27, got 28",
                          [](Args& args) { args.rows.dims[0] = 28; }};
const Fault strides{"strides", NOT_SUPPORTED, "indices must be contiguous", [](Args& args) {
                      args.indices.strides = {8, 2};
                    }};
const Fault million{"1000001 sites", BAD_PARAM, "indices dim 0 must be at most 1000000",
                    [](Args& args) {
                      args.geometry.input_space = {1, 1000, 1001};
                      args.sites(1'000'001);
                    }};
const Fault large{"elements", NOT_SUPPORTED,
                  "indice_pairs must have fewer than 2147483648 elements", [](Args& args) {
                    args.geometry.input_space = {1, 1000, 1000};
                    args.geometry.filter_space = {16, 16, 16};
                    args.sites(500'000);
                    args.offsets(4096);
                  }};
const Fault dtype{"dtype", BAD_PARAM, "out_indices dtype must be INT32",
                  [](Args& args) { args.rows.dtype = MLUOP_DTYPE_INT64; }};
const Fault sub_m{"sub_m", BAD_PARAM, "output_space[0] with sub_m must be",
                  [](Args& args) { args.geometry.sub_m = 1; }};
const Fault empty{"empty", SUCCESS, "", [](Args& args) { args.rows.dims[0] = 0; }};
const Fault no_data{"data", BAD_PARAM, "indice_num must not be null",
                    [](Args& args) { args.num.has_data = false; }};
const Fault vast{"vast space", NOT_SUPPORTED, "batch_size times input_space must be at most",
                 [](Args& args) {
                   args.geometry.input_space = {1 << 30, 1 << 30, 1 << 30};
                 }};
const Fault no_workspace{"workspace", BAD_PARAM, "workspace must not be null",
                         [](Args& args) { args.has_workspace = false; }};
const Fault small_workspace{"small workspace", BAD_PARAM, "workspace_size must be at least",
                            [](Args& args) { args.missing_workspace = 1; }};
const Fault overlap{"overlap", BAD_PARAM, "indice_pairs must not overlap indice_num in memory",
                    [](Args& args) { args.num.place = args.pairs_data.data(); }};
const Fault outside{"row outside", BAD_PARAM, "indices row 0, column 1 must be at least 0, got -3",
                    [](Args& args) { args.indices_data[1] = -3; }};
const Fault no_room{"too few rows", BAD_PARAM, "out_indices dim 0, the rows for num_act_out sites",
                    [](Args& args) { args.rows.dims[0] = 5; }};

Chain operator+(Chain left, const Chain& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

const Chain pointers{no_handle, no_geometry, no_indices, no_pairs, no_rows, no_num};
const Chain shapes{rank_of_rows, rank_of_num,    columns,       columns_of_rows,
                   sides,        sites_of_pairs, offsets_of_num};

void expect_order(const Chain& chain, mluOpCpuLimits_t limits,
                  void (Table::*expect)(mluOpCpuLimits_t) const) {
  Table table;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    for (std::size_t j = i + 1; j < chain.size(); ++j) {
      table.add(std::string(chain[i].what) + " before " + chain[j].what, chain[i].status,
                chain[i].text, [&first = chain[i], &second = chain[j]](Args& args) {
                  second.spoil(args);
                  first.spoil(args);
                });
    }
  }
  (table.*expect)(limits);
}

TEST(GetIndicePairsCheckOrder, Call) {
  expect_order(pointers + Chain{never_set} + shapes +
                   Chain{kernel, too_many_rows, strides, dtype, sub_m, empty, no_data, vast,
                         no_workspace, small_workspace, overlap, outside, no_room},
               MLUOP_CPU_LIMITS_NONE, &Table::expect_refused_call);
}

TEST(GetIndicePairsCheckOrder, CallOnTheCard) {
  expect_order(pointers + Chain{never_set, transposed} + shapes +
                   Chain{too_many_sites, strided_and_dilated, kernel, large_kernel, too_many_rows,
                         strides, million, large, dtype, sub_m, empty, no_data, no_workspace,
                         small_workspace, overlap, outside, no_room},
               MLUOP_CPU_LIMITS_MLU, &Table::expect_refused_call);
}

/// A query looks for empty tensors first of all.
TEST(GetIndicePairsCheckOrder, Query) {
  expect_order(pointers + Chain{no_size, never_set} + shapes +
                   Chain{kernel, too_many_rows, strides, dtype, sub_m, vast},
               MLUOP_CPU_LIMITS_NONE, &Table::expect_refused_query);
}

TEST(GetIndicePairsCheckOrder, QueryOnTheCard) {
  expect_order(pointers + Chain{no_size, never_set, transposed} + shapes +
                   Chain{too_many_sites, strided_and_dilated, kernel, large_kernel, too_many_rows,
                         strides, million, large, dtype, sub_m},
               MLUOP_CPU_LIMITS_MLU, &Table::expect_refused_query);
}

void expect_empty_answer(const std::function<void(Args&)>& spoil) {
  for (mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    Args args;
    args.limits = limits;
    spoil(args);
    EXPECT_EQ(query(args), SUCCESS);
    EXPECT_EQ(args.size, 0u);
    EXPECT_EQ(args.num_act_out, Args::sentinel) << "a query changed the descriptor";
  }
}

TEST(GetIndicePairsCheckOrder, QueryOfEmptyTensorsAsksForNothingElse) {
  expect_empty_answer([](Args& args) {
    args.indices.dims = {0, 4, 7, 7};
    args.is_set = false;
    args.pairs.dtype = MLUOP_DTYPE_HALF;
  });
  for (const auto& [name, tensor] : tensors) {
    SCOPED_TRACE(name);
    expect_empty_answer([tensor = tensor](Args& args) { (args.*tensor).dims[0] = 0; });
  }
}

TEST(GetIndicePairsCheckOrder, CallOfEmptyTensorsStoresThatThereAreNoSites) {
  const std::vector<std::function<void(Args&)>> spoils{
      [](Args& args) { args.sites(0); }, [](Args& args) { args.rows.dims[0] = 0; },
      [](Args& args) {
        args.sites(0);
        args.indices.has_data = args.pairs.has_data = args.rows.has_data = args.num.has_data =
            false;
        args.has_workspace = false;
      }};
  for (mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    for (const auto& spoil : spoils) {
      Args args;
      args.limits = limits;
      spoil(args);
      EXPECT_EQ(call(args), SUCCESS);
      EXPECT_EQ(args.num_act_out, 0);
      EXPECT_TRUE(args.outputs_untouched());
    }
  }
}

TEST(GetIndicePairsCheckOrder, FailedCallsLeaveTheNumberOfSitesAlone) {
  for (const Fault& fault : {dtype, no_data, small_workspace, overlap, outside, no_room}) {
    Args args;
    fault.spoil(args);
    EXPECT_NE(call(args), SUCCESS);
    EXPECT_EQ(args.num_act_out, Args::sentinel) << fault.what;
  }
}

}  // namespace
}  // namespace mluop::sparse_conv::pairs_checks
