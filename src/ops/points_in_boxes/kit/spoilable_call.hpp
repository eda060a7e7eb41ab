// A call of points in boxes that rows of a table can spoil.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/points_in_boxes/kit/variant.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/bad_calls.hpp"
#include "testing/suite/tensor_argument.hpp"

namespace mluop::points_in_boxes::checks {

inline constexpr mluOpStatus_t BAD_PARAM = MLUOP_STATUS_BAD_PARAM;
inline constexpr mluOpStatus_t NOT_SUPPORTED = MLUOP_STATUS_NOT_SUPPORTED;

using testing::TensorArgument;

/// A valid call until a row spoils it: 2 batch elements of 5 points and 4 boxes.
struct Args {
  explicit Args(const Variant& of) : variant(&of), box_major(of.box_major ? 1 : 0) {
    result.dims = of.result_dims({2, 5, 4});
    result.dtype = MLUOP_DTYPE_INT32;
  }

  const Variant* variant;
  TensorArgument points{{2, 5, 3}};
  TensorArgument boxes{{2, 4, 7}};
  TensorArgument result{};
  int box_major;
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  bool has_handle = true;

  // The data fit the valid call; a larger tensor must be refused before they are looked at.
  std::vector<double> points_data = std::vector<double>(30);
  std::vector<double> boxes_data = std::vector<double>(56, 1.0);
  std::vector<std::int32_t> result_data = std::vector<std::int32_t>(40, -7);

  bool outputs_untouched() const { return result_data == std::vector<std::int32_t>(40, -7); }

  void dtypes(mluOpDataType_t dtype) { points.dtype = boxes.dtype = dtype; }
  /// Dims of all three.
  void sizes(std::int64_t B, std::int64_t M, std::int64_t T) {
    points.dims = {B, M, 3};
    boxes.dims = {B, T, 7};
    result.dims = variant->result_dims({B, M, T});
  }
};

inline mluOpStatus_t call(Args& args) {
  testing::Handle handle;
  handle.limits(args.limits);
  const testing::Descriptor points = args.points.make_descriptor();
  const testing::Descriptor boxes = args.boxes.make_descriptor();
  const testing::Descriptor result = args.result.make_descriptor();
  const mluOpHandle_t given = args.has_handle ? handle.get() : nullptr;
  void* const points_data = args.points.data(args.points_data);
  void* const boxes_data = args.boxes.data(args.boxes_data);
  void* const result_data = args.result.data(args.result_data);
  if (args.variant->flags) {
    return mluOpCpuPointsInBoxesAll(given, points.get(), points_data, boxes.get(), boxes_data,
                                    args.box_major, result.get(), result_data);
  }
  return args.variant->call(given, points.get(), points_data, boxes.get(), boxes_data, result.get(),
                            result_data);
}

/// Each argument by its name in messages.
struct Named {
  std::string name;
  TensorArgument Args::*tensor;
};

/// Rows under construction for one variant.
class BadCalls {
 public:
  explicit BadCalls(const Variant& of) : variant(of) {}

 protected:
  std::string result() const { return variant.result; }
  std::vector<Named> tensors() const {
    return {{"points", &Args::points}, {"boxes", &Args::boxes}, {result(), &Args::result}};
  }

  void expect_refused(mluOpCpuLimits_t limits) const {
    const auto make_valid = [this, limits] {
      Args args(variant);
      args.limits = limits;
      return args;
    };
    table.expect_refused(variant.function, testing::mode_of(limits), make_valid,
                         [](Args& args) { return call(args); });
  }
  /// The same rows must hold whether or not the card's limits apply.
  void expect_refused_in_both_modes() const {
    expect_refused(MLUOP_CPU_LIMITS_NONE);
    expect_refused(MLUOP_CPU_LIMITS_MLU);
  }

  const Variant& variant;
  testing::BadCallTable<Args> table;
};

/// Tries every row of the tables.
std::vector<testing::BadCallOutcome> bad_calls(const Variant& variant);

}  // namespace mluop::points_in_boxes::checks
