// A call of dynamic point to voxel that rows of a table can spoil.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/dynamic_point_to_voxel/kit/operands.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/bad_calls.hpp"
#include "testing/suite/tensor_argument.hpp"

namespace mluop::dynamic_point_to_voxel::checks {

inline constexpr mluOpStatus_t SUCCESS = MLUOP_STATUS_SUCCESS;
inline constexpr mluOpStatus_t BAD_PARAM = MLUOP_STATUS_BAD_PARAM;
inline constexpr mluOpStatus_t NOT_SUPPORTED = MLUOP_STATUS_NOT_SUPPORTED;

using testing::TensorArgument;

/// A valid call of each operator until a row spoils it: 6 points with 5 channels, one of them invalid, in 3 voxels of
/// which there is room for 4.
struct Args {
  static constexpr mluOpDataType_t INT32 = MLUOP_DTYPE_INT32;
  static constexpr mluOpTensorLayout_t ARRAY = MLUOP_LAYOUT_ARRAY;
  TensorArgument feats{{6, 5}};
  TensorArgument coors{{6, 3}, ARRAY, INT32};
  TensorArgument voxel_feats{{4, 5}};
  TensorArgument voxel_coors{{4, 3}, ARRAY, INT32};
  TensorArgument map{{6}, ARRAY, INT32};
  TensorArgument counts{{4}, ARRAY, INT32};
  TensorArgument voxel_num{{1}, ARRAY, INT32};
  TensorArgument grad_voxel_feats{{4, 5}};
  TensorArgument grad_feats{{6, 5}};
  bool has_handle = true;
  int reduce_type = MLUOP_REDUCE_DMAX;
  int threads = 1;
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  void* workspace = nullptr;
  std::size_t workspace_size = 0;

  // The data fit the valid call; larger tensors must be refused before they are looked at. Zeros and sentinels mean
  // the same to every dtype. What forward writes, backward reads.
  static constexpr double sentinel = -7.0;
  std::vector<double> feats_data = std::vector<double>(30),
                      grad_voxel_feats_data = std::vector<double>(20, 1.0),
                      voxel_feats_data = std::vector<double>(20),
                      grad_feats_data = std::vector<double>(30, sentinel);
  std::vector<std::int32_t> coors_data{1, 1, 1, 0, 5, 0, 1, 1, 1, 0, -1, 0, 0, 5, 0, 9, 0, 0};
  std::vector<std::int32_t> map_data{1, 0, 1, -1, 0, 2}, counts_data{2, 2, 1, 0}, voxel_num_data{3};
  std::vector<std::int32_t> voxel_coors_data = std::vector<std::int32_t>(12, -7);

  /// Forward starts with what backward is given replaced by sentinels.
  void prepare(const Direction& direction);
  bool outputs_untouched() const;
  void dtypes(mluOpDataType_t dtype) {
    feats.dtype = voxel_feats.dtype = grad_voxel_feats.dtype = grad_feats.dtype = dtype;
  }
  /// Points, channels and rows of voxels, data aside.
  void sizes(std::int64_t N, std::int64_t C, std::int64_t R);
  void data(bool present);

 private:
  bool forward_ = false;
};

mluOpStatus_t call(const Direction& direction, Args& args);
mluOpStatus_t query(const Direction& direction, Args& args, bool has_size = true);

/// Each tensor by its name in messages, in the order of the parameters.
struct Named {
  std::string name;
  TensorArgument Args::*tensor;
};
std::vector<Named> tensors_of(const Direction& direction);

/// Rows under construction for one operator.
class BadCalls {
 public:
  explicit BadCalls(const Direction& direction) : direction_(direction) {}

 protected:
  const Direction& direction() const { return direction_; }
  bool backward() const { return direction_.backward; }

  void expect_refused(mluOpCpuLimits_t limits) const;
  /// The same rows must hold whether or not the card's limits apply.
  void expect_refused_in_both_modes() const {
    expect_refused(MLUOP_CPU_LIMITS_NONE);
    expect_refused(MLUOP_CPU_LIMITS_MLU);
  }

  testing::BadCallTable<Args> table;

 private:
  const Direction& direction_;
};

/// Tries every row of the tables.
std::vector<testing::BadCallOutcome> bad_calls(const Direction& direction);

}  // namespace mluop::dynamic_point_to_voxel::checks
