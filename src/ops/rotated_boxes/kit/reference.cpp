#include "ops/rotated_boxes/kit/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "ops/rotated_boxes/kit/formula.hpp"

namespace mluop::rotated_boxes::reference {
namespace {

template <class Real>
std::vector<Turned<Real>> turned(std::span<const double> boxes, std::int64_t fields) {
  std::vector<Turned<Real>> all;
  for (std::size_t i = 0; i < boxes.size(); i += static_cast<std::size_t>(fields)) {
    all.emplace_back(&boxes[i]);
  }
  return all;
}

template <class Real>
std::vector<double> ious_in(const Pairs& pairs, const Boxes& boxes, std::int64_t begin,
                            std::int64_t count) {
  const auto first = turned<Real>(boxes.first, 5), second = turned<Real>(boxes.second, 5);
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(count));
  for (std::int64_t pair = begin; pair < begin + count; ++pair) {
    const auto i = static_cast<std::size_t>(pairs.aligned ? pair : pair / pairs.M);
    const auto j = static_cast<std::size_t>(pairs.aligned ? pair : pair % pairs.M);
    result.push_back(iou(first[i], second[j], pairs.over_first));
  }
  return result;
}

/// NaN first, then descending.
std::vector<std::int32_t> by_score(std::span<const double> scores) {
  std::vector<std::int32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::int32_t i, std::int32_t j) {
    const double a = scores[static_cast<std::size_t>(i)], b = scores[static_cast<std::size_t>(j)];
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && !std::isnan(b);
    return a > b;
  });
  return order;
}

template <class Real>
Kept nms_in(std::span<const double> boxes, std::int64_t fields, std::span<const double> scores,
            float threshold) {
  const auto all = turned<Real>(boxes, fields);
  Kept kept{{}, 0};
  std::vector<bool> suppressed(scores.size());
  const std::vector<std::int32_t> order = by_score(scores);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (suppressed[i]) continue;
    kept.output.push_back(order[i]);
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      if (suppressed[j]) continue;
      const Turned<Real>&a = all[static_cast<std::size_t>(order[i])],
            &b = all[static_cast<std::size_t>(order[j])];
      suppressed[j] = iou(a, b, false) > static_cast<Real>(threshold);
    }
  }
  kept.count = static_cast<std::int32_t>(kept.output.size());
  kept.output.resize(scores.size());
  return kept;
}

/// mmcv's single_box_iou_rotated.
float mmcv_pair(const float* a, const float* b, bool over_first) {
  return iou(Turned<float>(a), Turned<float>(b), over_first);
}

}  // namespace

std::vector<double> ious(const Pairs& pairs, const Boxes& boxes, mluOpDataType_t dtype,
                         std::int64_t begin, std::int64_t count) {
  return dtype == MLUOP_DTYPE_DOUBLE ? ious_in<double>(pairs, boxes, begin, count)
                                     : ious_in<float>(pairs, boxes, begin, count);
}

Kept nms(std::span<const double> boxes, std::int64_t fields, std::span<const double> scores,
         float threshold, mluOpDataType_t dtype) {
  return dtype == MLUOP_DTYPE_DOUBLE ? nms_in<double>(boxes, fields, scores, threshold)
                                     : nms_in<float>(boxes, fields, scores, threshold);
}

void mmcv_ious(const Pairs& pairs, const float* first, const float* second, float* ious) {
  if (pairs.aligned) {
    for (std::int64_t i = 0; i < pairs.N; ++i) {
      ious[i] = mmcv_pair(first + 5 * i, second + 5 * i, pairs.over_first);
    }
    return;
  }
  for (std::int64_t i = 0; i < pairs.N; ++i) {
    for (std::int64_t j = 0; j < pairs.M; ++j) {
      ious[i * pairs.M + j] = mmcv_pair(first + 5 * i, second + 5 * j, pairs.over_first);
    }
  }
}

std::int64_t mmcv_nms(std::int64_t count, std::int64_t fields, const float* boxes,
                      const float* scores, float threshold, std::int32_t* kept) {
  const std::vector<std::int32_t> order = by_score(std::vector<double>(scores, scores + count));
  std::vector<std::uint8_t> suppressed(static_cast<std::size_t>(count));
  std::int64_t found = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (suppressed[static_cast<std::size_t>(order[i])] == 1) continue;
    kept[found++] = order[i];
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      if (suppressed[static_cast<std::size_t>(order[j])] == 1) continue;
      const float overlap = mmcv_pair(boxes + fields * order[i], boxes + fields * order[j], false);
      if (overlap > threshold) suppressed[static_cast<std::size_t>(order[j])] = 1;
    }
  }
  return found;
}

}  // namespace mluop::rotated_boxes::reference
