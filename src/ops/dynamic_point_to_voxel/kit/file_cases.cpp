// The calls of dynamic point to voxel that case files describe, whatever they say.
#include "ops/dynamic_point_to_voxel/kit/file_cases.hpp"

#include <utility>
#include <vector>

namespace mluop::dynamic_point_to_voxel {
namespace {

using testing::FileCall;
using testing::FileCase;

class VoxelFile final : public FileCall {
 public:
  VoxelFile(const Direction& direction, FileCase file)
      : FileCall(std::move(file)),
        direction_(direction),
        reduce_type_(static_cast<mluOpReduceMode_t>(params().number("reduce_type"))) {}

  mluOpStatus_t run(mluOpHandle_t handle) override {
    std::vector<testing::HostTensor*> outputs;
    for (std::size_t k = 0; k < file().outputs.size(); ++k) outputs.push_back(&output(k));
    return dynamic_point_to_voxel::run(direction_, handle, reduce_type_, inputs(), outputs);
  }
  std::vector<std::vector<double>> reference() const override {
    return reference_of(direction_, reduce_type_, inputs(), rows());
  }
  std::vector<std::vector<double>> plain() const override {
    return plain_of(direction_, reduce_type_, inputs(), rows());
  }

 private:
  TensorPointers inputs() const {
    TensorPointers all;
    for (std::size_t k = 0; k < file().inputs.size(); ++k) all.push_back(&input(k));
    return all;
  }
  /// R, for forward.
  std::int64_t rows() const { return output(0).dims()[0]; }

  const Direction& direction_;
  mluOpReduceMode_t reduce_type_;
};

}  // namespace

std::unique_ptr<FileCall> from_file(const Direction& direction, FileCase file) {
  file.params.expect_message(direction.op + std::string{"_param"}, file.op);
  if (direction.backward) {
    file.expect_tensors({"grad_voxel_feats", "feats", "voxel_feats", "point2voxel_map",
                         "voxel_points_count", "voxel_num"},
                        {"grad_feats"});
  } else {
    file.expect_tensors({"feats", "coors"}, {"voxel_feats", "voxel_coors", "point2voxel_map",
                                             "voxel_points_count", "voxel_num"});
  }
  return std::make_unique<VoxelFile>(direction, std::move(file));
}

}  // namespace mluop::dynamic_point_to_voxel
