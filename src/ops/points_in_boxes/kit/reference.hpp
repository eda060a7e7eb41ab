// Points in boxes from the formulas, pair by pair, and mmcv's loop as others run it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mlu_op.h"

namespace mluop::points_in_boxes::reference {

/// Points [B,M,3] and boxes [B,T,7].
struct Shape {
  std::int64_t B, M, T;

  std::int64_t points() const { return B * M; }
  std::int64_t pairs() const { return B * M * T; }
};

/// Points and boxes as numbers of the dtype.
struct Scene {
  std::vector<double> points, boxes;
};

enum class Formula { points_in_boxes, part };

/// The number of the first box that holds each point, or -1: [B,M]. The geometry is computed in float,
/// for DOUBLE in double, one rounding per operation.
std::vector<std::int32_t> first(Formula formula, const Shape& shape, const Scene& scene,
                                mluOpDataType_t dtype);

/// 1 for every pair of a point and a box that holds it, by Formula::part, else 0: [B,M,T], or [B,T,M].
std::vector<std::int32_t> flags(const Shape& shape, const Scene& scene, mluOpDataType_t dtype,
                                bool box_major);

/// The way of mmcv's CPU code: point by point, box by box, sine and cosine for each pair that is between
/// bottom and top. Of one batch element.
void mmcv_part(std::span<const float> points, std::span<const float> boxes, std::int32_t* indices);
void mmcv_flags(std::span<const float> points, std::span<const float> boxes, bool box_major,
                std::int32_t* flags);

}  // namespace mluop::points_in_boxes::reference
