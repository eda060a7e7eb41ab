// A call of pooling over index pairs that rows of a table can spoil.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/sparse_pool/kit/operations.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/bad_calls.hpp"
#include "testing/suite/tensor_argument.hpp"

namespace mluop::sparse_pool::checks {

inline constexpr mluOpStatus_t SUCCESS = MLUOP_STATUS_SUCCESS;
inline constexpr mluOpStatus_t BAD_PARAM = MLUOP_STATUS_BAD_PARAM;
inline constexpr mluOpStatus_t NOT_SUPPORTED = MLUOP_STATUS_NOT_SUPPORTED;

using testing::TensorArgument;

/// A valid call of each operator until a row spoils it: 3 offsets join 4 input rows of 5 channels with 6
/// output rows.
struct Args {
  TensorArgument features{{4, 5}};
  TensorArgument features_out{{6, 5}};
  TensorArgument output_grad{{6, 5}};
  TensorArgument pairs{{3, 2, 4}, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_INT32};
  TensorArgument input_grad{{4, 5}};
  std::vector<std::int64_t> indice_num{2, 0, 4};
  bool has_indice_num = true, has_handle = true;
  void* indice_num_place = nullptr;  // where the counts lie, if not in memory of their own
  std::int64_t num_act_out = 6;
  int mode = MLUOP_CPU_MAXPOOL_ZERO_FLOOR;
  int threads = 1;
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;

  // The data fit the valid call; larger tensors must be refused before they are looked at. Zeros and
  // sentinels mean the same to every dtype.
  static constexpr double sentinel = -7.0;
  std::vector<double> features_data = std::vector<double>(20),
                      output_grad_data = std::vector<double>(30),
                      features_out_data = std::vector<double>(30, sentinel),
                      input_grad_data = std::vector<double>(20, sentinel);
  std::vector<std::int32_t> pairs_data{0, 3, -1, -1, 5, 0, -1, -1, -1, -1, -1, -1,
                                       9, 9, 9,  9,  0, 1, 2,  3,  1,  2,  3,  4};

  /// Neither the result nor, backward, the features_out that are read.
  bool outputs_untouched() const {
    return features_out_data == std::vector<double>(features_out_data.size(), sentinel) &&
           input_grad_data == std::vector<double>(input_grad_data.size(), sentinel);
  }
  void dtypes(mluOpDataType_t dtype) {
    features.dtype = features_out.dtype = output_grad.dtype = input_grad.dtype = dtype;
  }
  /// The rows of both sides and the channels, data aside.
  void sizes(std::int64_t L, std::int64_t Y, std::int64_t C) {
    features.dims = input_grad.dims = {L, C};
    features_out.dims = output_grad.dims = {Y, C};
    pairs.dims[2] = L;
    num_act_out = Y;
  }
  /// indice_pairs[k, side, t].
  std::int32_t& pair(std::int64_t k, int side, std::int64_t t) {
    return pairs_data[static_cast<std::size_t>((2 * k + side) * pairs.dims[2] + t)];
  }
};

mluOpStatus_t call(const Operation& operation, Args& args);

/// Each tensor by its name in messages.
struct Named {
  std::string name;
  TensorArgument Args::*tensor;
};
/// Those of an operator in the order of its parameters, and those of them that hold numbers.
std::vector<Named> tensors_of(const Operation& operation);
std::vector<Named> floats_of(const Operation& operation);

/// Rows under construction for one operator.
class BadCalls {
 public:
  explicit BadCalls(const Operation& operation) : operation_(operation) {}

 protected:
  const Operation& operation() const { return operation_; }
  /// The tensor that says the dtype, by its name in messages.
  std::string first() const { return floats_of(operation_).front().name; }
  /// The one that says L, and one of those that say Y.
  std::string input() const {
    return operation_.maximum || !operation_.backward ? "features" : "input_grad";
  }
  std::string result() const { return operation_.backward ? "input_grad" : "features_out"; }

  void expect_refused(mluOpCpuLimits_t limits) const;
  /// The same rows must hold whether or not the card's limits apply.
  void expect_refused_in_both_modes() const {
    expect_refused(MLUOP_CPU_LIMITS_NONE);
    expect_refused(MLUOP_CPU_LIMITS_MLU);
  }

  testing::BadCallTable<Args> table;

 private:
  const Operation& operation_;
};

/// Tries every row of the tables.
std::vector<testing::BadCallOutcome> bad_calls(const Operation& operation);

}  // namespace mluop::sparse_pool::checks
