// The loops of mmcv's kernels, point by point and voxel by voxel.
#include "ops/roiaware_pool3d/kit/plain_loops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mluop::roiaware_pool3d::plain {
namespace {

using reference::Shape;

/// The voxel of a point in its box; -1 outside.
std::int64_t voxel_of(const Shape& shape, const float* box, const float* point) {
  if (std::abs(point[2] - (box[2] + box[5] / 2)) > box[5] / 2) return -1;
  const float cosine = std::cos(-box[6]), sine = std::sin(-box[6]);
  const float x = point[0] - box[0], y = point[1] - box[1];
  const float along = x * cosine + y * -sine, across = x * sine + y * cosine;
  if (!(std::abs(along) < box[3] / 2 && std::abs(across) < box[4] / 2)) return -1;
  const auto cell = [](float at, float size, std::int64_t cells) {
    const float position = at / (size / static_cast<float>(cells));
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(position), 0, cells - 1);
  };
  return (cell(along + box[3] / 2, box[3], shape.X) * shape.Y +
          cell(across + box[4] / 2, box[4], shape.Y)) *
             shape.Z +
         cell(point[2] - box[2], box[5], shape.Z);
}

void collect_points(const Shape& shape, const float* boxes, const float* points,
                    std::int32_t* lists) {
  const std::int64_t in_box = shape.X * shape.Y * shape.Z;
  std::fill_n(lists, shape.voxels() * shape.T, 0);
  for (std::int64_t b = 0; b < shape.B; ++b) {
    for (std::int64_t p = 0; p < shape.M; ++p) {
      const std::int64_t voxel = voxel_of(shape, boxes + 7 * b, points + 3 * p);
      if (voxel < 0) continue;
      std::int32_t* const list = lists + (b * in_box + voxel) * shape.T;
      if (list[0] < shape.T - 1) list[++list[0]] = static_cast<std::int32_t>(p);
    }
  }
}

void pool_max(const Shape& shape, std::int64_t c, const float* features, const std::int32_t* list,
              float* pooled, std::int32_t* argmax) {
  float best = -std::numeric_limits<float>::infinity();
  std::int32_t winner = -1;
  for (std::int32_t t = 1; t <= list[0]; ++t) {
    const float feature = features[list[t] * shape.C + c];
    if (feature > best) {
      best = feature;
      winner = list[t];
    }
  }
  *pooled = winner < 0 ? 0 : best;
  *argmax = winner;
}

float average(const Shape& shape, std::int64_t c, const float* features, const std::int32_t* list) {
  float sum = 0;
  for (std::int32_t t = 1; t <= list[0]; ++t) sum += features[list[t] * shape.C + c];
  return list[0] > 0 ? sum / static_cast<float>(list[0]) : 0;
}

bool backward_max(const Shape& shape, const std::int32_t* argmax, const float* grad_out,
                  float* grad_in) {
  for (std::int64_t voxel = 0; voxel < shape.voxels(); ++voxel) {
    for (std::int64_t c = 0; c < shape.C; ++c) {
      const std::int32_t point = argmax[voxel * shape.C + c];
      if (point == -1) continue;
      if (point < 0 || point >= shape.M) return false;
      grad_in[point * shape.C + c] += grad_out[voxel * shape.C + c];
    }
  }
  return true;
}

bool backward_average(const Shape& shape, const std::int32_t* lists, const float* grad_out,
                      float* grad_in) {
  for (std::int64_t voxel = 0; voxel < shape.voxels(); ++voxel) {
    const std::int32_t* const list = lists + voxel * shape.T;
    if (list[0] >= shape.T) return false;
    const float weight = 1 / std::max(static_cast<float>(list[0]), 1.0f);
    for (std::int32_t t = 1; t <= list[0]; ++t) {
      if (list[t] < 0 || list[t] >= shape.M) return false;
      for (std::int64_t c = 0; c < shape.C; ++c) {
        grad_in[list[t] * shape.C + c] += grad_out[voxel * shape.C + c] * weight;
      }
    }
  }
  return true;
}

}  // namespace

void forward(const Shape& shape, const float* boxes, const float* points, const float* features,
             std::int32_t* lists, float* pooled, std::int32_t* argmax) {
  collect_points(shape, boxes, points, lists);
  for (std::int64_t voxel = 0; voxel < shape.voxels(); ++voxel) {
    const std::int32_t* const list = lists + voxel * shape.T;
    for (std::int64_t c = 0; c < shape.C; ++c) {
      const std::int64_t at = voxel * shape.C + c;
      if (shape.average) {
        pooled[at] = average(shape, c, features, list);
      } else {
        pool_max(shape, c, features, list, pooled + at, argmax + at);
      }
    }
  }
}

bool backward(const Shape& shape, const std::int32_t* indices, const float* grad_out,
              float* grad_in) {
  std::fill_n(grad_in, shape.M * shape.C, 0.0f);
  return shape.average ? backward_average(shape, indices, grad_out, grad_in)
                       : backward_max(shape, indices, grad_out, grad_in);
}

}  // namespace mluop::roiaware_pool3d::plain
