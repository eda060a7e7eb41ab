// The calls of mluOpVoxelization that case files describe, whatever they say.
#include "ops/voxelization/kit/file_cases.hpp"

#include <utility>
#include <vector>

#include "ops/voxelization/kit/cases.hpp"

namespace mluop::voxelization {
namespace {

using testing::FileCall;
using testing::FileCase;
using testing::HostTensor;

class VoxelizationFile final : public FileCall {
 public:
  explicit VoxelizationFile(FileCase file)
      : FileCall(std::move(file)),
        max_points_(params().number("max_points")),
        max_voxels_(params().number("max_voxels")),
        ndim_(params().number("ndim")),
        deterministic_(params().number("deterministic") != 0) {}

  mluOpStatus_t run(mluOpHandle_t handle) override {
    const HostTensor &points = input(0), &size = input(1), &range = input(2);
    HostTensor &voxels = output(0), &coors = output(1), &counts = output(2), &num = output(3);
    std::size_t bytes = 0;
    const mluOpStatus_t status = mluOpGetVoxelizationWorkspaceSize(
        handle, points.descriptor(), size.descriptor(), range.descriptor(), max_points_,
        max_voxels_, ndim_, deterministic_, voxels.descriptor(), coors.descriptor(),
        counts.descriptor(), num.descriptor(), &bytes);
    if (status != MLUOP_STATUS_SUCCESS) return status;
    std::vector<std::byte> workspace(bytes);
    return mluOpVoxelization(handle, points.descriptor(), points.data(), size.descriptor(),
                             size.data(), range.descriptor(), range.data(), max_points_,
                             max_voxels_, ndim_, deterministic_, workspace.data(), bytes,
                             voxels.descriptor(), voxels.data(), coors.descriptor(), coors.data(),
                             counts.descriptor(), counts.data(), num.descriptor(), num.data());
  }

  std::vector<std::vector<double>> reference() const override {
    const HostTensor &points = input(0), &size = input(1), &range = input(2);
    cases::Setting setting{points.dims()[0], points.dims()[1], {}, {}, max_points_, max_voxels_};
    for (std::size_t i = 0; i < 3; ++i) {
      setting.voxel_size[i] = static_cast<float>(size.get(static_cast<std::int64_t>(i)));
    }
    for (std::size_t i = 0; i < 6; ++i) {
      setting.range[i] = static_cast<float>(range.get(static_cast<std::int64_t>(i)));
    }
    return cases::expected(setting, points);
  }
  /// Integers and copies have one answer.
  std::vector<std::vector<double>> plain() const override { return reference(); }

 private:
  int max_points_, max_voxels_, ndim_;
  bool deterministic_;
};

}  // namespace

std::unique_ptr<FileCall> from_file(FileCase file) {
  file.params.expect_message("voxelization_param", file.op);
  file.expect_tensors({"points", "voxel_size", "coors_range"},
                      {"voxels", "coors", "num_points_per_voxel", "voxel_num"});
  return std::make_unique<VoxelizationFile>(std::move(file));
}

}  // namespace mluop::voxelization
