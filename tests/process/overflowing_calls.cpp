// Calls of each family with values near the largest half.
#include "overflowing_calls.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "ops/carafe/kit/calls.hpp"
#include "ops/roiaware_pool3d/kit/cases.hpp"
#include "ops/rotated_feature_align/kit/cases.hpp"
#include "ops/rotated_feature_align/kit/direction.hpp"
#include "ops/sparse_conv/kit/convolution/cases.hpp"
#include "testing/data/host_tensor.hpp"
#include "testing/data/workspace.hpp"

namespace mluop::testing {
namespace {

constexpr double large = 60000;

void fill_large(HostTensor& tensor) {
  fill(tensor, [] { return large; });
}

bool any_infinite(const HostTensor& tensor) {
  return std::ranges::any_of(tensor.values(), [](double value) { return std::isinf(value); });
}

/// CARAFE in either direction, with large maps and weights.
template <class Data>
class LargeCarafe final : public OverflowingCall {
 public:
  mluOpStatus_t run(mluOpHandle_t handle) override { return data_.run(handle); }
  bool has_infinities() const override {
    return std::ranges::all_of(data_.outputs(), any_infinite);
  }

 private:
  static Data make() {
    const carafe::reference::Shape shape{1, 9, 11, 24, 3, 2, 2};
    const auto filled = [](HostTensor tensor) {
      fill_large(tensor);
      return tensor;
    };
    auto input = filled(carafe::cases::low_map(shape, MLUOP_DTYPE_HALF, "input"));
    auto mask = filled(carafe::cases::mask_map(shape, MLUOP_DTYPE_HALF, "mask"));
    if constexpr (std::is_same_v<Data, carafe::ForwardData>) {
      return {shape, std::move(input), std::move(mask)};
    } else {
      return {shape, std::move(input), std::move(mask),
              filled(carafe::cases::high_map(shape, MLUOP_DTYPE_HALF, "grad_output"))};
    }
  }
  Data data_ = make();
};

/// Rotated feature align, which adds samples to its input.
class LargeAlign final : public OverflowingCall {
 public:
  explicit LargeAlign(const rotated_feature_align::Direction& direction)
      : direction_(direction),
        source_(rotated_feature_align::cases::make_features(definition(), MLUOP_DTYPE_HALF,
                                                            direction.from)),
        boxes_(rotated_feature_align::cases::make_boxes(definition(), MLUOP_DTYPE_HALF)),
        result_(rotated_feature_align::cases::make_output(definition(), MLUOP_DTYPE_HALF,
                                                          direction.to)) {
    fill_large(source_);
  }

  mluOpStatus_t run(mluOpHandle_t handle) override {
    return direction_.run(handle, definition().shape, source_, boxes_, result_);
  }
  bool has_infinities() const override { return any_infinite(result_); }

 private:
  static rotated_feature_align::cases::Definition definition() {
    return {"large",
            Case::Kind::edge,
            {1, 16, 16, 40, 1.0f, 5},
            rotated_feature_align::cases::near_pixel(1, 2)};
  }
  const rotated_feature_align::Direction& direction_;
  HostTensor source_, boxes_, result_;
};

/// The operands of a convolution.
class LargeConvolution final : public OverflowingCall {
 public:
  explicit LargeConvolution(const sparse_conv::Direction& direction)
      : direction_(direction),
        operands_(sparse_conv::cases::make_operands(
            sparse_conv::cases::definition_named("repeated_rows"), MLUOP_DTYPE_HALF)),
        result_(direction.make_result(operands_)) {
    for (const auto source : direction_.sources) fill_large(operands_.*source);
  }

  mluOpStatus_t run(mluOpHandle_t handle) override {
    std::size_t bytes = 0;
    const mluOpStatus_t status = direction_.workspace_size(handle, operands_, result_, &bytes);
    if (status != MLUOP_STATUS_SUCCESS) return status;
    return direction_.run(handle, operands_, workspace_.require(bytes), bytes, result_);
  }
  bool has_infinities() const override { return any_infinite(result_); }

 private:
  const sparse_conv::Direction& direction_;
  sparse_conv::Operands operands_;
  HostTensor result_;
  CallWorkspace workspace_;
};

/// RoI-aware pooling backward: every voxel adds to the same point.
class LargePoolingGradient final : public OverflowingCall {
 public:
  mluOpStatus_t run(mluOpHandle_t handle) override { return call_.run(handle); }
  bool has_infinities() const override { return any_infinite(call_.grad_in()); }

 private:
  static roiaware_pool3d::BackwardCall make() {
    const roiaware_pool3d::Shape shape{4, 3, 3, 3, 4, 24, 7};
    const auto features = static_cast<std::size_t>(shape.voxels() * shape.C);
    return {shape,
            MLUOP_DTYPE_HALF,
            {std::vector<std::int32_t>(static_cast<std::size_t>(shape.voxels() * shape.T), 0),
             std::vector<std::int32_t>(features, 0)},
            std::vector<double>(features, large)};
  }
  roiaware_pool3d::BackwardCall call_ = make();
};

}  // namespace

std::unique_ptr<OverflowingCall> overflowing_call(std::string_view op) {
  if (op == "carafe_forward") return std::make_unique<LargeCarafe<carafe::ForwardData>>();
  if (op == "carafe_backward") return std::make_unique<LargeCarafe<carafe::BackwardData>>();
  if (op == "roiaware_pool3d_backward") return std::make_unique<LargePoolingGradient>();
  for (const auto* direction :
       {&rotated_feature_align::forward_direction, &rotated_feature_align::backward_direction}) {
    if (op == direction->op) return std::make_unique<LargeAlign>(*direction);
  }
  for (const sparse_conv::Direction* direction : sparse_conv::directions()) {
    if (op == direction->op) return std::make_unique<LargeConvolution>(*direction);
  }
  return nullptr;
}

}  // namespace mluop::testing
