// Rotated boxes as the loops that one writes first.
#pragma once

#include "ops/rotated_boxes/kit/reference.hpp"
#include "testing/loops/loop_tensors.hpp"

namespace mluop::rotated_boxes {

/// Sine and cosine once for each box; pairs are shared among threads by rows, aligned ones in pieces.
class IouLoops {
 public:
  void run(const reference::Pairs& pairs, const testing::HostTensor& first,
           const testing::HostTensor& second, testing::HostTensor& ious,
           const testing::LoopSettings& settings);

 private:
  testing::LoopTensor first_, second_, ious_;
};

/// Box by box; those that one suppresses are shared among threads.
class NmsLoops {
 public:
  void run(float threshold, const testing::HostTensor& boxes, const testing::HostTensor& scores,
           testing::HostTensor& output, testing::HostTensor& count,
           const testing::LoopSettings& settings);

 private:
  testing::LoopTensor boxes_;
};

}  // namespace mluop::rotated_boxes
