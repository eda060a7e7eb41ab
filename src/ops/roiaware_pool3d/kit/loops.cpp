// Boxes and points are compared without fused multiply-adds, as the page of the operator demands: this file
// is compiled for the least level.
#include "ops/roiaware_pool3d/kit/loops.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ops/roiaware_pool3d/kit/voxel_loops.hpp"
#include "runtime/parallel.hpp"

namespace mluop::roiaware_pool3d {
namespace {

template <class Real>
struct TurnedBox {
  Real x, y, z, dx, dy, dz, cosine, sine;

  explicit TurnedBox(const Real* roi)
      : x(roi[0]),
        y(roi[1]),
        z(roi[2]),
        dx(roi[3]),
        dy(roi[4]),
        dz(roi[5]),
        cosine(std::cos(-roi[6])),
        sine(std::sin(-roi[6])) {}
};

/// What is no number is cell 0.
template <class Real>
std::int64_t cell(Real position, std::int64_t cells) {
  if (!(position >= 1)) return 0;
  return position >= static_cast<Real>(cells) ? cells - 1 : static_cast<std::int64_t>(position);
}

/// The voxel of a point, -1 outside of the box.
template <class Real>
std::int64_t voxel_of(const Shape& shape, const TurnedBox<Real>& box, const Real* point) {
  const Real middle = box.z + box.dz / 2;
  if (std::abs(point[2] - middle) > box.dz / 2) return -1;
  const Real x = point[0] - box.x, y = point[1] - box.y;
  const Real along = x * box.cosine + y * -box.sine, across = x * box.sine + y * box.cosine;
  if (!(along > -box.dx / 2 && along < box.dx / 2)) return -1;
  if (!(across > -box.dy / 2 && across < box.dy / 2)) return -1;
  const std::int64_t i = cell((along + box.dx / 2) / (box.dx / Real(shape.X)), shape.X);
  const std::int64_t j = cell((across + box.dy / 2) / (box.dy / Real(shape.Y)), shape.Y);
  const std::int64_t k = cell((point[2] - box.z) / (box.dz / Real(shape.Z)), shape.Z);
  return (i * shape.Y + j) * shape.Z + k;
}

template <class Real>
void list_points(const Shape& shape, const Real* roi, const Real* points, std::int32_t* lists) {
  const TurnedBox<Real> box(roi);
  std::fill_n(lists, shape.X * shape.Y * shape.Z * shape.T, 0);
  for (std::int64_t p = 0; p < shape.M; ++p) {
    const std::int64_t voxel = voxel_of(shape, box, points + 3 * p);
    if (voxel < 0) continue;
    std::int32_t* list = lists + voxel * shape.T;
    if (list[0] < shape.T - 1) list[++list[0]] = static_cast<std::int32_t>(p);
  }
}

}  // namespace

void ForwardLoops::run(ForwardCall& call, const testing::LoopSettings& settings) {
  const Shape& shape = call.shape();
  const std::int64_t voxels = shape.X * shape.Y * shape.Z;
  auto* argmax = static_cast<std::int32_t*>(call.outputs()[0].data());
  auto* lists = static_cast<std::int32_t*>(call.outputs()[1].data());
  testing::HostTensor& result = call.outputs()[2];
  testing::in_loop_type(call.dtype(), [&]<class Real>(Real) {
    const Real* rois = rois_.read<Real>(call.rois(), settings);
    const Real* points = pts_.read<Real>(call.pts(), settings);
    const Real* features = features_.read<Real>(call.features(), settings);
    Real* pooled = pooled_.write<Real>(result);
    const VoxelLoops<Real>& loops = voxel_loops<Real>(settings.isa);
    parallel_for(settings.threads, shape.B, 1, [&](std::int64_t b, std::int64_t, int) {
      list_points(shape, rois + 7 * b, points, lists + b * voxels * shape.T);
      for (std::int64_t voxel = b * voxels; voxel < (b + 1) * voxels; ++voxel) {
        loops.pool(shape, lists + voxel * shape.T, features, pooled + voxel * shape.C,
                   argmax + voxel * shape.C);
      }
    });
  });
  pooled_.store(result, settings);
}

void BackwardLoops::run(BackwardCall& call, const testing::LoopSettings& settings) {
  const Shape& shape = call.shape();
  bool right = false;
  testing::in_loop_type(call.grad_in().dtype(), [&]<class Real>(Real) {
    const Real* grad_out = grad_out_.read<Real>(call.grad_out(), settings);
    Real* grad_in = grad_in_.write<Real>(call.grad_in());
    std::fill_n(grad_in, shape.M * shape.C, Real(0));
    const VoxelLoops<Real>& loops = voxel_loops<Real>(settings.isa);
    right = shape.average
                ? loops.backward_average(shape, integers(call.lists()).data(), grad_out, grad_in)
                : loops.backward_max(shape, integers(call.argmax()).data(), grad_out, grad_in);
  });
  if (!right) throw std::out_of_range("an index is no point");
  grad_in_.store(call.grad_in(), settings);
}

}  // namespace mluop::roiaware_pool3d
