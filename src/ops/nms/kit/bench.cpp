// The suites of this family: its cases as calls that test, acceptance and bench run.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/handle/handle.hpp"
#include "ops/nms/kit/cases.hpp"
#include "ops/nms/kit/file_cases.hpp"
#include "ops/nms/kit/loops.hpp"
#include "ops/nms/kit/spoilable_call.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::nms {
namespace {

using testing::HostTensor;

class NmsCall final : public testing::Call {
 public:
  NmsCall(const Operation& operation, const cases::Definition& definition, mluOpDataType_t dtype)
      : operation_(operation), setting_(definition.setting) {
    Tensors tensors = cases::make_tensors(operation, definition, dtype);
    boxes_ = std::move(tensors.boxes);
    second_ = std::move(tensors.second);
    outputs_.push_back(std::move(tensors.output));
    if (operation.suppresses()) outputs_.push_back(std::move(tensors.number));
    if (operation.function == Function::nms) desc_.emplace(setting_, boxes_of(setting_, boxes_));
  }

  mluOpStatus_t run(mluOpHandle_t handle) override {
    return nms::run(operation_, setting_, desc_ ? desc_->get() : nullptr, handle, view());
  }
  std::span<HostTensor> outputs() override { return outputs_; }

  std::vector<std::vector<double>> reference() const override {
    if (!expected_.empty()) return expected_;
    const bool scored = second_.descriptor() != nullptr;
    expected_ = operation_.suppresses()
                    ? expected_kept(operation_, setting_, boxes_, scored ? &second_ : nullptr,
                                    outputs_.front().count())
                    : expected_overlaps(boxes_, second_);
    return expected_;
  }
  /// There is one answer.
  std::vector<std::vector<double>> plain() const override { return reference(); }

  /// Inputs are read once and results written once. How many pairs must be tested depends on the method, so
  /// no arithmetic counts.
  testing::Cost cost() const override {
    testing::Cost cost{.bytes_read = static_cast<double>(boxes_.bytes() + second_.bytes())};
    for (const HostTensor& output : outputs_) {
      cost.bytes_written += static_cast<double>(output.bytes());
    }
    return cost;
  }

  /// mmcv's serial loops, which know float and one set of boxes.
  bool run_peer() override {
    const Setting& s = setting_;
    const bool plain_output = s.output_mode == MLUOP_NMS_OUTPUT_TARGET_INDICES;
    if (boxes_.dtype() != MLUOP_DTYPE_FLOAT || s.batch != 0 || s.input_layout != 0 ||
        !plain_output || s.box_mode != MLUOP_NMS_BOX_DIAGONAL || s.most >= 0) {
      return false;
    }
    if (operation_.function == Function::overlap) {
      reference::mmcv_overlaps(floats(boxes_), floats(second_), peer_overlaps_);
    } else if (numbers_of(operation_, s) == 7) {
      reference::mmcv_nms3d(rule_of(operation_, s), floats(boxes_), peer_kept_);
    } else {
      reference::mmcv_nms(floats(boxes_), floats(second_), s.iou_threshold, s.offset, peer_kept_);
    }
    return true;
  }

  bool run_loop(mluOpHandle_t handle) override {
    loops_.run(operation_, setting_, view(), testing::LoopSettings(handle));
    return true;
  }

  std::size_t workspace_bytes(mluOpHandle_t handle) const override {
    return handle->scratch.capacity();
  }

 private:
  static std::span<const float> floats(const HostTensor& tensor) {
    return {static_cast<const float*>(tensor.data()), static_cast<std::size_t>(tensor.count())};
  }

  View view() {
    return {boxes_, second_, outputs_[0], operation_.suppresses() ? &outputs_[1] : nullptr};
  }

  const Operation& operation_;
  Setting setting_;
  HostTensor boxes_, second_;
  std::vector<HostTensor> outputs_;
  std::optional<NmsDescriptor> desc_;
  mutable std::vector<std::vector<double>> expected_;
  std::vector<std::int64_t> peer_kept_;
  std::vector<float> peer_overlaps_;
  NmsLoops loops_;
};

/// Of class A: exact.
std::vector<testing::Criterion> criteria(mluOpDataType_t) { return {{testing::Measure::diff3, 0}}; }

testing::Case case_of(const Operation& operation, const cases::Definition& definition) {
  return {definition.name, definition.shape, definition.kind,
          [&operation, definition](mluOpDataType_t dtype) -> std::unique_ptr<testing::Call> {
            return std::make_unique<NmsCall>(operation, definition, dtype);
          },
          definition.dtypes};
}

testing::Suite suite(const Operation& operation) {
  testing::Suite result{operation.op,
                        {testing::floating_dtypes.begin(), testing::floating_dtypes.end()},
                        {},
                        criteria};
  result.bad_calls = [&operation] { return checks::bad_calls(operation); };
  for (const cases::Definition& definition : cases::definitions(operation)) {
    result.cases.push_back(case_of(operation, definition));
  }
  result.sized = {cases::size_keys(),
                  [&operation](const testing::Sizes& sizes, std::uint64_t seed) {
                    return case_of(operation, cases::sized(operation, sizes, seed));
                  },
                  cases::draw_sizes, cases::sweep_sizes};
  return result;
}

}  // namespace

std::vector<testing::Suite> suites() {
  std::vector<testing::Suite> all;
  for (const Operation* operation : operations) all.push_back(suite(*operation));
  all.front().from_file = from_file;
  return all;
}

}  // namespace mluop::nms
