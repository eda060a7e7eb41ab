// The three convolutions as the loops that one writes first: gather, multiply, add, row by row.
#pragma once

#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "testing/loops/loop_tensors.hpp"

namespace mluop::sparse_conv {

/// The rows of one offset are distinct on either side, so its pairs are independent of each other; an offset
/// follows the other. Filters are used where they are, except in a layout where neither channel is
/// contiguous.
class ConvolutionLoops {
 public:
  void run(const Direction& direction, const Operands& operands,
           const testing::LoopSettings& settings, testing::HostTensor& result);

 private:
  template <class Real>
  void run_rows(const Operands& operands, bool transposed, const testing::LoopSettings& settings,
                testing::HostTensor& result);
  template <class Real>
  void run_filter(const Operands& operands, const testing::LoopSettings& settings,
                  testing::HostTensor& result);

  testing::LoopTensor first_, second_, result_;
  std::vector<float> floats_;
  std::vector<double> doubles_;
};

}  // namespace mluop::sparse_conv
