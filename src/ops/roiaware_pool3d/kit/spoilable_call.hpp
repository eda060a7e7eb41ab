// Calls of RoI-aware pooling that rows of a table can spoil.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "mlu_op.h"
#include "testing/data/handle.hpp"
#include "testing/suite/bad_calls.hpp"
#include "testing/suite/tensor_argument.hpp"

namespace mluop::roiaware_pool3d::checks {

inline constexpr mluOpStatus_t BAD_PARAM = MLUOP_STATUS_BAD_PARAM;
inline constexpr mluOpStatus_t NOT_SUPPORTED = MLUOP_STATUS_NOT_SUPPORTED;
inline const std::string on_card = " (a limit of the card, in force on this handle)";

using testing::TensorArgument;

/// What both directions are told: 2 boxes of 2 × 3 × 4 voxels, 6 entries each, 5 channels, 7 points.
struct CommonArgs {
  int pool_method = 0, boxes_num = 2, channels = 5, max_pts_each_voxel = 6;
  int out_x = 2, out_y = 3, out_z = 4;
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  bool has_handle = true;

  TensorArgument voxels{.dims = {2, 2, 3, 4, 6}, .dtype = MLUOP_DTYPE_INT32};
  TensorArgument argmax{.dims = {2, 2, 3, 4, 5}, .dtype = MLUOP_DTYPE_INT32};
};

/// A valid call until a row spoils it. The data fit the valid call; larger tensors must be refused
/// before data are looked at.
struct ForwardArgs : CommonArgs {
  int pts_num = 7;
  TensorArgument rois{{2, 7}}, pts{{7, 3}}, features{{7, 5}}, pooled{{2, 2, 3, 4, 5}};
  void* workspace = nullptr;
  std::size_t workspace_size = 0;

  std::vector<double> in = std::vector<double>(64, 1.0), pooled_data = std::vector<double>(240, -7);
  std::vector<std::int32_t> voxels_data = std::vector<std::int32_t>(288, -7),
                            argmax_data = voxels_data;

  /// With a workspace, although none is needed.
  std::vector<testing::PlaceableMemory> memory() {
    using Role = testing::PlaceableMemory::Role;
    workspace_size = 64;
    return {rois.memory("rois", Role::input),
            pts.memory("pts", Role::input),
            features.memory("pts_feature", Role::input),
            argmax.memory("argmax", Role::output),
            voxels.memory("pts_idx_of_voxels", Role::output),
            pooled.memory("pooled_features", Role::output),
            {"workspace", Role::workspace, workspace_size, &workspace}};
  }
  bool outputs_untouched() const {
    return pooled_data == std::vector<double>(240, -7) && argmax_data == voxels_data &&
           voxels_data == std::vector<std::int32_t>(288, -7);
  }
  void dtypes(mluOpDataType_t dtype) {
    rois.dtype = pts.dtype = features.dtype = pooled.dtype = dtype;
  }
};

struct BackwardArgs : CommonArgs {
  TensorArgument grad_out{{2, 2, 3, 4, 5}}, grad_in{{7, 5}};

  std::vector<double> grad_out_data = std::vector<double>(240, 1.0);
  std::vector<double> grad_in_data = std::vector<double>(35, -7);
  std::vector<std::int32_t> voxels_data = std::vector<std::int32_t>(288, 0),
                            argmax_data = voxels_data;

