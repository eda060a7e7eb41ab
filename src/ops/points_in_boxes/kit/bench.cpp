// The suites of points in boxes: its cases as calls that test, acceptance and bench run.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "core/handle/handle.hpp"
#include "ops/points_in_boxes/kit/cases.hpp"
#include "ops/points_in_boxes/kit/file_cases.hpp"
#include "ops/points_in_boxes/kit/loops.hpp"
#include "ops/points_in_boxes/kit/spoilable_call.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::points_in_boxes {
namespace {

using testing::HostTensor;

/// More flags than this are compared in parts: as doubles they would need gigabytes.
constexpr std::int64_t most_compared = 1 << 22;

class BoxesCall final : public testing::Call {
 public:
  BoxesCall(const Variant& variant, const cases::Definition& definition, mluOpDataType_t dtype)
      : variant_(variant), shape_(definition.shape) {
    cases::Tensors tensors = cases::make_tensors(variant, definition, dtype);
    points_ = std::move(tensors.points);
    boxes_ = std::move(tensors.boxes);
    outputs_.push_back(std::move(tensors.result));
  }

  mluOpStatus_t run(mluOpHandle_t handle) override {
    return variant_.run(handle, points_, boxes_, outputs_.front());
  }
  std::span<HostTensor> outputs() override { return outputs_; }

  std::vector<std::vector<double>> reference() const override {
    const auto expected = variant_.expected(shape_, points_, boxes_);
    return {{expected.begin(), expected.end()}};
  }
  /// Integers have one answer.
  std::vector<std::vector<double>> plain() const override { return reference(); }

  std::vector<testing::Part> parts() override {
    const HostTensor& output = outputs_.front();
    if (output.count() <= most_compared) return Call::parts();
    constexpr std::int64_t pieces = 32, size = 1 << 16;
    const auto expected = variant_.expected(shape_, points_, boxes_);
    std::vector<testing::Part> all;
    for (std::int64_t i = 0; i < pieces; ++i) {  // the last piece ends with the output
      const std::int64_t first = (output.count() - size) / (pieces - 1) * i +
                                 (i == pieces - 1 ? (output.count() - size) % (pieces - 1) : 0);
      const std::vector<double> values(expected.begin() + first, expected.begin() + first + size);
      all.push_back(
          {output.name() + " from element " + std::to_string(first), 0, first, values, values});
    }
    return all;
  }

  void visit_all(const Elements& visit) const override {
    if (outputs_.front().count() <= most_compared) return;
    const auto expected = variant_.expected(shape_, points_, boxes_);
    constexpr std::size_t piece = 1 << 16;
    for (std::size_t first = 0; first < expected.size(); first += piece) {
      const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(first);
      const auto count = static_cast<std::ptrdiff_t>(std::min(piece, expected.size() - first));
      visit(0, static_cast<std::int64_t>(first), std::vector<double>(begin, begin + count));
    }
  }

  /// Points and boxes are read once and the result is written once. How many pairs must be tested
  /// depends on the method, so no arithmetic counts.
  testing::Cost cost() const override {
    return {.flops = 0,
            .bytes_read = static_cast<double>(points_.bytes() + boxes_.bytes()),
            .bytes_written = static_cast<double>(outputs_.front().bytes())};
  }

  /// mmcv's CPU code, which knows only float and its own formula; batch elements follow each other.
  bool run_peer() override {
    if (points_.dtype() != MLUOP_DTYPE_FLOAT) return false;
    if (variant_.formula != reference::Formula::part) return false;
    peer_result_.resize(static_cast<std::size_t>(outputs_.front().count()));
    const std::int64_t size = outputs_.front().count() / shape_.B;
    for (std::int64_t b = 0; b < shape_.B; ++b) {
      const std::span points = floats(points_, b), boxes = floats(boxes_, b);
      std::int32_t* const result = &peer_result_[static_cast<std::size_t>(b * size)];
      if (variant_.flags) {
        reference::mmcv_flags(points, boxes, variant_.box_major, result);
      } else {
        reference::mmcv_part(points, boxes, result);
      }
    }
    return true;
  }

  bool run_loop(mluOpHandle_t handle) override {
    loops_.run(variant_, shape_, points_, boxes_, outputs_.front(), testing::LoopSettings(handle));
    return true;
  }

  std::size_t workspace_bytes(mluOpHandle_t handle) const override {
    return handle->scratch.capacity();
  }

 private:
  std::span<const float> floats(const HostTensor& tensor, std::int64_t b) const {
    const auto size = static_cast<std::size_t>(tensor.count() / shape_.B);
    return {static_cast<const float*>(tensor.data()) + static_cast<std::size_t>(b) * size, size};
  }

  const Variant& variant_;
  reference::Shape shape_;
  HostTensor points_, boxes_;
  std::vector<HostTensor> outputs_;
  std::vector<std::int32_t> peer_result_;
  PointLoops loops_;
};

/// Of class A: exact.
std::vector<testing::Criterion> criteria(mluOpDataType_t) { return {{testing::Measure::diff3, 0}}; }

testing::Case case_of(const Variant& variant, const cases::Definition& definition) {
  return {definition.name + variant.suffix, cases::text_of(definition.shape), definition.kind,
          [&variant, definition](mluOpDataType_t dtype) -> std::unique_ptr<testing::Call> {
            return std::make_unique<BoxesCall>(variant, definition, dtype);
          }};
}

testing::Suite suite(std::initializer_list<const Variant*> of_op) {
  const Variant& variant = **of_op.begin();
  testing::Suite result{
      variant.op, {testing::floating_dtypes.begin(), testing::floating_dtypes.end()}, {}, criteria};
  result.card_dtypes = {MLUOP_DTYPE_FLOAT};
  result.bad_calls = [&variant] { return checks::bad_calls(variant); };
  for (const Variant* one : of_op) {
    for (const cases::Definition& definition : cases::definitions()) {
      result.cases.push_back(case_of(*one, definition));
    }
  }
  result.sized = {cases::size_keys(),
                  [&variant](const testing::Sizes& sizes, std::uint64_t seed) {
                    return case_of(variant, cases::sized(sizes, seed));
                  },
                  cases::draw_sizes, cases::sweep_sizes};
  return result;
}

/// The two orders of flags are one operator; an odd number of boxes stands for the second.
testing::Suite all_suite() {
  testing::Suite result = suite({&all_variant, &by_box_variant});
  result.bad_calls = [] {
    auto outcomes = checks::bad_calls(all_variant), more = checks::bad_calls(by_box_variant);
    outcomes.insert(outcomes.end(), more.begin(), more.end());
    return outcomes;
  };
  result.sized.make = [](const testing::Sizes& sizes, std::uint64_t seed) {
    const Variant& variant = sizes["boxes"] % 2 == 0 ? all_variant : by_box_variant;
    return case_of(variant, cases::sized(sizes, seed));
  };
  return result;
}

}  // namespace

std::vector<testing::Suite> suites() {
  testing::Suite points_in_boxes = suite({&points_in_boxes_variant});
  points_in_boxes.from_file = from_file;
  return {points_in_boxes, suite({&part_variant}), all_suite()};
}

}  // namespace mluop::points_in_boxes
