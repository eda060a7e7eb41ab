// Points in boxes, three operators: what the files of this family share.
#pragma once

#include <cstdint>

#include "core/check/check.hpp"
#include "core/design/design.hpp"
#include "core/handle/handle.hpp"
#include "core/numbers/dtype.hpp"
#include "mlu_op.h"
#include "mlu_op_cpu.h"

namespace mluop::points_in_boxes {

/// Which face of a box its z names, and what counts as between its sides.
enum class Geometry {
  centred,  // mluOpPointsInBoxes: z is the centre, and sides are 1e-5 farther out
  standing  // the other two, as mmcv: z is the bottom, and sides have no margin
};

/// The arguments of any of the three; `result` is points_indices or flags.
struct Arguments {
  Tensor points, boxes, result;
  Geometry geometry;
  int box_major = 0;  // of flags
};

/// A checked call. Points are [B,M,3] and boxes [B,T,7], dense, of one floating dtype; T may be 0 only
/// where indices are searched. `result` is
/// [B,M], or for flags [B,M,T] and with box_major [B,T,M].
struct Problem {
  std::int64_t B, M, T;
  Geometry geometry;
  bool box_major;
  mluOpDataType_t dtype;
  const void* points;
  const void* boxes;
  std::int32_t* result;
};

inline constexpr const char* centred_function = "mluOpPointsInBoxes";
inline constexpr const char* part_function = "mluOpCpuPointsInBoxesPart";
inline constexpr const char* all_function = "mluOpCpuPointsInBoxesAll";

/// Each fills `problem` if the check is still running then, so unless a rule failed or there is nothing to
/// do. Without boxes (T = 0) check_first leaves one thing to do: every index becomes -1.
void check_first(Check& check, const Arguments& call, Problem& problem);
void check_all(Check& check, const Arguments& call, Problem& problem);

extern const OperatorInfo centred_operator;
extern const OperatorInfo part_operator;
extern const OperatorInfo all_operator;

}  // namespace mluop::points_in_boxes
