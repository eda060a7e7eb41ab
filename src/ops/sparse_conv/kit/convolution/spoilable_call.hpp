// A call of one of the convolutions, or of its size query, that rows of a table can spoil.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "mlu_op.h"
#include "testing/data/handle.hpp"
#include "testing/suite/bad_calls.hpp"
#include "testing/suite/tensor_argument.hpp"

namespace mluop::sparse_conv::checks {

inline constexpr mluOpStatus_t SUCCESS = MLUOP_STATUS_SUCCESS;
inline constexpr mluOpStatus_t BAD_PARAM = MLUOP_STATUS_BAD_PARAM;
inline constexpr mluOpStatus_t NOT_SUPPORTED = MLUOP_STATUS_NOT_SUPPORTED;

using testing::TensorArgument;
using Dims = std::vector<std::int64_t>;

/// A valid call of each operator in both modes, until a row spoils it: 15 offsets join 4 input rows of
/// 2 channels with 6 output rows of 4.
struct Args {
  Args() { rows(4, 6); }

  TensorArgument input{{4, 2}};             // or its gradient
  TensorArgument filters{{1, 3, 5, 2, 4}};  // or their gradient
  TensorArgument pairs{{15, 2, 4}, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_INT32};
  TensorArgument output{{6, 4}};  // or its gradient
  std::vector<std::int64_t> indice_num = counts;
  bool has_indice_num = true;
  std::int64_t num_act_out = 6, inverse = 0, sub_m = 0;
  mluOpHandle_t handle = nullptr;  // a new one, with these limits and threads, unless given
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  int threads = 1;
  bool has_handle = true, has_workspace = true, has_size = true;
  std::size_t workspace_size = 1 << 16, workspace_offset = 0;
  // Where these lie, if not in memory of their own.
  void *workspace_place = nullptr, *indice_num_place = nullptr;

  // The data fit the valid call; larger tensors must be refused before they are looked at. Zeros and
  // sentinels mean the same to every dtype.
  std::vector<double> input_data, output_data, filters_data = std::vector<double>(120),
                                               workspace = std::vector<double>(8400);
  std::vector<std::int32_t> pairs_data;
  std::vector<double>* result = nullptr;  // the operator's output, filled with the sentinel
  std::size_t size = size_sentinel;       // the query's

  static inline const std::vector<std::int64_t> counts{1, 2, 3, 4, 0, 1, 2, 4, 4, 0, 1, 2, 3, 4, 1};
  static constexpr double sentinel = -7.0;
  static constexpr std::size_t size_sentinel = 12345678901;

  bool outputs_untouched() const {
    return size == size_sentinel && *result == std::vector<double>(result->size(), sentinel);
  }
  void dtypes(mluOpDataType_t dtype) { input.dtype = filters.dtype = output.dtype = dtype; }
  void no_data() { input.has_data = filters.has_data = pairs.has_data = output.has_data = false; }
  /// indice_pairs[k, side, t].
  std::int32_t& pair(std::int64_t k, int side, std::int64_t t) {
    return pairs_data[static_cast<std::size_t>((2 * k + side) * pairs.dims[2] + t)];
  }
  /// Other numbers of rows, data to match: with L columns, the pairs name rows below `first` on side 0
  /// and below `second` on side 1.
  void rows(std::int64_t first, std::int64_t second);
  /// The pairs are those of a layer that leads from the output back to the input.
  void invert();
};

struct Operator {
  const char *name, *function, *query;
  const char *input, *filters, *output;  // as messages name them
  std::vector<double> Args::*result;
  bool backward_data = false, backward_filter = false;
  bool by_layout = false;  // the filter gradient whose layout counts

  bool forward() const { return !backward_data && !backward_filter; }
  /// As messages name what is written, and what is multiplied by the filters or their gradient.
  const char* target() const { return backward_filter ? filters : backward_data ? input : output; }
  const char* source() const { return backward_data ? output : input; }
};
extern const Operator forward, backward_data, backward_filter, backward_filter_by_layout;

/// An operator or its query.
struct Function {
  const Operator& op;
  bool query;

  const char* name() const { return query ? op.query : op.function; }
  std::string test_name() const { return op.name + std::string(query ? "_query" : ""); }
  mluOpStatus_t call(Args& args) const;
  std::vector<testing::PlaceableMemory> memory(Args& args) const;
};

/// Each tensor by its name in messages.
struct Named {
  std::string name;
  TensorArgument Args::*tensor;
};

/// Rows under construction for one function.
class SpoilableConvolution {
 public:
  explicit SpoilableConvolution(const Function& function) : function_(function) {}

 protected:
  const Function& function() const { return function_; }
  const Operator& op() const { return function().op; }
  std::string input() const { return op().input; }
  std::string filters() const { return op().filters; }
  std::string output() const { return op().output; }
  std::vector<Named> tensors() const {
    return {{input(), &Args::input},
            {filters(), &Args::filters},
            {"indice_pairs", &Args::pairs},
            {output(), &Args::output}};
  }
  std::vector<Named> floats() const {
    return {{input(), &Args::input}, {filters(), &Args::filters}, {output(), &Args::output}};
  }

  using Spoil = std::function<void(Args&)>;
  void expect_refused(mluOpCpuLimits_t limits) const;
  /// The same rows must hold whether or not the card's limits apply.
  void expect_refused_in_both_modes() const;
  /// The changed call is valid, too: it writes its outputs.
  void expect_accepted(const char* what, mluOpCpuLimits_t limits, const Spoil& change) const;
  void expect_accepted_in_both_modes(const char* what, const Spoil& change) const;
  /// SUCCESS, and nothing is written but a size of 0.
  void expect_skipped_in_both_modes(const char* what, const Spoil& change) const;

  testing::BadCallTable<Args> table;

 private:
  void report(const char* what, mluOpCpuLimits_t limits, const std::string& problem) const;

  Function function_;
};

/// What ends a sentence about the card.
inline const std::string on_card = " (a limit of the card, in force on this handle)";

/// Tries every row of the tables.
std::vector<testing::BadCallOutcome> bad_calls(const Function& function);
/// Of an operator and its query, by the operator's short name.
std::vector<testing::BadCallOutcome> bad_calls(std::string_view op);

}  // namespace mluop::sparse_conv::checks
