// The formula, point by point and voxel by voxel.
#include "ops/roiaware_pool3d/kit/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace mluop::roiaware_pool3d::reference {
namespace {

/// The cell that a position falls into; what is no number falls into the first.
template <class Real>
std::int64_t clamped(Real position, std::int64_t cells) {
  const Real whole = std::trunc(position);
  if (std::isnan(whole) || whole < 0) return 0;
  return whole > static_cast<Real>(cells - 1) ? cells - 1 : static_cast<std::int64_t>(whole);
}

/// A box, its heading turned back.
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

/// The voxel of the box in which a point lies, if it lies in the box.
template <class Real>
std::optional<std::int64_t> voxel_of(const Shape& shape, const Box<Real>& box,
                                     const double* point) {
  const auto [cx, cy, cz, dx, dy, dz, c, s] = box;
  const Real x = static_cast<Real>(point[0]), y = static_cast<Real>(point[1]);
  const Real z = static_cast<Real>(point[2]);
  const Real zc = cz + dz / 2;
  if (std::abs(z - zc) > dz / 2) return std::nullopt;
  const Real lx = (x - cx) * c + (y - cy) * -s;
  const Real ly = (x - cx) * s + (y - cy) * c;
  const bool inside = -dx / 2 < lx && lx < dx / 2 && -dy / 2 < ly && ly < dy / 2;
  if (!inside) return std::nullopt;
  const Real lz = z - cz;
  const std::int64_t xi = clamped((lx + dx / 2) / (dx / static_cast<Real>(shape.X)), shape.X);
  const std::int64_t yi = clamped((ly + dy / 2) / (dy / static_cast<Real>(shape.Y)), shape.Y);
  const std::int64_t zi = clamped(lz / (dz / static_cast<Real>(shape.Z)), shape.Z);
  return (xi * shape.Y + yi) * shape.Z + zi;
}

template <class Real>
std::vector<std::int32_t> lists(const Shape& shape, const Scene& scene) {
  std::vector<std::int32_t> result(static_cast<std::size_t>(shape.voxels() * shape.T));
  for (std::int64_t b = 0; b < shape.B; ++b) {
    const Box<Real> box(&scene.boxes[static_cast<std::size_t>(7 * b)]);
    for (std::int64_t p = 0; p < shape.M; ++p) {
      const auto voxel = voxel_of<Real>(shape, box, &scene.points[static_cast<std::size_t>(3 * p)]);
      if (!voxel) continue;
      const std::int64_t row = b * shape.X * shape.Y * shape.Z + *voxel;
      std::int32_t* const list = &result[static_cast<std::size_t>(row * shape.T)];
      if (list[0] < shape.T - 1) list[++list[0]] = static_cast<std::int32_t>(p);
    }
  }
  return result;
}

/// Calls visit(voxel, points of the voxel).
template <class Visit>
void for_each_voxel(const Shape& shape, std::span<const std::int32_t> lists, Visit&& visit) {
  for (std::int64_t voxel = 0; voxel < shape.voxels(); ++voxel) {
    const auto list =
        lists.subspan(static_cast<std::size_t>(voxel * shape.T), static_cast<std::size_t>(shape.T));
    visit(voxel, list.subspan(1, static_cast<std::size_t>(std::max(list[0], 0))));
  }
}

}  // namespace

std::vector<std::int32_t> lists_of(const Shape& shape, const Scene& scene, mluOpDataType_t dtype) {
  return dtype == MLUOP_DTYPE_DOUBLE ? lists<double>(shape, scene) : lists<float>(shape, scene);
}

std::vector<std::int32_t> argmax_of(const Shape& shape, std::span<const std::int32_t> lists,
                                    std::span<const double> features) {
  std::vector<std::int32_t> argmax(static_cast<std::size_t>(shape.voxels() * shape.C));
  if (shape.average) return argmax;
  for_each_voxel(shape, lists, [&](std::int64_t voxel, std::span<const std::int32_t> points) {
    for (std::int64_t c = 0; c < shape.C; ++c) {
      double best = -std::numeric_limits<double>::infinity();
      std::int32_t winner = -1;
      for (const std::int32_t p : points) {
        const double feature = features[static_cast<std::size_t>(p * shape.C + c)];
        if (feature > best) best = feature, winner = p;
      }
      argmax[static_cast<std::size_t>(voxel * shape.C + c)] = winner;
    }
  });
  return argmax;
}

