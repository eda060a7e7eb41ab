// Rays, turns and voxels of the laser scanner.
#include "testing/data/lidar_scene.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace mluop::testing {
namespace {

constexpr double blind = 1.5;  // metres around the scanner: the car that carries it

/// How far a beam gets that crosses the outline of something solid: to its wall, to its lid, or past it.
double solid_distance(const Obstacle& obstacle, const Crossing& crossing, double height,
                      double slope) {
  const double enters = height + crossing.near * slope;
  if (enters >= obstacle.bottom && enters <= obstacle.top) return crossing.near;
  if (enters < obstacle.bottom || slope >= 0) return HUGE_VAL;
  const double lid = (obstacle.top - height) / slope;
  return lid <= crossing.far ? lid : HUGE_VAL;
}

}  // namespace

LidarScene::LidarScene(const LidarScanner& scanner, const VoxelGrid& grid, std::string_view stream,
                       int b)
    : scanner_(scanner),
      grid_(grid),
      generator_(std::string{stream} + ", scene " + std::to_string(b)),
      world_(generator_) {
  for (int beam = 0; beam < scanner.beams; ++beam) {
    const double share = scanner.beams == 1 ? 0 : static_cast<double>(beam) / (scanner.beams - 1);
    const double degrees = scanner.lowest + (scanner.highest - scanner.lowest) * share;
    const Direction up = direction(degrees / 360);
    slopes_.push_back(up.y / up.x);
  }
}

Voxel LidarScene::next() {
  constexpr int most_sweeps = 100;
  while (fresh_.empty()) {
    if (sweeps_ == most_sweeps) throw std::length_error("the scene has no further voxels");
    sweep([this](const LidarPoint& point) { record(point); });
  }
  const Voxel voxel = fresh_.front();
  fresh_.pop_front();
  return voxel;
}

std::vector<LidarPoint> LidarScene::turn() {
  std::vector<LidarPoint> points;
  sweep([&](const LidarPoint& point) { points.push_back(point); });
  return points;
}

void LidarScene::sweep(const Sink& sink) {
  const double time = -sweeps_ * scanner_.seconds;
  const double phase = generator_.uniform(0, 1);
  for (int step = 0; step < scanner_.steps; ++step) {
    const double moment = time + scanner_.seconds * step / scanner_.steps;
    const double travelled = scanner_.speed * moment;
    look(world_.road().x * travelled, world_.road().y * travelled,
         direction((step + phase) / scanner_.steps), moment, sink);
  }
  ++sweeps_;
}

/// All beams of one direction.
void LidarScene::look(double x, double y, const Direction& ray, double time, const Sink& sink) {
  hits_.clear();
  for (const Obstacle& obstacle : world_.obstacles()) {
    const auto crossing = obstacle.crossing(x, y, ray, time);
    if (!crossing || crossing->near > scanner_.range) continue;
    hits_.push_back({{std::max(crossing->near, 0.0), crossing->far}, &obstacle});
  }
  // What the scanner stands in is equally near; a stable order keeps the draws of foliage in theirs.
  std::stable_sort(hits_.begin(), hits_.end(),
                   [](const Hit& a, const Hit& b) { return a.crossing.near < b.crossing.near; });
  for (const double slope : slopes_) {
    double along = distance(x, y, ray, slope);
    if (along > scanner_.range || along < blind || generator_.chance(scanner_.lost)) continue;
    along += generator_.gaussian(0, scanner_.noise);
    sink({x + ray.x * along, y + ray.y * along, along * slope, time});
  }
}

/// Horizontal distance to the first thing that a beam hits.
double LidarScene::distance(double x, double y, const Direction& ray, double slope) {
  double nearest = HUGE_VAL;
  if (slope < 0) {
    nearest = -scanner_.height / slope;
    // The ground there is higher or lower than the road: two steps come close to where they meet.
    for (int i = 0; i < 2 && nearest < scanner_.range; ++i) {
      nearest = (world_.ground(x + ray.x * nearest, y + ray.y * nearest) - scanner_.height) / slope;
    }
  }
  for (const Hit& hit : hits_) {
    if (hit.crossing.near >= nearest) break;
    const bool solid = hit.obstacle->kind != Obstacle::Kind::foliage;
    nearest = std::min(nearest,
                       solid ? solid_distance(*hit.obstacle, hit.crossing, scanner_.height, slope)
                             : foliage_distance(*hit.obstacle, hit.crossing, slope));
  }
  return nearest;
}

/// A leaf somewhere, rather at the front, or a way through between the leaves.
double LidarScene::foliage_distance(const Obstacle& foliage, const Crossing& crossing,
                                    double slope) {
  if (generator_.chance(0.3)) return HUGE_VAL;
  const double within = generator_.uniform(0, 1);
  const double depth = crossing.near + (crossing.far - crossing.near) * within * within;
  const double height = scanner_.height + depth * slope;
  return height >= foliage.bottom && height <= foliage.top ? depth : HUGE_VAL;
}

void LidarScene::record(const LidarPoint& met) {
  const std::array<double, 3> point{met.z, met.y, met.x};
  Voxel voxel;
  std::int64_t index = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(point[i] >= grid_.lower[i] && point[i] < grid_.upper[i])) return;
    voxel[i] = static_cast<std::int32_t>((point[i] - grid_.lower[i]) / grid_.cell[i]);
    if (voxel[i] >= grid_.space[i]) return;
    index = index * grid_.space[i] + voxel[i];
  }
  if (seen_.insert(index).second) fresh_.push_back(voxel);
}

std::int64_t rows_of_scene(int b, int batch, std::int64_t rows) {
  return rows / batch + (b < rows % batch ? 1 : 0);
}

std::vector<std::int32_t> lidar_rows(const LidarScanner& scanner, const VoxelGrid& grid,
                                     std::string_view stream, int batch, std::int64_t rows) {
  std::vector<std::int32_t> result;
  for (int b = 0; b < batch; ++b) {
    LidarScene scene{scanner, grid, stream, b};
    for (std::int64_t left = rows_of_scene(b, batch, rows); left > 0; --left) {
      const auto [d, h, w] = scene.next();
      result.insert(result.end(), {b, d, h, w});
    }
  }
  return result;
}

}  // namespace mluop::testing
