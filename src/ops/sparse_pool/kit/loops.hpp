// Pooling over index pairs as the loops over pairs that one writes first.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/sparse_pool/kit/operations.hpp"
#include "testing/loops/loop_tensors.hpp"

namespace mluop::sparse_pool {

/// For pairs between sites: the rows of one offset are distinct on either side, so its pairs are shared among
/// threads; an offset follows the other.
class PoolLoops {
 public:
  void run(const Operation& operation, const Operands& operands,
           const testing::LoopSettings& settings, testing::HostTensor& result);

 private:
  template <class Real>
  void max_forward(const Operands& operands, const testing::LoopSettings& settings, Real* largest);
  template <class Real>
  void max_backward(const Operands& operands, const testing::LoopSettings& settings, Real* sums);
  template <class Real>
  void avg_forward(const Operands& operands, const testing::LoopSettings& settings, Real* sums);
  template <class Real>
  void avg_backward(const Operands& operands, const testing::LoopSettings& settings, Real* sums);
  void count(const Operands& operands);

  testing::LoopTensor features_, features_out_, output_grad_, result_;
  std::vector<std::uint8_t> given_;
  std::vector<std::int32_t> counts_;  // of each output row
};

}  // namespace mluop::sparse_pool
