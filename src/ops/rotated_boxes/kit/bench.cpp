// The suites of rotated boxes: their cases as calls that test, acceptance and bench run.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "core/handle/handle.hpp"
#include "ops/rotated_boxes/kit/cases.hpp"
#include "ops/rotated_boxes/kit/file_cases.hpp"
#include "ops/rotated_boxes/kit/loops.hpp"
#include "ops/rotated_boxes/kit/spoilable_call.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/compare/rounding.hpp"

namespace mluop::rotated_boxes {
namespace {

using testing::HostTensor;

/// More pairs than this are compared in parts.
constexpr std::int64_t most_compared = 1 << 20;

class IouCall final : public testing::Call {
 public:
  IouCall(const cases::IouDefinition& definition, mluOpDataType_t dtype)
      : pairs_(definition.pairs) {
    cases::IouTensors tensors = cases::make_tensors(definition, dtype);
    first_ = std::move(tensors.first);
    second_ = std::move(tensors.second);
    outputs_.push_back(std::move(tensors.ious));
  }

  mluOpStatus_t run(mluOpHandle_t handle) override {
    return cases::run(handle, pairs_, first_, second_, outputs_.front());
  }
  std::span<HostTensor> outputs() override { return outputs_; }

  std::vector<std::vector<double>> reference() const override {
    return {expected(0, pairs_.count())};
  }
  /// The formula has one answer in each arithmetic.
  std::vector<std::vector<double>> plain() const override { return reference(); }

  std::vector<testing::Part> parts() override {
    if (pairs_.count() <= most_compared) return Call::parts();
    constexpr std::int64_t pieces = 24, size = 1 << 15;
    std::vector<testing::Part> all;
    for (std::int64_t i = 0; i < pieces; ++i) {
      const std::int64_t first = (pairs_.count() - size) / (pieces - 1) * i;
      const std::vector<double> values = expected(first, size);
      all.push_back({"ious from element " + std::to_string(first), 0, first, values, values});
    }
    return all;
  }

  void visit_all(const Elements& visit) const override {
    if (pairs_.count() <= most_compared) return;
    constexpr std::int64_t piece = 1 << 18;
    for (std::int64_t first = 0; first < pairs_.count(); first += piece) {
      const auto exact = expected(first, std::min(piece, pairs_.count() - first));
      visit(0, first, testing::rounded_to(first_.dtype(), exact));  // bits are compared
    }
  }

  /// Boxes are read once and the result is written once. How many pairs must be looked at depends on the
  /// method, so no arithmetic counts.
  testing::Cost cost() const override {
    return {.flops = 0,
            .bytes_read = static_cast<double>(first_.bytes() + second_.bytes()),
            .bytes_written = static_cast<double>(outputs_.front().bytes())};
  }

  /// mmcv's CPU code knows only float.
  bool run_peer() override {
    if (first_.dtype() != MLUOP_DTYPE_FLOAT) return false;
    peer_result_.resize(static_cast<std::size_t>(pairs_.count()));
    reference::mmcv_ious(pairs_, static_cast<const float*>(first_.data()),
                         static_cast<const float*>(second_.data()), peer_result_.data());
    return true;
  }

  bool run_loop(mluOpHandle_t handle) override {
    loops_.run(pairs_, first_, second_, outputs_.front(), testing::LoopSettings(handle));
    return true;
  }

  std::size_t workspace_bytes(mluOpHandle_t handle) const override {
    return handle->scratch.capacity();
  }

 private:
  std::vector<double> expected(std::int64_t begin, std::int64_t count) const {
    return reference::ious(pairs_, {first_.values(), second_.values()}, first_.dtype(), begin,
                           count);
  }

  reference::Pairs pairs_;
  HostTensor first_, second_;
  std::vector<HostTensor> outputs_;
  std::vector<float> peer_result_;
  IouLoops loops_;
};

class NmsCall final : public testing::Call {
 public:
  NmsCall(const cases::NmsDefinition& definition, mluOpDataType_t dtype)
      : threshold_(definition.threshold) {
    cases::NmsTensors tensors = cases::make_tensors(definition, dtype);
    boxes_ = std::move(tensors.boxes);
    scores_ = std::move(tensors.scores);
    outputs_.push_back(std::move(tensors.output));
    outputs_.push_back(std::move(tensors.count));
  }

