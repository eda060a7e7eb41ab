// Suppression and overlaps from the formulas, pair by pair, and mmcv's serial loop as others run it. Decisions
// are exact, so pairs are computed in the operators' own arithmetic: float, or double for DOUBLE.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mlu_op.h"

namespace mluop::nms::reference {

/// How suppression of one set of boxes decides.
struct Rule {
  enum class Shape { corners, exchanged, centred, turned, upright };
  Shape shape = Shape::corners;
  float threshold = 0.5f;
  float offset = 0;

  bool standing() const { return shape == Shape::turned || shape == Shape::upright; }
  std::size_t numbers() const { return standing() ? 7 : 4; }
};

/// Whether the earlier box `a` suppresses `b`.
template <class Real>
bool suppresses(const Rule& rule, const Real* a, const Real* b);

/// The area from above that two boxes of seven numbers share.
template <class Real>
Real overlap(const Real* a, const Real* b);

/// Indices in the order of scores: descending, NaN first, equal ones by index.
std::vector<std::int64_t> by_score(std::span<const double> scores);

/// The boxes of `order` that are kept, at most `most`. Boxes are rows of numbers that the dtype holds.
std::vector<std::int64_t> keep(const Rule& rule, std::span<const double> boxes,
                               std::span<const std::int64_t> order, std::int64_t most,
                               mluOpDataType_t dtype);

/// mmcv's CPU code of nms: sort, areas, and two loops. Returns the number kept.
std::int64_t mmcv_nms(std::span<const float> boxes, std::span<const float> scores, float threshold,
                      int offset, std::vector<std::int64_t>& kept);

/// The same loops over 3-D boxes in order, with mmcv's intersection over union of each pair.
std::int64_t mmcv_nms3d(const Rule& rule, std::span<const float> boxes,
                        std::vector<std::int64_t>& kept);

/// The overlap of each box of a and each of b, pair after pair.
void mmcv_overlaps(std::span<const float> a, std::span<const float> b,
                   std::vector<float>& overlaps);

}  // namespace mluop::nms::reference
