// Rotated feature align as the loop over pixels and sample points that one writes first.
#pragma once

#include "ops/rotated_feature_align/kit/reference.hpp"
#include "testing/loops/loop_tensors.hpp"

namespace mluop::rotated_feature_align {

/// Forward shares rows of pixels among threads. Backward shares images: pixels of one add to the same cells.
class AlignLoops {
 public:
  void run(const reference::Shape& shape, bool backward, const testing::HostTensor& source,
           const testing::HostTensor& boxes, testing::HostTensor& result,
           const testing::LoopSettings& settings);

 private:
  testing::LoopTensor source_, boxes_, result_;
};

}  // namespace mluop::rotated_feature_align
