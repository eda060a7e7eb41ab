// The suites of rotated feature align: its cases as calls that test, acceptance and bench run.
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "core/handle/handle.hpp"
#include "ops/rotated_feature_align/kit/cases.hpp"
#include "ops/rotated_feature_align/kit/direction.hpp"
#include "ops/rotated_feature_align/kit/file_cases.hpp"
#include "ops/rotated_feature_align/kit/loops.hpp"
#include "ops/rotated_feature_align/kit/sized_cases.hpp"
#include "ops/rotated_feature_align/kit/spoilable_call.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::rotated_feature_align {
namespace {

using testing::HostTensor;

class AlignCall final : public testing::Call {
 public:
  AlignCall(const Direction& direction, const cases::Definition& definition, mluOpDataType_t dtype)
      : direction_(direction),
        shape_(definition.shape),
        source_(cases::make_features(definition, dtype, direction.from)),
        boxes_(cases::make_boxes(definition, dtype)) {
    outputs_.push_back(cases::make_output(definition, dtype, direction.to));
  }

  mluOpStatus_t run(mluOpHandle_t handle) override {
    return direction_.run(handle, shape_, source_, boxes_, outputs_.front());
  }

  std::span<HostTensor> outputs() override { return outputs_; }

  std::vector<std::vector<double>> reference() const override {
    return {direction_.reference(shape_, source_, boxes_)};
  }

  std::vector<std::vector<double>> plain() const override {
    return {direction_.plain(shape_, source_, boxes_)};
  }

  /// Four multiply-adds for each channel of an inside sample, one addition for the pixel itself.
  testing::Cost cost() const override {
    const auto samples =
        static_cast<double>(reference::inside_points(shape_, boxes_.values()) * shape_.C);
    return {.flops = 8 * samples + static_cast<double>(shape_.elements()),
            .bytes_read = static_cast<double>(source_.bytes() + boxes_.bytes()),
            .bytes_written = static_cast<double>(outputs_.front().bytes())};
  }

  bool run_loop(mluOpHandle_t handle) override {
    loops_.run(shape_, direction_.backward, source_, boxes_, outputs_.front(),
               testing::LoopSettings(handle));
    return true;
  }

  std::size_t workspace_bytes(mluOpHandle_t handle) const override {
    return handle->scratch.capacity();
  }

 private:
  const Direction& direction_;
  reference::Shape shape_;
  HostTensor source_;
  HostTensor boxes_;
  std::vector<HostTensor> outputs_;
  AlignLoops loops_;
};

std::vector<testing::Criterion> criteria(mluOpDataType_t dtype) {
  return testing::static_criteria(1e-5, 1e-3, dtype);
}

testing::Case case_of(const Direction& direction, const cases::Definition& definition) {
  return {definition.name, cases::text_of(definition.shape), definition.kind,
          [&direction, definition](mluOpDataType_t dtype) -> std::unique_ptr<testing::Call> {
            return std::make_unique<AlignCall>(direction, definition, dtype);
          }};
}

testing::Suite suite(const Direction& direction) {
  testing::Suite result{
      direction.op,
      {testing::floating_dtypes.begin(), testing::floating_dtypes.end()},
      {},
      criteria,
      [&](testing::FileCase file) { return from_file(direction, std::move(file)); }};
  result.bad_calls = [&] { return checks::bad_calls(direction); };
  for (const cases::Definition& definition : cases::definitions()) {
    result.cases.push_back(case_of(direction, definition));
  }
  result.sized = {cases::size_keys(),
                  [&direction](const testing::Sizes& sizes, std::uint64_t seed) {
                    return case_of(direction, cases::sized(sizes, seed));
                  },
                  cases::draw_sizes, cases::sweep_sizes};
  return result;
}

}  // namespace

std::vector<testing::Suite> suites() {
  return {suite(forward_direction), suite(backward_direction)};
}

}  // namespace mluop::rotated_feature_align
