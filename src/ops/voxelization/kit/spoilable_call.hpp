// A call of voxelization, its query or dynamic voxelization that rows of a table can spoil.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "testing/data/handle.hpp"
#include "testing/suite/bad_calls.hpp"
#include "testing/suite/tensor_argument.hpp"

namespace mluop::voxelization::checks {

inline constexpr mluOpStatus_t BAD_PARAM = MLUOP_STATUS_BAD_PARAM;
inline constexpr mluOpStatus_t NOT_SUPPORTED = MLUOP_STATUS_NOT_SUPPORTED;

using testing::TensorArgument;

/// The three functions, which share most of their rules.
struct Variant {
  const char* name;
  const char* function;
  bool query, dynamic;
};
inline constexpr Variant query_variant{"query", "mluOpGetVoxelizationWorkspaceSize", true, false};
inline constexpr Variant hard_variant{"hard", "mluOpVoxelization", false, false};
inline constexpr Variant dynamic_variant{"dynamic", "mluOpCpuDynamicVoxelize", false, true};
inline constexpr const Variant* variants[] = {&query_variant, &hard_variant, &dynamic_variant};

/// A valid call until a row spoils it: 5 points of 4 numbers, at most 6 voxels of 3 points.
struct Args {
  explicit Args(const Variant& of) : variant(&of) {
    coors.dims = {of.dynamic ? 5 : 6, 3};
    for (TensorArgument* tensor : {&coors, &num_points_per_voxel, &voxel_num}) {
      tensor->dtype = MLUOP_DTYPE_INT32;
    }
  }

  const Variant* variant;
  TensorArgument points{{5, 4}};
  TensorArgument voxel_size{{3}};
  TensorArgument coors_range{{6}};
  TensorArgument voxels{{6, 3, 4}};
  TensorArgument coors{};
  TensorArgument num_points_per_voxel{{6}};
  TensorArgument voxel_num{{1}};
  std::int32_t max_points = 3, max_voxels = 6, NDim = 3;
  bool deterministic = true;
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  bool has_handle = true, has_size = true;
  void* workspace = nullptr;
  std::size_t workspace_size = 0;

  // The data fit the valid call; a larger tensor must be refused before they are looked at.
  std::vector<double> points_data = std::vector<double>(20, 0.5);
  std::vector<float> size_data{1, 1, 1};
  std::vector<float> range_data{-2, -2, -2, 2, 2, 2};
  std::vector<double> voxels_data = std::vector<double>(72, -7);
  std::vector<std::int32_t> coors_data = std::vector<std::int32_t>(18, -7);
  std::vector<std::int32_t> counts_data = std::vector<std::int32_t>(6, -7);
  std::vector<std::int32_t> num_data{-7};
  std::size_t size = 7;

  bool outputs_untouched() const {
    const std::vector<std::int32_t> untouched(18, -7);
    return voxels_data == std::vector<double>(72, -7) && coors_data == untouched &&
           counts_data == std::vector<std::int32_t>(6, -7) && num_data.front() == -7 && size == 7;
  }

  void dtypes(mluOpDataType_t dtype) { points.dtype = voxels.dtype = dtype; }
  /// Of N points with F numbers.
  void cloud(std::int64_t N, std::int64_t F) {
    points.dims = {N, F};
    voxels.dims[2] = F;
    if (variant->dynamic) coors.dims[0] = N;
  }
  void caps(std::int32_t points_of_voxel, std::int32_t most_voxels) {
    max_points = points_of_voxel, max_voxels = most_voxels;
    voxels.dims = {most_voxels, points_of_voxel, points.dims[1]};
    coors.dims[0] = num_points_per_voxel.dims[0] = most_voxels;
  }
};

inline mluOpStatus_t call(Args& args) {
  testing::Handle handle;
  handle.limits(args.limits);
  const mluOpHandle_t given = args.has_handle ? handle.get() : nullptr;
  const auto points = args.points.make_descriptor(), size = args.voxel_size.make_descriptor();
  const auto range = args.coors_range.make_descriptor(), coors = args.coors.make_descriptor();
  void *const points_data = args.points.data(args.points_data),
              *const size_data = args.voxel_size.data(args.size_data),
              *const range_data = args.coors_range.data(args.range_data),
              *const coors_data = args.coors.data(args.coors_data);
  if (args.variant->dynamic) {
    return mluOpCpuDynamicVoxelize(given, points.get(), points_data, size.get(), size_data,
                                   range.get(), range_data, args.NDim, coors.get(), coors_data);
  }
  const auto voxels = args.voxels.make_descriptor(), num = args.voxel_num.make_descriptor();
  const auto counts = args.num_points_per_voxel.make_descriptor();
  if (args.variant->query) {
    return mluOpGetVoxelizationWorkspaceSize(given, points.get(), size.get(), range.get(),
                                             args.max_points, args.max_voxels, args.NDim,
                                             args.deterministic, voxels.get(), coors.get(),
                                             counts.get(), num.get(),
                                             args.has_size ? &args.size : nullptr);
  }
  return mluOpVoxelization(given, points.get(), points_data, size.get(), size_data, range.get(),
                           range_data, args.max_points, args.max_voxels, args.NDim,
                           args.deterministic, args.workspace, args.workspace_size, voxels.get(),
                           args.voxels.data(args.voxels_data), coors.get(), coors_data,
                           counts.get(), args.num_points_per_voxel.data(args.counts_data),
                           num.get(), args.voxel_num.data(args.num_data));
}

/// Each argument by its name in messages.
struct Named {
  std::string name;
  TensorArgument Args::*tensor;
};

/// Rows under construction for one variant.
class BadCalls {
 public:
  explicit BadCalls(const Variant& of) : variant(of) {}

 protected:
  std::vector<Named> tensors() const {
    std::vector<Named> all{{"points", &Args::points},
                           {"voxel_size", &Args::voxel_size},
                           {"coors_range", &Args::coors_range}};
    if (!variant.dynamic) all.push_back({"voxels", &Args::voxels});
    all.push_back({"coors", &Args::coors});
    if (!variant.dynamic) {
      all.push_back({"num_points_per_voxel", &Args::num_points_per_voxel});
      all.push_back({"voxel_num", &Args::voxel_num});
    }
    return all;
  }

  void expect_refused(mluOpCpuLimits_t limits) const {
    const auto make_valid = [this, limits] {
      Args args(variant);
      args.limits = limits;
      return args;
    };
    table.expect_refused(variant.function, testing::mode_of(limits), make_valid,
                         [](Args& args) { return call(args); });
  }
  /// The same rows must hold whether or not the card's limits apply.
  void expect_refused_in_both_modes() const {
    expect_refused(MLUOP_CPU_LIMITS_NONE);
    expect_refused(MLUOP_CPU_LIMITS_MLU);
  }

  const Variant& variant;
  testing::BadCallTable<Args> table;
};

/// Tries every row of the tables.
std::vector<testing::BadCallOutcome> bad_calls(const Variant& variant);

}  // namespace mluop::voxelization::checks
