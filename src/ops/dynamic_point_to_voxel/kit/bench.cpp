// The suites of dynamic point to voxel: its cases as calls that test, acceptance and bench run.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/handle/handle.hpp"
#include "ops/dynamic_point_to_voxel/kit/cases.hpp"
#include "ops/dynamic_point_to_voxel/kit/file_cases.hpp"
#include "ops/dynamic_point_to_voxel/kit/loops.hpp"
#include "ops/dynamic_point_to_voxel/kit/spoilable_call.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/suite/cache_lines.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::dynamic_point_to_voxel {
namespace {

using testing::HostTensor;

class VoxelCall final : public testing::Call {
 public:
  VoxelCall(const Direction& direction, const cases::Definition& definition,
            mluOpReduceMode_t reduce_type, mluOpDataType_t dtype)
      : direction_(direction),
        reduce_type_(reduce_type),
        inputs_(cases::make_inputs(definition, direction, reduce_type, dtype)),
        outputs_(make_outputs()),
        in_(pointers_to(inputs_.tensors)) {
    for (HostTensor& output : outputs_) out_.push_back(&output);
  }

  mluOpStatus_t run(mluOpHandle_t handle) override {
    return dynamic_point_to_voxel::run(direction_, handle, reduce_type_, in_, out_);
  }
  std::span<HostTensor> outputs() override { return outputs_; }
  std::vector<std::vector<double>> reference() const override {
    return reference_of(direction_, reduce_type_, pointers_to(inputs_.tensors), inputs_.shape.R);
  }
  std::vector<std::vector<double>> plain() const override {
    return plain_of(direction_, reduce_type_, pointers_to(inputs_.tensors), inputs_.shape.R);
  }
  testing::Cost cost() const override {
    return direction_.backward ? backward_cost() : forward_cost();
  }

  bool run_peer() override {
    if (outputs_.front().dtype() != MLUOP_DTYPE_FLOAT) return false;
    if (peer_outputs_.empty()) peer_outputs_ = make_outputs();
    serial_run(direction_, reduce_type_, inputs_.tensors, peer_outputs_);
    return true;
  }
  bool run_loop(mluOpHandle_t handle) override {
    loops_.run(direction_, reduce_type_, inputs_.tensors, outputs_, testing::LoopSettings(handle));
    return true;
  }
  std::size_t workspace_bytes(mluOpHandle_t handle) const override {
    return handle->scratch.capacity();
  }

 private:
  Tensors make_outputs() const {
    const mluOpDataType_t dtype = inputs_.tensors.front().dtype();
    return direction_.backward ? backward_outputs(inputs_.shape, dtype)
                               : forward_outputs(inputs_.shape, dtype);
  }

  /// To sort, a point's key of 8 bytes is written, read and written once more in another place, and read there.
  static double sort_bytes(std::int64_t points) { return 16.0 * static_cast<double>(points); }

  double bytes_written() const {
    double bytes = 0;
    for (const HostTensor& output : outputs_) bytes += static_cast<double>(output.bytes());
    return bytes;
  }
  std::int64_t row_bytes(std::size_t input) const {
    const HostTensor& tensor = inputs_.tensors[input];
    return static_cast<std::int64_t>(tensor.bytes()) / tensor.dims()[0];
  }

  /// Coordinates are read, the rows of valid points gathered in cache lines, keys sorted, all outputs written.
  testing::Cost forward_cost() const {
    const HostTensor& coors = inputs_.tensors[1];
    const std::int64_t N = inputs_.shape.N, D = inputs_.shape.D;
    testing::UsedRows used(N);
    std::int64_t valid = 0;
    for (std::int64_t i = 0; i < N; ++i) {
      const auto row =
          integers(coors).subspan(static_cast<std::size_t>(i * D), static_cast<std::size_t>(D));
      if (std::ranges::min(row) < 0) continue;
      used.use(i);
      ++valid;
    }
    return {.flops = static_cast<double>(valid * inputs_.shape.C),
            .bytes_read = static_cast<double>(coors.bytes()) + used.bytes_in_lines(row_bytes(0)) +
                          sort_bytes(valid),
            .bytes_written = bytes_written() + sort_bytes(valid)};
  }

