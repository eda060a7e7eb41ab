// Calls of rotated boxes that rows of a table can spoil.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/rotated_boxes/problem.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/bad_calls.hpp"
#include "testing/suite/tensor_argument.hpp"

namespace mluop::rotated_boxes::checks {

inline constexpr mluOpStatus_t BAD_PARAM = MLUOP_STATUS_BAD_PARAM;
inline constexpr mluOpStatus_t NOT_SUPPORTED = MLUOP_STATUS_NOT_SUPPORTED;

using testing::TensorArgument;

/// A valid call of mluOpBoxIouRotated until a row spoils it: 4 boxes against 3, or 4 pairs.
struct IouArgs {
  explicit IouArgs(bool pairs) : aligned(pairs) { sizes(4, pairs ? 4 : 3); }

  TensorArgument bbox1, bbox2, ious;
  int mode = 0;
  bool aligned;
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  bool has_handle = true;

  // The data fit the valid call; a larger tensor must be refused before they are looked at.
  std::vector<double> first = std::vector<double>(20, 1.0), second = first;
  std::vector<double> result = std::vector<double>(16, -7.0);

  bool outputs_untouched() const { return result == std::vector<double>(16, -7.0); }

  void dtypes(mluOpDataType_t dtype) { bbox1.dtype = bbox2.dtype = ious.dtype = dtype; }
  /// Dims of all three.
  void sizes(std::int64_t N, std::int64_t M) {
    bbox1.dims = {N, 5};
    bbox2.dims = {M, 5};
    ious.dims = aligned ? std::vector{N} : std::vector{N, M};
  }
};

inline mluOpStatus_t call(IouArgs& args) {
  testing::Handle handle;
  handle.limits(args.limits);
  const testing::Descriptor bbox1 = args.bbox1.make_descriptor();
  const testing::Descriptor bbox2 = args.bbox2.make_descriptor();
  const testing::Descriptor ious = args.ious.make_descriptor();
  return mluOpBoxIouRotated(args.has_handle ? handle.get() : nullptr, args.mode, args.aligned,
                            bbox1.get(), args.bbox1.data(args.first), bbox2.get(),
                            args.bbox2.data(args.second), ious.get(), args.ious.data(args.result));
}

/// The same for mluOpNmsRotated: 5 boxes.
struct NmsArgs {
  NmsArgs() {
    output.dtype = MLUOP_DTYPE_INT32;
    sizes(5, 5);
  }

  TensorArgument boxes, scores, output;
  float threshold = 0.5f;
  std::size_t workspace_size = 0;
  bool has_workspace = false, has_count = true;
  void* workspace_place = nullptr;
  void* count_place = nullptr;
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  bool has_handle = true;

  std::vector<double> box_data = std::vector<double>(30, 1.0), score_data = std::vector<double>(5);
  std::vector<std::int32_t> result = std::vector<std::int32_t>(5, -7);
  std::vector<std::int32_t> count = {-7};
  std::vector<std::byte> workspace = std::vector<std::byte>(64);

  bool outputs_untouched() const {
    return result == std::vector<std::int32_t>(5, -7) && count.front() == -7;
  }

  void dtypes(mluOpDataType_t dtype) { boxes.dtype = scores.dtype = dtype; }
  void sizes(std::int64_t N, std::int64_t fields) {
    boxes.dims = {N, fields};
    scores.dims = output.dims = {N};
  }
};

inline mluOpStatus_t call(NmsArgs& args) {
  testing::Handle handle;
  handle.limits(args.limits);
  const testing::Descriptor boxes = args.boxes.make_descriptor();
  const testing::Descriptor scores = args.scores.make_descriptor();
  const testing::Descriptor output = args.output.make_descriptor();
  void* const count = args.count_place != nullptr ? args.count_place : args.count.data();
  void* const workspace =
      args.workspace_place != nullptr ? args.workspace_place : args.workspace.data();
  return mluOpNmsRotated(
      args.has_handle ? handle.get() : nullptr, args.threshold, boxes.get(),
      args.boxes.data(args.box_data), scores.get(), args.scores.data(args.score_data),
      args.has_workspace ? workspace : nullptr, args.workspace_size, output.get(),
      args.output.data(args.result), args.has_count ? static_cast<std::int32_t*>(count) : nullptr);
}

/// Tries rows in a mode of limits, or in both.
template <class Args, class MakeValid>
void expect_refused(const testing::BadCallTable<Args>& table, const char* function,
                    const std::string& mode, mluOpCpuLimits_t limits, MakeValid&& make_valid) {
  const auto make = [&] {
    Args args = make_valid();
    args.limits = limits;
    return args;
  };
  table.expect_refused(function, testing::mode_of(limits) + mode, make,
                       [](Args& args) { return call(args); });
}
template <class Args, class MakeValid>
void expect_refused_in_both_modes(const testing::BadCallTable<Args>& table, const char* function,
                                  const std::string& mode, MakeValid&& make_valid) {
  expect_refused(table, function, mode, MLUOP_CPU_LIMITS_NONE, make_valid);
  expect_refused(table, function, mode, MLUOP_CPU_LIMITS_MLU, make_valid);
}

/// Tries every row of the tables.
std::vector<testing::BadCallOutcome> iou_bad_calls();
std::vector<testing::BadCallOutcome> nms_bad_calls();

}  // namespace mluop::rotated_boxes::checks
