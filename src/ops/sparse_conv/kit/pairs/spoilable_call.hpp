// A call of mluOpGetIndicePairs, or of its size query, that rows of a table can spoil.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ops/sparse_conv/kit/pairs/reference.hpp"
#include "testing/suite/bad_calls.hpp"
#include "testing/suite/tensor_argument.hpp"

namespace mluop::sparse_conv::pairs_checks {

inline constexpr mluOpStatus_t SUCCESS = MLUOP_STATUS_SUCCESS;
inline constexpr mluOpStatus_t BAD_PARAM = MLUOP_STATUS_BAD_PARAM;
inline constexpr mluOpStatus_t NOT_SUPPORTED = MLUOP_STATUS_NOT_SUPPORTED;
inline const std::string on_card = " (a limit of the card, in force on this handle)";

using testing::TensorArgument;
using Dims = std::vector<std::int64_t>;

inline TensorArgument int32_argument(Dims dims) {
  return {std::move(dims), MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_INT32};
}

/// A valid call in both modes, until a row spoils it: one site, which reaches 8.
struct Args {
  reference::Geometry geometry{
      .pad = {1, 1, 1}, .filter_space = {3, 3, 3}, .output_space = {3, 3, 3}};
  TensorArgument indices = int32_argument({1, 4});
  TensorArgument pairs = int32_argument({27, 2, 1});
  TensorArgument rows = int32_argument({27, 4});  // out_indices
  TensorArgument num = int32_argument({27});
  bool has_geometry = true, is_set = true;  // the sparse-convolution descriptor
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  bool has_handle = true, has_workspace = true, has_size = true;
  std::size_t missing_workspace = 0;
  void* workspace_place = nullptr;  // where the workspace lies, if not in memory of its own

  // The data fit the valid call; larger tensors must be refused before they are looked at.
  std::vector<std::int32_t> indices_data = std::vector<std::int32_t>(64);
  std::vector<std::int32_t> pairs_data = std::vector<std::int32_t>(512, sentinel);
  std::vector<std::int32_t> rows_data = std::vector<std::int32_t>(512, sentinel);
  std::vector<std::int32_t> num_data = std::vector<std::int32_t>(64, sentinel);
  std::size_t size = size_sentinel;  // the query's answer
  int num_act_out = sentinel;        // before and after the call

  static constexpr int sentinel = -77;
  static constexpr std::size_t size_sentinel = 12345678901;

  bool outputs_untouched() const;
  std::vector<testing::PlaceableMemory> memory();

  void sites(std::int64_t count) { indices.dims[0] = pairs.dims[2] = count; }
  void offsets(std::int64_t count) { pairs.dims[0] = num.dims[0] = count; }
};

mluOpStatus_t call(Args& args);
mluOpStatus_t query(Args& args);

inline constexpr const char* call_name = "mluOpGetIndicePairs";
inline constexpr const char* query_name = "mluOpGetIndicePairsWorkspaceSize";

/// Each tensor by its name in messages.
struct Named {
  std::string name;
  TensorArgument Args::*tensor;
};
inline const std::vector<Named> tensors{{"indices", &Args::indices},
                                        {"indice_pairs", &Args::pairs},
                                        {"out_indices", &Args::rows},
                                        {"indice_num", &Args::num}};

/// Rows that must hold for calls, for queries, or for both.
class Table {
 public:
  void add(std::string what, mluOpStatus_t status, std::string text,
           std::function<void(Args&)> spoil) {
    rows_.add(std::move(what), status, std::move(text), std::move(spoil));
  }
  void expect_refused_call(mluOpCpuLimits_t limits) const;
  void expect_refused_query(mluOpCpuLimits_t limits) const;
  void expect_refused(mluOpCpuLimits_t limits) const {
    expect_refused_call(limits);
    expect_refused_query(limits);
  }
  void expect_refused_in_both_modes() const {
    expect_refused(MLUOP_CPU_LIMITS_NONE);
    expect_refused(MLUOP_CPU_LIMITS_MLU);
  }

 private:
  testing::BadCallTable<Args> rows_;
};

/// Tries every row of the tables.
std::vector<testing::BadCallOutcome> bad_calls();
/// Tries those of bad_sizes.cpp; part of bad_calls.
void bad_sizes();

}  // namespace mluop::sparse_conv::pairs_checks