  /// The map is read, and of voxels that have points the rows of the gradient and, for the maximum, of the features,
  /// or for the mean the counts. The maximum needs points in the order of their voxels, and their features.
  testing::Cost backward_cost() const {
    const auto map = integers(inputs_.tensors[3]);
    const bool max = reduce_type_ == MLUOP_REDUCE_DMAX;
    testing::UsedRows points(inputs_.shape.N), voxels(inputs_.shape.R);
    std::int64_t valid = 0;
    for (std::int64_t i = 0; i < std::ssize(map); ++i) {
      const std::int32_t voxel = map[static_cast<std::size_t>(i)];
      if (voxel < 0) continue;
      points.use(i);
      voxels.use(voxel);
      ++valid;
    }
    double read =
        static_cast<double>(inputs_.tensors[3].bytes()) + voxels.bytes_in_lines(row_bytes(0));
    if (max) {
      read += points.bytes_in_lines(row_bytes(1)) + voxels.bytes_in_lines(row_bytes(2)) +
              sort_bytes(valid);
    } else if (reduce_type_ == MLUOP_REDUCE_DMEAN) {
      read += voxels.bytes_in_lines(row_bytes(4));
    }
    return {.flops = reduce_type_ == MLUOP_REDUCE_DSUM
                         ? 0
                         : static_cast<double>(valid * inputs_.shape.C),
            .bytes_read = read,
            .bytes_written = bytes_written() + (max ? sort_bytes(valid) : 0)};
  }

  const Direction& direction_;
  mluOpReduceMode_t reduce_type_;
  cases::Inputs inputs_;
  Tensors outputs_, peer_outputs_;
  TensorPointers in_;
  std::vector<HostTensor*> out_;
  VoxelLoopsRun loops_;
};

/// Sums are accumulated; a gradient is a copy or a quotient, and rounded once.
std::vector<testing::Criterion> forward_criteria(mluOpDataType_t dtype) {
  return testing::static_criteria(1e-5, 1e-3, dtype);
}
std::vector<testing::Criterion> backward_criteria(mluOpDataType_t) {
  return {{testing::Measure::diff3, 0}};
}

testing::Case case_of(const Direction& direction, const cases::Definition& definition,
                      mluOpReduceMode_t reduce_type) {
  return {definition.name + '_' + name_of(reduce_type),
          std::to_string(definition.N) + " points, " + std::to_string(definition.C) +
              " channels, " + name_of(reduce_type),
          definition.kind,
          [&direction, definition,
           reduce_type](mluOpDataType_t dtype) -> std::unique_ptr<testing::Call> {
            return std::make_unique<VoxelCall>(direction, definition, reduce_type, dtype);
          }};
}

testing::Suite suite(const Direction& direction) {
  testing::Suite result{direction.op,
                        {testing::floating_dtypes.begin(), testing::floating_dtypes.end()},
                        {},
                        direction.backward ? backward_criteria : forward_criteria};
  result.card_dtypes = {MLUOP_DTYPE_FLOAT};
  result.bad_calls = [&] { return checks::bad_calls(direction); };
  result.from_file = [&](testing::FileCase file) { return from_file(direction, std::move(file)); };
  for (const cases::Definition& definition : cases::definitions()) {
    for (const mluOpReduceMode_t reduce_type : definition.reduce_types) {
      result.cases.push_back(case_of(direction, definition, reduce_type));
    }
  }
  result.sized = {cases::size_keys(),
                  [&direction](const testing::Sizes& sizes, std::uint64_t seed) {
                    const cases::Definition definition = cases::sized(sizes, seed);
                    return case_of(direction, definition, definition.reduce_types.front());
                  },
                  cases::draw_sizes, cases::sweep_sizes};
  return result;
}

}  // namespace

std::vector<testing::Suite> suites() {
  std::vector<testing::Suite> all;
  for (const Direction* direction : directions) all.push_back(suite(*direction));
  return all;
}

}  // namespace mluop::dynamic_point_to_voxel