  mluOpStatus_t run(mluOpHandle_t handle) override {
    return cases::run(handle, threshold_, boxes_, scores_, outputs_[0], outputs_[1]);
  }
  std::span<HostTensor> outputs() override { return outputs_; }

  std::vector<std::vector<double>> reference() const override {
    const reference::Kept kept = reference::nms(boxes_.values(), boxes_.dims()[1], scores_.values(),
                                                threshold_, boxes_.dtype());
    return {{kept.output.begin(), kept.output.end()}, {static_cast<double>(kept.count)}};
  }
  /// Integers have one answer.
  std::vector<std::vector<double>> plain() const override { return reference(); }

  /// As that of IoU.
  testing::Cost cost() const override {
    return {.flops = 0,
            .bytes_read = static_cast<double>(boxes_.bytes() + scores_.bytes()),
            .bytes_written = static_cast<double>(outputs_[0].bytes() + outputs_[1].bytes())};
  }

  bool run_peer() override {
    if (boxes_.dtype() != MLUOP_DTYPE_FLOAT) return false;
    peer_result_.resize(static_cast<std::size_t>(scores_.count()));
    reference::mmcv_nms(scores_.count(), boxes_.dims()[1], static_cast<const float*>(boxes_.data()),
                        static_cast<const float*>(scores_.data()), threshold_, peer_result_.data());
    return true;
  }

  bool run_loop(mluOpHandle_t handle) override {
    loops_.run(threshold_, boxes_, scores_, outputs_[0], outputs_[1],
               testing::LoopSettings(handle));
    return true;
  }

  std::size_t workspace_bytes(mluOpHandle_t handle) const override {
    return handle->scratch.capacity();
  }

 private:
  float threshold_;
  HostTensor boxes_, scores_;
  std::vector<HostTensor> outputs_;
  std::vector<std::int32_t> peer_result_;
  NmsLoops loops_;
};

/// Exact: NMS decides by these numbers.
std::vector<testing::Criterion> criteria(mluOpDataType_t) { return {{testing::Measure::diff3, 0}}; }

testing::Case iou_case(const cases::IouDefinition& definition) {
  return {definition.name, cases::text_of(definition.pairs), definition.kind,
          [definition](mluOpDataType_t dtype) -> std::unique_ptr<testing::Call> {
            return std::make_unique<IouCall>(definition, dtype);
          }};
}

testing::Case nms_case(const cases::NmsDefinition& definition) {
  return {definition.name, cases::text_of(definition), definition.kind,
          [definition](mluOpDataType_t dtype) -> std::unique_ptr<testing::Call> {
            return std::make_unique<NmsCall>(definition, dtype);
          }};
}

testing::Suite suite(const char* op) {
  testing::Suite result{
      op, {testing::floating_dtypes.begin(), testing::floating_dtypes.end()}, {}, criteria};
  result.card_dtypes = {MLUOP_DTYPE_FLOAT};
  return result;
}

}  // namespace

std::vector<testing::Suite> suites() {
  testing::Suite iou = suite("box_iou_rotated"), nms = suite("nms_rotated");
  iou.from_file = iou_from_file;
  nms.from_file = nms_from_file;
  iou.bad_calls = checks::iou_bad_calls;
  nms.bad_calls = checks::nms_bad_calls;
  std::ranges::transform(cases::iou_definitions(), std::back_inserter(iou.cases), iou_case);
  std::ranges::transform(cases::nms_definitions(), std::back_inserter(nms.cases), nms_case);
  iou.sized = {cases::iou_size_keys(),
               [](const testing::Sizes& sizes, std::uint64_t seed) {
                 return iou_case(cases::iou_sized(sizes, seed));
               },
               cases::draw_iou_sizes, cases::sweep_iou_sizes};
  nms.sized = {cases::nms_size_keys(),
               [](const testing::Sizes& sizes, std::uint64_t seed) {
                 return nms_case(cases::nms_sized(sizes, seed));
               },
               cases::draw_nms_sizes, cases::sweep_nms_sizes};
  return {iou, nms};
}

}  // namespace mluop::rotated_boxes
