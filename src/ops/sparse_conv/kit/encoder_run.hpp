// CenterPoint's sparse encoder through the library: pairs, forward and every gradient, step by step.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "ops/sparse_conv/kit/pairs/call.hpp"

namespace mluop::sparse_conv {

/// The layers of encoder(family) with random features, filters and gradient of the result. Steps work
/// on what the steps before them left.
class EncoderRun {
 public:
  /// One call of one operator; `run` throws unless it succeeds.
  struct Step {
    std::string layer, op;
    std::function<void(mluOpHandle_t handle)> run;
    /// Hands the result to the step that needs it.
    std::function<void()> finish;
    Cost cost;
    mluOpDataType_t dtype;
  };

  EncoderRun(std::string_view family, mluOpDataType_t dtype);

  /// Layer by layer pairs and forward, then layer by layer backwards both gradients.
  std::span<const Step> steps() const { return steps_; }
  void run(mluOpHandle_t handle) const;

  std::size_t layers() const { return layers_.size(); }
  /// What the convolutions of a layer read.
  const Operands& operands(std::size_t layer) const { return *layers_[layer].operands; }
  const PairsCall& pairs(std::size_t layer) const { return *layers_[layer].pairs; }

  const testing::HostTensor& output() const { return *layers_.back().features_out; }
  const testing::HostTensor& input_grad() const { return *layers_.front().input_grad; }
  const testing::HostTensor& filters_grad(std::size_t layer) const {
    return *layers_[layer].filters_grad;
  }

 private:
  struct State {
    std::string name;
    std::unique_ptr<PairsCall> pairs;
    std::unique_ptr<Operands> operands;
    std::unique_ptr<testing::HostTensor> features_out, input_grad, filters_grad;
  };

  void add_forward(std::size_t layer);
  void add_backward(std::size_t layer);
  void add_step(const State& state, const Direction& direction, testing::HostTensor& result,
                testing::HostTensor* next);

  std::vector<State> layers_;
  std::shared_ptr<std::vector<std::byte>> workspace_ = std::make_shared<std::vector<std::byte>>();
  std::vector<Step> steps_;
};

}  // namespace mluop::sparse_conv
