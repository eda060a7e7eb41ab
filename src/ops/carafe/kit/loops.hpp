// CARAFE as five nested loops, parallel over the rows of the results.
#pragma once

#include "ops/carafe/kit/calls.hpp"
#include "testing/loops/loop_tensors.hpp"

namespace mluop::carafe {

class CarafeLoops {
 public:
  void run(ForwardData& data, const testing::LoopSettings& settings);
  void run(BackwardData& data, const testing::LoopSettings& settings);

 private:
  testing::LoopTensor input_, mask_, grad_output_, first_, second_;
};

}  // namespace mluop::carafe
