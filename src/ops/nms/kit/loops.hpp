// Suppression and overlaps as the loops that one writes first.
#pragma once

#include "ops/nms/kit/operation.hpp"
#include "testing/loops/loop_tensors.hpp"

namespace mluop::nms {

/// Suppression shares the later boxes of each kept one among threads, or whole problems if there are several;
/// overlaps share rows.
class NmsLoops {
 public:
  void run(const Operation& operation, const Setting& setting, const View& view,
           const testing::LoopSettings& settings);

 private:
  testing::LoopTensor boxes_, second_, output_;
};

}  // namespace mluop::nms
