// RoI align as the loops over bins and samples that one writes first.
#pragma once

#include "ops/roi_align/kit/tensors.hpp"
#include "testing/loops/loop_tensors.hpp"

namespace mluop::roi_align {

/// Forward shares RoIs among threads; backward shares blocks of channels, which write cells of their own.
class AlignLoops {
 public:
  void forward(const reference::Shape& shape, Tensors& tensors,
               const testing::LoopSettings& settings);
  void backward(const reference::Shape& shape, Tensors& tensors,
                const testing::LoopSettings& settings);

 private:
  testing::LoopTensor images_, boxes_, bins_[3];
};

}  // namespace mluop::roi_align