  /// With indices that name points.
  std::vector<testing::PlaceableMemory> memory() {
    using Role = testing::PlaceableMemory::Role;
    for (std::size_t i = 0; i < voxels_data.size(); ++i) {
      argmax_data[i] = static_cast<std::int32_t>(i % 7);
      voxels_data[i] = i % 6 == 0 ? 2 : argmax_data[i];
    }
    return {voxels.memory("pts_idx_of_voxels", Role::input, voxels_data.data()),
            argmax.memory("argmax", Role::input, argmax_data.data()),
            grad_out.memory("grad_out", Role::input), grad_in.memory("grad_in", Role::output)};
  }
  bool outputs_untouched() const { return grad_in_data == std::vector<double>(35, -7); }
  void dtypes(mluOpDataType_t dtype) { grad_out.dtype = grad_in.dtype = dtype; }
};

inline mluOpStatus_t call(ForwardArgs& a) {
  testing::Handle handle;
  handle.limits(a.limits);
  const auto rois = a.rois.make_descriptor(), pts = a.pts.make_descriptor();
  const auto features = a.features.make_descriptor(), argmax = a.argmax.make_descriptor();
  const auto voxels = a.voxels.make_descriptor(), pooled = a.pooled.make_descriptor();
  return mluOpRoiAwarePool3dForward(
      a.has_handle ? handle.get() : nullptr, a.pool_method, a.boxes_num, a.pts_num, a.channels,
      rois.get(), a.rois.data(a.in), pts.get(), a.pts.data(a.in), features.get(),
      a.features.data(a.in), a.workspace, a.workspace_size, a.max_pts_each_voxel, a.out_x, a.out_y,
      a.out_z, argmax.get(), a.argmax.data(a.argmax_data), voxels.get(),
      a.voxels.data(a.voxels_data), pooled.get(), a.pooled.data(a.pooled_data));
}

inline mluOpStatus_t call(BackwardArgs& a) {
  testing::Handle handle;
  handle.limits(a.limits);
  const auto voxels = a.voxels.make_descriptor(), argmax = a.argmax.make_descriptor();
  const auto grad_out = a.grad_out.make_descriptor(), grad_in = a.grad_in.make_descriptor();
  return mluOpRoiAwarePool3dBackward(
      a.has_handle ? handle.get() : nullptr, a.pool_method, a.boxes_num, a.out_x, a.out_y, a.out_z,
      a.channels, a.max_pts_each_voxel, voxels.get(), a.voxels.data(a.voxels_data), argmax.get(),
      a.argmax.data(a.argmax_data), grad_out.get(), a.grad_out.data(a.grad_out_data), grad_in.get(),
      a.grad_in.data(a.grad_in_data));
}

template <class Args>
inline constexpr const char* function_of = nullptr;
template <>
inline constexpr const char* function_of<ForwardArgs> = "mluOpRoiAwarePool3dForward";
template <>
inline constexpr const char* function_of<BackwardArgs> = "mluOpRoiAwarePool3dBackward";

/// Rows under construction for one direction.
template <class Args>
class Table : public testing::BadCallTable<Args> {
 public:
  void expect_refused(mluOpCpuLimits_t limits, int pool_method = 0) const {
    const auto make_valid = [=] {
      Args args;
      args.limits = limits;
      args.pool_method = pool_method;
      return args;
    };
    testing::BadCallTable<Args>::expect_refused(
        function_of<Args>,
        testing::mode_of(limits) + (", pool_method " + std::to_string(pool_method)), make_valid,
        [](Args& args) { return call(args); });
  }

  /// The same rows must hold whether or not the card's limits apply, and for both ways of pooling.
  void expect_refused_always() const {
    for (const int pool_method : {0, 1}) {
      expect_refused(MLUOP_CPU_LIMITS_NONE, pool_method);
      expect_refused(MLUOP_CPU_LIMITS_MLU, pool_method);
    }
  }
};

template <class Args>
struct Named {
  std::string name;
  TensorArgument Args::*tensor;
};

/// Every tensor but argmax, which forward treats apart, in the order of the checks.
inline std::vector<Named<ForwardArgs>> tensors_of(const ForwardArgs*) {
  return {{"rois", &ForwardArgs::rois},
          {"pts", &ForwardArgs::pts},
          {"pts_feature", &ForwardArgs::features},
          {"pts_idx_of_voxels", &ForwardArgs::voxels},
          {"pooled_features", &ForwardArgs::pooled}};
}
inline std::vector<Named<BackwardArgs>> tensors_of(const BackwardArgs*) {
  return {{"pts_idx_of_voxels", &BackwardArgs::voxels},
          {"argmax", &BackwardArgs::argmax},
          {"grad_out", &BackwardArgs::grad_out},
          {"grad_in", &BackwardArgs::grad_in}};
}
template <class Args>
std::vector<Named<Args>> tensors() {
  return tensors_of(static_cast<const Args*>(nullptr));
}

/// Tries every row of the tables that both directions share.
template <class Args>
std::vector<testing::BadCallOutcome> bad_calls();

}  // namespace mluop::roiaware_pool3d::checks
