// The formulas, written as the page states them.
#include "ops/points_in_boxes/kit/reference.hpp"

#include <cmath>
#include <cstddef>

namespace mluop::points_in_boxes::reference {
namespace {

/// One box [7] and what its heading gives.
template <class Real>
struct Box {
  Real cx, cy, cz, dx, dy, dz, c, s;

  explicit Box(const double* fields)
      : cx(static_cast<Real>(fields[0])),
        cy(static_cast<Real>(fields[1])),
        cz(static_cast<Real>(fields[2])),
        dx(static_cast<Real>(fields[3])),
        dy(static_cast<Real>(fields[4])),
        dz(static_cast<Real>(fields[5])),
        c(std::cos(-static_cast<Real>(fields[6]))),
        s(std::sin(-static_cast<Real>(fields[6]))) {}
};

template <class Real>
bool contains(Formula formula, const Box<Real>& box, const double* point) {
  const auto [cx, cy, cz, dx, dy, dz, c, s] = box;
  const Real x = static_cast<Real>(point[0]), y = static_cast<Real>(point[1]);
  const Real z = static_cast<Real>(point[2]);
  const Real zc = formula == Formula::part ? cz + dz / 2 : cz;
  if (std::isnan(z - zc) || std::isnan(dz) || std::abs(z - zc) > dz / 2) return false;
  const Real lx = (x - cx) * c + (y - cy) * -s;
  const Real ly = (x - cx) * s + (y - cy) * c;
  if (formula == Formula::part) {
    return -dx / 2 < lx && lx < dx / 2 && -dy / 2 < ly && ly < dy / 2;
  }
  const double m = static_cast<double>(1e-5f);
  return std::abs(static_cast<double>(lx)) < static_cast<double>(dx) / 2 + m &&
         std::abs(static_cast<double>(ly)) < static_cast<double>(dy) / 2 + m;
}

/// Calls visit(b, p, t) for every point p and box t of batch element b that holds it, box by box.
template <class Real, class Visit>
void for_each_inside(Formula formula, const Shape& shape, const Scene& scene, Visit&& visit) {
  for (std::int64_t b = 0; b < shape.B; ++b) {
    for (std::int64_t t = 0; t < shape.T; ++t) {
      const Box<Real> box(&scene.boxes[static_cast<std::size_t>(7 * (b * shape.T + t))]);
      for (std::int64_t p = 0; p < shape.M; ++p) {
        const double* point = &scene.points[static_cast<std::size_t>(3 * (b * shape.M + p))];
        if (contains(formula, box, point)) visit(b, p, t);
      }
    }
  }
}

template <class Visit>
void for_each_inside(Formula formula, const Shape& shape, const Scene& scene, mluOpDataType_t dtype,
                     Visit&& visit) {
  if (dtype == MLUOP_DTYPE_DOUBLE) {
    for_each_inside<double>(formula, shape, scene, visit);
  } else {
    for_each_inside<float>(formula, shape, scene, visit);
  }
}

/// mmcv's check_pt_in_box3d_cpu: the flag, as its loops use it.
int mmcv_check(const float* point, const float* box) {
  const float x = point[0], y = point[1], z = point[2];
  const float cx = box[0], cy = box[1], x_size = box[3], y_size = box[4], z_size = box[5];
  float cz = box[2];
  const float rz = box[6];
  cz += static_cast<float>(z_size / 2.0);
  if (std::fabs(z - cz) > z_size / 2.0) return 0;
  const float cosa = std::cos(-rz), sina = std::sin(-rz);
  const float local_x = (x - cx) * cosa + (y - cy) * (-sina);
  const float local_y = (x - cx) * sina + (y - cy) * cosa;
  return static_cast<int>((local_x > -x_size / 2.0) & (local_x < x_size / 2.0) &
                          (local_y > -y_size / 2.0) & (local_y < y_size / 2.0));
}

}  // namespace

std::vector<std::int32_t> first(Formula formula, const Shape& shape, const Scene& scene,
                                mluOpDataType_t dtype) {
  std::vector<std::int32_t> result(static_cast<std::size_t>(shape.points()), -1);
  for_each_inside(formula, shape, scene, dtype,
                  [&](std::int64_t b, std::int64_t p, std::int64_t t) {
                    std::int32_t& index = result[static_cast<std::size_t>(b * shape.M + p)];
                    if (index == -1) index = static_cast<std::int32_t>(t);
                  });
  return result;
}

std::vector<std::int32_t> flags(const Shape& shape, const Scene& scene, mluOpDataType_t dtype,
                                bool box_major) {
  std::vector<std::int32_t> result(static_cast<std::size_t>(shape.pairs()));
  for_each_inside(Formula::part, shape, scene, dtype,
                  [&](std::int64_t b, std::int64_t p, std::int64_t t) {
                    const std::int64_t pair = box_major ? t * shape.M + p : p * shape.T + t;
                    result[static_cast<std::size_t>(b * shape.M * shape.T + pair)] = 1;
                  });
  return result;
}

void mmcv_part(std::span<const float> points, std::span<const float> boxes, std::int32_t* indices) {
  for (std::size_t p = 0; p < points.size() / 3; ++p) {
    indices[p] = -1;
    for (std::size_t t = 0; t < boxes.size() / 7; ++t) {
      if (mmcv_check(&points[3 * p], &boxes[7 * t]) != 0) {
        indices[p] = static_cast<std::int32_t>(t);
        break;
      }
    }
  }
}

void mmcv_flags(std::span<const float> points, std::span<const float> boxes, bool box_major,
                std::int32_t* flags) {
  const std::size_t M = points.size() / 3, T = boxes.size() / 7;
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t p = 0; p < M; ++p) {
      flags[box_major ? t * M + p : p * T + t] = mmcv_check(&points[3 * p], &boxes[7 * t]);
    }
  }
}

}  // namespace mluop::points_in_boxes::reference
