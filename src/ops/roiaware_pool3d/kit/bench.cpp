// The suites of RoI-aware pooling: its cases as calls that test, acceptance and bench run.
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "core/handle/handle.hpp"
#include "ops/roiaware_pool3d/kit/cases.hpp"
#include "ops/roiaware_pool3d/kit/file_cases.hpp"
#include "ops/roiaware_pool3d/kit/loops.hpp"
#include "ops/roiaware_pool3d/kit/sized_cases.hpp"
#include "ops/roiaware_pool3d/kit/spoilable_call.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/suite/cache_lines.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::roiaware_pool3d {
namespace {

using Values = std::vector<std::vector<double>>;

std::vector<double> as_doubles(const std::vector<std::int32_t>& values) {
  return {values.begin(), values.end()};
}

class Forward final : public testing::Call {
 public:
  Forward(const cases::Definition& definition, mluOpDataType_t dtype)
      : call_(cases::make_forward(definition, dtype)) {}

  mluOpStatus_t run(mluOpHandle_t handle) override { return call_.run(handle); }
  std::span<testing::HostTensor> outputs() override { return call_.outputs(); }

  Values reference() const override {
    const Indices indices = call_.expected_indices();
    return {as_doubles(indices.argmax), as_doubles(indices.lists), call_.expected_pooled(indices)};
  }

  /// Integers have one answer.
  Values plain() const override {
    const Indices indices = call_.expected_indices();
    return {as_doubles(indices.argmax), as_doubles(indices.lists), call_.plain_pooled(indices)};
  }

  /// Boxes and points are read, and the cache lines of the features of listed points; all three outputs are
  /// written. The arithmetic is that of the listed points alone: how many others must be tested depends on
  /// the method.
  testing::Cost cost() const override {
    const Shape& shape = call_.shape();
    const Indices indices = call_.expected_indices();
    testing::UsedRows rows(shape.M);
    double listed = 0;
    for (std::int64_t voxel = 0; voxel < shape.voxels(); ++voxel) {
      const std::int32_t* const list = &indices.lists[static_cast<std::size_t>(voxel * shape.T)];
      for (std::int32_t i = 1; i <= list[0]; ++i) rows.use(list[i]);
      listed += list[0];
    }
    const std::int64_t row_bytes = static_cast<std::int64_t>(call_.features().bytes()) / shape.M;
    testing::Cost cost{
        .flops = listed * static_cast<double>(shape.C),
        .bytes_read = static_cast<double>(call_.rois().bytes() + call_.pts().bytes()) +
                      rows.bytes_in_lines(row_bytes)};
    for (const testing::HostTensor& output : call_.outputs()) {
      cost.bytes_written += static_cast<double>(output.bytes());
    }
    return cost;
  }

  bool run_loop(mluOpHandle_t handle) override {
    loops_.run(call_, testing::LoopSettings(handle));
    return true;
  }

  std::size_t workspace_bytes(mluOpHandle_t handle) const override {
    return handle->scratch.capacity();
  }

 private:
  ForwardCall call_;
  ForwardLoops loops_;
};

class Backward final : public testing::Call {
 public:
  Backward(const cases::Definition& definition, mluOpDataType_t dtype)
      : indices_(cases::indices_of(definition, dtype)),
        call_(cases::make_backward(definition, dtype, indices_)) {}

  mluOpStatus_t run(mluOpHandle_t handle) override { return call_.run(handle); }
  std::span<testing::HostTensor> outputs() override { return {&call_.grad_in(), 1}; }
  Values reference() const override { return {call_.expected(indices_)}; }
  Values plain() const override { return {call_.plain(indices_)}; }

  /// Every argmax, or of every voxel the cache lines of its count and its points; the gradients of voxels
  /// that name points; and grad_in. An addition for each point and channel.
  testing::Cost cost() const override {
    const Shape& shape = call_.shape();
    std::vector<std::int64_t> index_bytes, gradient_bytes;
    testing::Cost cost{.bytes_written = static_cast<double>(call_.grad_in().bytes())};
    const std::int64_t element =
        static_cast<std::int64_t>(call_.grad_out().bytes()) / call_.grad_out().count();
    for (std::int64_t voxel = 0; voxel < shape.voxels(); ++voxel) {
      const std::int64_t additions = additions_of(voxel);
      cost.flops += static_cast<double>(additions);
      gradient_bytes.push_back(additions > 0 ? shape.C * element : 0);
      const std::int64_t entries = shape.average ? 1 + additions / shape.C : shape.C;
      index_bytes.push_back(4 * entries);
    }
    cost.bytes_read =
        testing::bytes_in_lines(index_bytes, 4 * (shape.average ? shape.T : shape.C)) +
        testing::bytes_in_lines(gradient_bytes, shape.C * element);
    return cost;
  }

  bool run_loop(mluOpHandle_t handle) override {
    loops_.run(call_, testing::LoopSettings(handle));
    return true;
  }

  std::size_t workspace_bytes(mluOpHandle_t handle) const override {
    return handle->scratch.capacity();
  }

 private:
  std::int64_t additions_of(std::int64_t voxel) const {
    const Shape& shape = call_.shape();
    if (shape.average) {
      return shape.C * indices_.lists[static_cast<std::size_t>(voxel * shape.T)];
    }
    std::int64_t additions = 0;
    for (std::int64_t c = 0; c < shape.C; ++c) {
      additions += indices_.argmax[static_cast<std::size_t>(voxel * shape.C + c)] >= 0 ? 1 : 0;
    }
    return additions;
  }

  Indices indices_;
  BackwardCall call_;
  BackwardLoops loops_;
};

std::vector<testing::Criterion> criteria(mluOpDataType_t dtype) {
  return testing::static_criteria(1e-5, 1e-3, dtype);
}

template <class Direction>
testing::Case case_of(const cases::Definition& definition) {
  return {definition.name, cases::text_of(definition.shape), definition.kind,
          [definition](mluOpDataType_t dtype) -> std::unique_ptr<testing::Call> {
            return std::make_unique<Direction>(definition, dtype);
          }};
}

template <class Direction, class Args>
testing::Suite suite(const char* op,
                     std::unique_ptr<testing::FileCall> (*from_file)(testing::FileCase)) {
  testing::Suite result{op,
                        {testing::floating_dtypes.begin(), testing::floating_dtypes.end()},
                        {},
                        criteria,
                        from_file};
  result.bad_calls = checks::bad_calls<Args>;
  for (const cases::Definition& definition : cases::definitions()) {
    result.cases.push_back(case_of<Direction>(definition));
  }
  result.sized = {cases::size_keys(),
                  [](const testing::Sizes& sizes, std::uint64_t seed) {
                    return case_of<Direction>(cases::sized(sizes, seed));
                  },
                  cases::draw_sizes, cases::sweep_sizes};
  return result;
}

}  // namespace

std::vector<testing::Suite> suites() {
  return {suite<Forward, checks::ForwardArgs>("roiaware_pool3d_forward", forward_from_file),
          suite<Backward, checks::BackwardArgs>("roiaware_pool3d_backward", backward_from_file)};
}

}  // namespace mluop::roiaware_pool3d
