// A call of this family that rows of a table can spoil.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ops/nms/kit/operation.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/bad_calls.hpp"
#include "testing/suite/tensor_argument.hpp"

namespace mluop::nms::checks {

inline constexpr mluOpStatus_t BAD_PARAM = MLUOP_STATUS_BAD_PARAM;
inline constexpr mluOpStatus_t NOT_SUPPORTED = MLUOP_STATUS_NOT_SUPPORTED;

using testing::TensorArgument;

/// A valid call until a row spoils it: five boxes, or overlaps of five and four.
struct Args {
  explicit Args(const Operation& of);

  const Operation* operation;
  TensorArgument boxes, second, output;
  // mluOpNms only; what is set unless `is_set` is false
  bool has_nms_desc = true, is_set = true;
  mluOpNmsOutputMode_t output_mode = MLUOP_NMS_OUTPUT_TARGET_INDICES;
  mluOpNmsMethodMode_t method_mode = MLUOP_NMS_HARD_NMS;
  int max_output_size = 5;
  float confidence_threshold = 0;
  int input_layout = 0;
  bool has_workspace = false;
  std::size_t workspace_size = 0;
  void* workspace_place = nullptr;
  // mluOpCpuNms and mluOpCpuNms3d
  int offset = 0, ignore_heading = 0;

  bool has_number = true;
  void* number_place = nullptr;
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  bool has_handle = true;

  // The data fit the valid call; a larger tensor must be refused before they are looked at.
  std::vector<double> boxes_data, second_data, output_data;
  std::vector<std::int64_t> number_data{-7};

  bool outputs_untouched() const {
    return output_data == std::vector<double>(output_data.size(), -7.0) &&
           number_data == std::vector<std::int64_t>{-7};
  }
  void dtypes(mluOpDataType_t dtype);
  /// Boxes, scores and output of as many boxes.
  void count(std::int64_t N);
};

mluOpStatus_t call(Args& args);

/// Each tensor by its name in messages.
struct Named {
  std::string name;
  TensorArgument Args::*tensor;
};

/// Rows under construction for one operator.
class BadCalls {
 public:
  explicit BadCalls(const Operation& of) : operation(of) {}

 protected:
  std::string first() const { return operation.suppresses() ? "boxes" : "boxes_a"; }
  std::string second() const;
  std::string result() const { return operation.suppresses() ? "output" : "overlap"; }
  std::string number() const {
    return operation.function == Function::nms ? "output_size" : "result_num";
  }
  bool has_second() const { return operation.function != Function::nms3d; }
  /// Those that the operator has.
  std::vector<Named> tensors() const;

  void expect_refused(mluOpCpuLimits_t limits) const;
  /// The same rows must hold whether or not the card's limits apply.
  void expect_refused_in_both_modes() const {
    expect_refused(MLUOP_CPU_LIMITS_NONE);
    expect_refused(MLUOP_CPU_LIMITS_MLU);
  }

  const Operation& operation;
  testing::BadCallTable<Args> table;
};

/// Tries every row of the tables.
std::vector<testing::BadCallOutcome> bad_calls(const Operation& operation);

}  // namespace mluop::nms::checks
