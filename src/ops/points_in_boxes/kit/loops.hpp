// Points in boxes as the loop over points and boxes that one writes first.
#pragma once

#include "ops/points_in_boxes/kit/variant.hpp"
#include "testing/loops/loop_tensors.hpp"

namespace mluop::points_in_boxes {

/// Sine and cosine once for each box; points are shared among threads, flags by box the boxes.
class PointLoops {
 public:
  void run(const Variant& variant, const reference::Shape& shape, const testing::HostTensor& points,
           const testing::HostTensor& boxes, testing::HostTensor& result,
           const testing::LoopSettings& settings);

 private:
  testing::LoopTensor points_, boxes_;
};

}  // namespace mluop::points_in_boxes
