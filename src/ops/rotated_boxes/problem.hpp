// Rotated boxes, two operators: what the files of this family share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/check/check.hpp"
#include "core/design/design.hpp"
#include "core/handle/handle.hpp"
#include "core/numbers/dtype.hpp"
#include "mlu_op.h"

namespace mluop::rotated_boxes {

/// Of a box: x, y, w, h, angle.
inline constexpr std::int64_t box_fields = 5;

struct IouArguments {
  Tensor bbox1, bbox2, ious;
  int mode;
  bool aligned;
};

/// A checked call: boxes [N,5] against [M,5], dense, of one floating dtype; ious [N,M], or [N] of the pairs
/// of equal number if aligned. N and M are not 0.
struct IouProblem {
  std::int64_t N, M;
  bool over_first;  // intersection over the first box, not over the union
  bool aligned;
  mluOpDataType_t dtype;
  const void* bbox1;
  const void* bbox2;
  void* ious;
};

struct NmsArguments {
  Tensor boxes, scores, output;
  float iou_threshold;
  Region workspace;
  std::int32_t* result_num;
};

/// A checked call: boxes [N,fields], dense, of the dtype of scores [N]; N is not 0.
struct NmsProblem {
  std::int64_t N;
  std::int64_t fields;  // of a row: box_fields, or one more for a label that nobody reads
  float iou_threshold;
  mluOpDataType_t dtype;
  const void* boxes;
  const void* scores;
  std::int32_t* output;
  std::int32_t* result_num;
};

inline constexpr const char* iou_function = "mluOpBoxIouRotated";
inline constexpr const char* nms_function = "mluOpNmsRotated";

/// Each fills `problem` if the check is still running then, so unless a rule failed or there is nothing to
/// do. Without boxes check_nms leaves one thing to do: result_num, if there is one, becomes 0.
void check_iou(Check& check, const IouArguments& call, IouProblem& problem);
void check_nms(Check& check, const NmsArguments& call, NmsProblem& problem);

extern const OperatorInfo iou_operator;
extern const OperatorInfo nms_operator;

}  // namespace mluop::rotated_boxes
