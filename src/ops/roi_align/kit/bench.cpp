// The suites of RoI align: its cases as calls that test, acceptance and bench run.
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/handle/handle.hpp"
#include "ops/roi_align/kit/cases.hpp"
#include "ops/roi_align/kit/file_cases.hpp"
#include "ops/roi_align/kit/loops.hpp"
#include "ops/roi_align/kit/minimum_work.hpp"
#include "ops/roi_align/kit/peer.hpp"
#include "ops/roi_align/kit/spoilable_call.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::roi_align {
namespace {

using reference::Shape;
using testing::HostTensor;

/// What both directions have in common.
class AlignCall : public testing::Call {
 public:
  AlignCall(const cases::Definition& definition, mluOpDataType_t dtype, bool backward)
      : shape_(definition.shape), tensors_(cases::make_tensors(definition, dtype, backward)) {}

  std::size_t workspace_bytes(mluOpHandle_t handle) const override {
    return handle->scratch.capacity();
  }

 protected:
  double bytes_of_bins() const {
    return static_cast<double>(tensors_.bins[0].bytes()) *
           static_cast<double>(tensors_.bin_tensors(shape_));
  }

  Shape shape_;
  Tensors tensors_;
  AlignLoops loops_;
  Peer peer_;
};

class ForwardCall final : public AlignCall {
 public:
  ForwardCall(const cases::Definition& definition, mluOpDataType_t dtype)
      : AlignCall(definition, dtype, false) {}

  mluOpStatus_t run(mluOpHandle_t handle) override { return tensors_.forward(handle, shape_); }
  std::span<HostTensor> outputs() override { return {tensors_.bins, tensors_.bin_tensors(shape_)}; }
  Values reference() const override { return tensors_.forward_reference(shape_); }
  Values plain() const override { return tensors_.forward_plain(shape_); }
  bool run_peer() override { return peer_.forward(shape_, tensors_); }
  bool run_loop(mluOpHandle_t handle) override {
    loops_.forward(shape_, tensors_, testing::LoopSettings(handle));
    return true;
  }

  /// The cache lines of the cells that a sample touches are read once, bins are written once.
  testing::Cost cost() const override {
    const MinimumWork work(shape_, tensors_.boxes.values());
    const auto cell =
        static_cast<std::int64_t>(tensors_.images.bytes()) / (shape_.N * shape_.H * shape_.W);
    return {.flops = work.flops(),
            .bytes_read = work.bytes_of_cells(cell) + static_cast<double>(tensors_.boxes.bytes()),
            .bytes_written = bytes_of_bins()};
  }
};

class BackwardCall final : public AlignCall {
 public:
  BackwardCall(const cases::Definition& definition, mluOpDataType_t dtype)
      : AlignCall(definition, dtype, true) {}

  mluOpStatus_t run(mluOpHandle_t handle) override { return tensors_.backward(handle, shape_); }
  std::span<HostTensor> outputs() override { return {&tensors_.images, 1}; }
  Values reference() const override { return tensors_.backward_reference(shape_); }
  Values plain() const override { return tensors_.backward_plain(shape_); }
  bool run_peer() override { return peer_.backward(shape_, tensors_); }
  bool run_loop(mluOpHandle_t handle) override {
    loops_.backward(shape_, tensors_, testing::LoopSettings(handle));
    return true;
  }

  /// Bins are read once, images are written once. Of a maximum each bin goes to four cells.
  testing::Cost cost() const override {
    const double flops = shape_.maximum ? 8 * static_cast<double>(shape_.bin_elements())
                                        : MinimumWork(shape_, tensors_.boxes.values()).flops();
    return {.flops = flops,
            .bytes_read = bytes_of_bins() + static_cast<double>(tensors_.boxes.bytes()),
            .bytes_written = static_cast<double>(tensors_.images.bytes())};
  }
};

std::vector<testing::Criterion> criteria(mluOpDataType_t dtype) {
  using testing::Measure;
  const double threshold = dtype == MLUOP_DTYPE_DOUBLE     ? 1e-12
                           : dtype == MLUOP_DTYPE_HALF     ? 1e-3
                           : dtype == MLUOP_DTYPE_BFLOAT16 ? 4e-3
                                                           : 1e-6;
  return {{Measure::diff1, threshold}, {Measure::diff2, threshold}};
}

template <class OneCall>
testing::Case case_of(const cases::Definition& definition) {
  return {definition.name, cases::text_of(definition.shape), definition.kind,
          [definition](mluOpDataType_t dtype) -> std::unique_ptr<testing::Call> {
            return std::make_unique<OneCall>(definition, dtype);
          },
          definition.dtypes};
}

template <class OneCall>
testing::Suite suite(const char* op, const char* file_op, checks::Function function,
                     std::unique_ptr<testing::FileCall> (*from_file)(testing::FileCase)) {
  testing::Suite result{op,
                        {testing::floating_dtypes.begin(), testing::floating_dtypes.end()},
                        {},
                        criteria,
                        from_file};
  result.file_op = file_op;
  result.bad_calls = [function] { return checks::bad_calls(function); };
  for (const cases::Definition& definition : cases::definitions()) {
    result.cases.push_back(case_of<OneCall>(definition));
  }
  result.sized = {cases::size_keys(),
                  [](const testing::Sizes& sizes, std::uint64_t seed) {
                    return case_of<OneCall>(cases::sized(sizes, seed));
                  },
                  cases::draw_sizes, cases::sweep_sizes};
  return result;
}

}  // namespace

std::vector<testing::Suite> suites() {
  return {suite<ForwardCall>("roi_align_forward", "roialign_forward", checks::Function::forward,
                             forward_from_file),
          suite<BackwardCall>("roi_align_backward", "", checks::Function::backward,
                              backward_from_file)};
}

}  // namespace mluop::roi_align
