// Non-maximum suppression: what the files of this family share.
#pragma once

#include <cstdint>

#include "core/check/check.hpp"
#include "core/design/design.hpp"
#include "core/handle/handle.hpp"
#include "core/numbers/dtype.hpp"
#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "ops/nms/descriptor.hpp"

namespace mluop::nms {

/// How the numbers of a box give its sides.
enum class Shape {
  corners,            // x1, y1, x2, y2 as they are
  exchanged_corners,  // the same, exchanged where x1 > x2 or y1 > y2
  centred,            // centre, width and height
  turned,             // x, y, z, three sizes and the heading, seen from above
  upright             // the same without the heading
};
constexpr bool has_seven_numbers(Shape shape) {
  return shape == Shape::turned || shape == Shape::upright;
}

/// What is written of a kept box.
enum class Record { index, row, plane, triplet };

/// The arguments of mluOpNms; confidence may lack a descriptor where boxes are 3-D.
struct Arguments {
  const mluOpNmsDescriptor_t nms;
  Tensor boxes, confidence, output;
  const void* output_size;
  const void* workspace = nullptr;
  std::size_t workspace_size = 0;
};

/// Those of mluOpCpuNms.
struct CpuArguments {
  float iou_threshold;
  int offset;
  Tensor boxes, scores, output;
  const void* result_num;
};

/// Those of mluOpCpuNms3d.
struct StandingArguments {
  float iou_threshold;
  int ignore_heading;
  Tensor boxes, output;
  const void* result_num;
};

/// Those of mluOpCpuBoxesOverlapBev.
struct OverlapArguments {
  Tensor boxes_a, boxes_b, overlap;
};

/// A checked call of one of the three that suppress. Boxes are [B,N,4] or [N,7], or by field [B,4,N] or
/// [7,N]; scores are [B,classes,N]. Every (batch element, class) is a problem of its own.
struct Problem {
  std::int64_t B = 1, classes = 1, N = 0;
  Shape shape = Shape::corners;
  bool by_field = false;
  mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT;
  const void* boxes = nullptr;
  const void* scores = nullptr;   // null: boxes are in order
  bool above_confidence = false;  // only boxes with a score above `confidence_threshold`
  float confidence_threshold = 0;
  float iou_threshold = 0;
  float offset = 0;
  std::int64_t most = 0;  // boxes kept of each problem
  Record record = Record::index;
  mluOpDataType_t index_dtype = MLUOP_DTYPE_INT32;  // of indices, and of the number kept
  void* output = nullptr;                           // zeroed beyond what is kept
  std::size_t output_bytes = 0;
  std::int64_t plane_stride = 0;
  void* result_num = nullptr;
};

/// The overlap of each box of a [N,7] with each of b [M,7].
struct OverlapProblem {
  std::int64_t N, M;
  mluOpDataType_t dtype;
  const void* a;
  const void* b;
  void* overlap;
};

inline constexpr const char* nms_function = "mluOpNms";
inline constexpr const char* query_function = "mluOpGetNmsWorkspaceSize";
inline constexpr const char* cpu_nms_function = "mluOpCpuNms";
inline constexpr const char* nms3d_function = "mluOpCpuNms3d";
inline constexpr const char* overlap_function = "mluOpCpuBoxesOverlapBev";

/// Each fills `problem` if the check is still running then, so unless a rule failed or there are no boxes:
/// then the number kept has been written.
void check_nms(Check& check, const Arguments& call, Problem& problem);
void check_cpu_nms(Check& check, const CpuArguments& call, Problem& problem);
void check_nms3d(Check& check, const StandingArguments& call, Problem& problem);
void check_overlap(Check& check, const OverlapArguments& call, OverlapProblem& problem);

extern const OperatorInfo nms_operator;
extern const OperatorInfo cpu_nms_operator;
extern const OperatorInfo nms3d_operator;
extern const OperatorInfo overlap_operator;

}  // namespace mluop::nms
