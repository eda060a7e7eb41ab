// Points in boxes, three operators: what the files of this family share.
#pragma once

#include <cstdint>

#include "core/check.hpp"
#include "core/dtype.hpp"
#include "core/handle.hpp"
#include "core/implementation.hpp"
#include "mlu_op.h"
#include "mlu_op_cpu.h"

namespace mluop::points_in_boxes {

/// Which face of a box its z names, and what counts as between its sides.
enum class Geometry {
  centred,  // mluOpPointsInBoxes: z is the centre, and sides are 1e-5 farther out
  standing  // the other two, as mmcv: z is the bottom, and sides are where they are
};

/// The arguments of any of the three; `result` is points_indices or flags.
struct Arguments {
  const mluOpContext* handle;
  Tensor points, boxes, result;
};

/// A checked call. Points are [B,M,3] and boxes [B,T,7], dense, of one floating dtype. `result` is
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

/// What a check ends with, besides a failure.
enum class Next {
  nothing,  // the call failed, or a tensor is empty
  fill,     // there are points and no boxes: every index is -1
  search
};

inline constexpr const char* centred_function = "mluOpPointsInBoxes";
inline constexpr const char* part_function = "mluOpCpuPointsInBoxesPart";
inline constexpr const char* all_function = "mluOpCpuPointsInBoxesAll";

Status check_first(const char* function, Geometry geometry, const Arguments& call, Problem& problem,
                   Next& next);
Status check_all(const Arguments& call, int box_major, Problem& problem, Next& next);

extern const OperatorInfo centred_operator;
extern const OperatorInfo part_operator;
extern const OperatorInfo all_operator;

}  // namespace mluop::points_in_boxes
