// Dynamic point to voxel as one writes it first: rows are sorted by comparison, then a loop runs over the voxels.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/dynamic_point_to_voxel/kit/operands.hpp"
#include "testing/loops/loop_tensors.hpp"

namespace mluop::dynamic_point_to_voxel {

/// The points of each voxel; those of voxel v are points[begins[v]] to points[begins[v + 1] - 1], ascending.
struct PointLists {
  std::vector<std::int32_t> points;
  std::vector<std::int64_t> begins;
};

/// Sorting is serial; voxels are shared among threads.
class VoxelLoopsRun {
 public:
  void run(const Direction& direction, mluOpReduceMode_t reduce_type, const Tensors& inputs,
           Tensors& outputs, const testing::LoopSettings& settings);

 private:
  template <class Real>
  void forward(mluOpReduceMode_t reduce_type, const Tensors& inputs, Tensors& outputs,
               const testing::LoopSettings& settings);
  template <class Real>
  void backward(mluOpReduceMode_t reduce_type, const Tensors& inputs, Tensors& outputs,
                const testing::LoopSettings& settings);

  PointLists lists_;
  testing::LoopTensor feats_, voxel_feats_, gradient_, result_;
};

/// The same on one thread and with plain C++ for the rows: how it is usually done on a CPU, as torch.unique and a
/// scatter would. In float; the results are stored in `outputs`.
void serial_run(const Direction& direction, mluOpReduceMode_t reduce_type, const Tensors& inputs,
                Tensors& outputs);

}  // namespace mluop::dynamic_point_to_voxel
