// Voxelization as the loops that one writes first.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/voxelization/kit/cases.hpp"
#include "testing/loops/loop_tensors.hpp"

namespace mluop::voxelization {

/// Cells are found in parallel. Voxels are numbered by one thread, in a grid of all cells if it is not much
/// larger than the cloud, else in a hash map. Rows are copied in parallel.
class VoxelLoops {
 public:
  void run_hard(const cases::Setting& setting, const testing::HostTensor& points,
                std::vector<testing::HostTensor>& outputs, const testing::LoopSettings& settings);
  void run_dynamic(const cases::Setting& setting, const testing::HostTensor& points,
                   testing::HostTensor& coors, const testing::LoopSettings& settings);

 private:
  /// Where the row of a point goes; voxel -1: nowhere.
  struct Place {
    std::int32_t voxel, rank;
  };

  void find_cells(const cases::Setting& setting, const testing::HostTensor& points,
                  std::int32_t* cells, const testing::LoopSettings& settings);
  template <class VoxelOf>
  std::int32_t number(const cases::Setting& setting, std::vector<testing::HostTensor>& outputs,
                      VoxelOf&& voxel_of);
  std::int32_t number(const cases::Setting& setting, std::vector<testing::HostTensor>& outputs);

  testing::LoopTensor points_;
  std::vector<std::int32_t> cells_, grid_;
  std::vector<Place> places_;
};

}  // namespace mluop::voxelization
