// mmcv's CPU loop as the peer of a case, on its own copies of the tensors in [N,C,H,W].
#pragma once

#include <vector>

#include "ops/roi_align/kit/tensors.hpp"

namespace mluop::roi_align {

class Peer {
 public:
  /// False for dtypes other than FLOAT. Copies are made at the first run.
  bool forward(const reference::Shape& shape, const Tensors& tensors);
  bool backward(const reference::Shape& shape, const Tensors& tensors);

 private:
  std::vector<float> images_, boxes_, bins_[3];
};

}  // namespace mluop::roi_align
