// The suites of voxelization: its cases as calls that test, acceptance and bench run.
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/handle/handle.hpp"
#include "ops/voxelization/kit/cases.hpp"
#include "ops/voxelization/kit/file_cases.hpp"
#include "ops/voxelization/kit/loops.hpp"
#include "ops/voxelization/kit/peer.hpp"
#include "ops/voxelization/kit/spoilable_call.hpp"
#include "testing/compare/criteria.hpp"

namespace mluop::voxelization {
namespace {

using cases::Definition;
using testing::HostTensor;

/// What calls of both operators are.
class VoxelizationCall : public testing::Call {
 public:
  VoxelizationCall(const Definition& definition, mluOpDataType_t dtype)
      : setting_(definition.setting), inputs_(cases::make_inputs(definition, dtype)) {}

  std::span<HostTensor> outputs() override { return outputs_; }
  /// Integers and copies have one answer.
  std::vector<std::vector<double>> plain() const override { return reference(); }

  /// Points are read once, outputs written once, both dense. How cells are told apart depends on the
  /// method, so no arithmetic counts.
  testing::Cost cost() const override {
    double written = 0;
    for (const HostTensor& output : outputs_) written += static_cast<double>(output.bytes());
    return {.flops = 0,
            .bytes_read = static_cast<double>(inputs_.points.bytes()),
            .bytes_written = written};
  }

  std::size_t workspace_bytes(mluOpHandle_t handle) const override {
    return handle->scratch.capacity();
  }

 protected:
  bool has_peer() const { return inputs_.points.dtype() == MLUOP_DTYPE_FLOAT; }
  const float* peer_points() const { return static_cast<const float*>(inputs_.points.data()); }

  cases::Setting setting_;
  cases::Inputs inputs_;
  std::vector<HostTensor> outputs_;
  VoxelLoops loops_;
};

class HardCall final : public VoxelizationCall {
 public:
  HardCall(const Definition& definition, mluOpDataType_t dtype)
      : VoxelizationCall(definition, dtype) {
    outputs_ = cases::make_outputs(setting_, dtype);
  }

  mluOpStatus_t run(mluOpHandle_t handle) override {
    return cases::run_hard(handle, setting_, inputs_, outputs_);
  }
  std::vector<std::vector<double>> reference() const override {
    return cases::expected(setting_, inputs_.points);
  }
  bool run_peer() override {
    if (!has_peer()) return false;
    voxels_.resize(static_cast<std::size_t>(setting_.voxel_elements()));
    coors_.resize(static_cast<std::size_t>(3 * setting_.max_voxels));
    counts_.resize(static_cast<std::size_t>(setting_.max_voxels));
    reference::mmcv_voxelize(setting_, peer_points(), voxels_.data(), coors_.data(),
                             counts_.data());
    return true;
  }
  bool run_loop(mluOpHandle_t handle) override {
    loops_.run_hard(setting_, inputs_.points, outputs_, testing::LoopSettings(handle));
    return true;
  }

 private:
  std::vector<float> voxels_;
  std::vector<std::int32_t> coors_, counts_;
};

class DynamicCall final : public VoxelizationCall {
 public:
  DynamicCall(const Definition& definition, mluOpDataType_t dtype)
      : VoxelizationCall(definition, dtype) {
    outputs_.push_back(cases::make_coors(setting_));
  }

  mluOpStatus_t run(mluOpHandle_t handle) override {
    return cases::run_dynamic(handle, inputs_, outputs_.front());
  }
  std::vector<std::vector<double>> reference() const override {
    return cases::expected_dynamic(setting_, inputs_.points);
  }
  bool run_peer() override {
    if (!has_peer()) return false;
    coors_.resize(static_cast<std::size_t>(3 * setting_.N));
    reference::mmcv_dynamic(setting_, peer_points(), coors_.data());
    return true;
  }
  bool run_loop(mluOpHandle_t handle) override {
    loops_.run_dynamic(setting_, inputs_.points, outputs_.front(), testing::LoopSettings(handle));
    return true;
  }

 private:
  std::vector<std::int32_t> coors_;
};

/// Of class A: exact.
std::vector<testing::Criterion> criteria(mluOpDataType_t) { return {{testing::Measure::diff3, 0}}; }

template <class OneCall>
testing::Case case_of(const Definition& definition) {
  constexpr bool dynamic = std::is_same_v<OneCall, DynamicCall>;
  return {definition.name, cases::text_of(definition.setting, dynamic), definition.kind,
          [definition](mluOpDataType_t dtype) -> std::unique_ptr<testing::Call> {
            return std::make_unique<OneCall>(definition, dtype);
          }};
}

template <class OneCall>
testing::Suite suite(const char* op, const checks::Variant& variant) {
  constexpr bool dynamic = std::is_same_v<OneCall, DynamicCall>;
  testing::Suite result{
      op, {testing::floating_dtypes.begin(), testing::floating_dtypes.end()}, {}, criteria};
  result.card_dtypes = {MLUOP_DTYPE_FLOAT};
  result.bad_calls = [&variant] { return checks::bad_calls(variant); };
  for (const Definition& definition : cases::definitions()) {
    if (dynamic && !cases::differs_when_dynamic(definition)) continue;
    result.cases.push_back(case_of<OneCall>(definition));
  }
  result.sized = {cases::size_keys(dynamic),
                  [](const testing::Sizes& sizes, std::uint64_t seed) {
                    return case_of<OneCall>(cases::sized(sizes, seed, dynamic));
                  },
                  dynamic ? cases::draw_dynamic_sizes : cases::draw_hard_sizes,
                  dynamic ? cases::sweep_dynamic_sizes : cases::sweep_hard_sizes};
  return result;
}

}  // namespace

std::vector<testing::Suite> suites() {
  testing::Suite hard = suite<HardCall>("voxelization", checks::hard_variant);
  hard.from_file = from_file;
  hard.bad_calls = [] {
    auto outcomes = checks::bad_calls(checks::query_variant);
    auto more = checks::bad_calls(checks::hard_variant);
    outcomes.insert(outcomes.end(), more.begin(), more.end());
    return outcomes;
  };
  return {hard, suite<DynamicCall>("dynamic_voxelize", checks::dynamic_variant)};
}

}  // namespace mluop::voxelization
