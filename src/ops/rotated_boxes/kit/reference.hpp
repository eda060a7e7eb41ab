// IoU of many pairs, and greedy suppression, from the formula; and mmcv's loops as others run them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "mlu_op.h"

namespace mluop::rotated_boxes::reference {

/// Boxes [N,5] against [M,5]; aligned: N pairs, M = N.
struct Pairs {
  std::int64_t N, M;
  bool over_first = false, aligned = false;

  std::int64_t count() const { return aligned ? N : N * M; }
};

/// Rows of numbers of the dtype.
struct Boxes {
  std::vector<double> first, second;
};

/// Of `count` pairs from pair `begin` on. The geometry is computed in float, for DOUBLE in double, one
/// rounding per operation.
std::vector<double> ious(const Pairs& pairs, const Boxes& boxes, mluOpDataType_t dtype,
                         std::int64_t begin, std::int64_t count);

struct Kept {
  std::vector<std::int32_t> output;  // [N], filled up with 0
  std::int32_t count;
};

/// `fields` numbers for each box, of which five matter. Every box is compared with every one that is kept
/// before it.
Kept nms(std::span<const double> boxes, std::int64_t fields, std::span<const double> scores,
         float threshold, mluOpDataType_t dtype);

/// mmcv's CPU code: pair by pair, with sine and cosine for each. It sorts by std::sort with a comparison that
/// is no order; this has the exchanges of mmcv's CUDA code instead, which cost about the same.
void mmcv_ious(const Pairs& pairs, const float* first, const float* second, float* ious);
std::int64_t mmcv_nms(std::int64_t count, std::int64_t fields, const float* boxes,
                      const float* scores, float threshold, std::int32_t* kept);

}  // namespace mluop::rotated_boxes::reference