template <class Real>
std::vector<double> pooled(const Shape& shape, const Indices& indices,
                           std::span<const double> features) {
  std::vector<double> result(static_cast<std::size_t>(shape.voxels() * shape.C));
  if (!shape.average) {
    for (std::size_t i = 0; i < result.size(); ++i) {
      const std::int64_t p = indices.argmax[i], c = static_cast<std::int64_t>(i) % shape.C;
      if (p >= 0) result[i] = features[static_cast<std::size_t>(p * shape.C + c)];
    }
    return result;
  }
  for_each_voxel(shape, indices.lists, [&](std::int64_t voxel, auto points) {
    if (points.empty()) return;
    for (std::int64_t c = 0; c < shape.C; ++c) {
      Real sum = 0;
      for (const std::int32_t p : points) {
        sum += static_cast<Real>(features[static_cast<std::size_t>(p * shape.C + c)]);
      }
      result[static_cast<std::size_t>(voxel * shape.C + c)] =
          static_cast<double>(sum / static_cast<Real>(points.size()));
    }
  });
  return result;
}

template <class Real>
std::vector<double> gradient(const Shape& shape, const Indices& indices,
                             std::span<const double> grad_out) {
  std::vector<Real> result(static_cast<std::size_t>(shape.M * shape.C));
  const auto at = [&](std::int64_t p, std::int64_t c) -> Real& {
    return result[static_cast<std::size_t>(p * shape.C + c)];
  };
  if (shape.average) {
    for_each_voxel(shape, indices.lists, [&](std::int64_t voxel, auto points) {
      const Real weight = Real(1) / static_cast<Real>(std::max<std::size_t>(points.size(), 1));
      for (const std::int32_t p : points) {
        for (std::int64_t c = 0; c < shape.C; ++c) {
          at(p, c) +=
              static_cast<Real>(grad_out[static_cast<std::size_t>(voxel * shape.C + c)]) * weight;
        }
      }
    });
  } else {
    for (std::size_t i = 0; i < indices.argmax.size(); ++i) {
      if (indices.argmax[i] == -1) continue;
      at(indices.argmax[i], static_cast<std::int64_t>(i) % shape.C) +=
          static_cast<Real>(grad_out[i]);
    }
  }
  return {result.begin(), result.end()};
}

std::int64_t longest_sum(const Shape& shape, const Indices& indices) {
  std::vector<std::int64_t> terms(static_cast<std::size_t>(shape.M * shape.C));
  std::int64_t longest = 1;
  if (shape.average) {
    for_each_voxel(shape, indices.lists, [&](std::int64_t, auto points) {
      longest = std::max(longest, std::ssize(points));
      for (const std::int32_t p : points) ++terms[static_cast<std::size_t>(p)];
    });
  } else {
    for (std::size_t i = 0; i < indices.argmax.size(); ++i) {
      const std::int64_t c = static_cast<std::int64_t>(i) % shape.C;
      if (indices.argmax[i] >= 0) {
        ++terms[static_cast<std::size_t>(indices.argmax[i] * shape.C + c)];
      }
    }
  }
  return std::max(longest, std::ranges::max(terms));
}

template std::vector<double> pooled<float>(const Shape&, const Indices&, std::span<const double>);
template std::vector<double> pooled<double>(const Shape&, const Indices&, std::span<const double>);
template std::vector<double> pooled<long double>(const Shape&, const Indices&,
                                                 std::span<const double>);
template std::vector<double> gradient<float>(const Shape&, const Indices&, std::span<const double>);
template std::vector<double> gradient<double>(const Shape&, const Indices&,
                                              std::span<const double>);
template std::vector<double> gradient<long double>(const Shape&, const Indices&,
                                                   std::span<const double>);

}  // namespace mluop::roiaware_pool3d::reference
