// Voxels of a street seen by a spinning laser scanner: sparse data that is shaped like real scans.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "testing/data/generators.hpp"
#include "testing/data/lidar_world.hpp"

namespace mluop::testing {

/// The scanner on the roof of a car. Beams, steps and turns are those of the nuScenes data set; the rest
/// is such that voxels come out as there: 17 500 from one turn, 62 000 from ten, as near to each other
/// and as much thinned out by strided convolutions. A faster car sees as many in fewer turns.
struct LidarScanner {
  int beams = 32, steps = 1080;             // rays per direction, directions per turn
  double lowest = -30.67, highest = 10.67;  // degrees above the horizon
  double height = 2.02, range = 75;         // metres
  double noise = 0.02;                      // deviation of a measured distance, metres
  double lost = 0.17;                       // share of the rays that never return
  double seconds = 0.05;                    // per turn
  double speed = 0.2;                       // of the car, metres per second
};

/// Cells around the scanner, by z, y, x; the figures are those of CenterPoint on nuScenes. The space
/// may exceed the cells that points can fall into.
struct VoxelGrid {
  std::array<double, 3> lower{-5, -54, -54}, upper{3, 54, 54}, cell{0.2, 0.075, 0.075};
  std::array<int, 3> space{41, 1440, 1440};
};

using Voxel = std::array<std::int32_t, 3>;  // d, h, w

/// What a beam met: metres from the scanner, and the time, in seconds, at which it did.
struct LidarPoint {
  double x, y, z, time;
};

/// Successive turns of the scanner, the newest first, all in the frame of the newest.
class LidarScene {
 public:
  /// The scene of batch element b.
  LidarScene(const LidarScanner& scanner, const VoxelGrid& grid, std::string_view stream, int b);

  /// The next voxel in which a point falls for the first time. Throws std::length_error after so many
  /// turns that hardly any new ones are left.
  Voxel next();
  /// The points of the next turn, wherever they lie. A scene gives voxels or turns, not both.
  std::vector<LidarPoint> turn();
  /// Turns made so far.
  int sweeps() const { return sweeps_; }
  /// What the scanner sees.
  const LidarWorld& world() const { return world_; }

 private:
  struct Hit {
    Crossing crossing;
    const Obstacle* obstacle;
  };

  using Sink = std::function<void(const LidarPoint&)>;

  void sweep(const Sink& sink);
  void look(double x, double y, const Direction& ray, double time, const Sink& sink);
  double distance(double x, double y, const Direction& ray, double slope);
  double foliage_distance(const Obstacle& foliage, const Crossing& crossing, double slope);
  void record(const LidarPoint& met);

  LidarScanner scanner_;
  VoxelGrid grid_;
  Generator generator_;
  LidarWorld world_;
  std::vector<double> slopes_;  // of the beams
  std::vector<Hit> hits_;       // what the present direction meets, nearest first
  int sweeps_ = 0;
  std::unordered_set<std::int64_t> seen_;
  std::deque<Voxel> fresh_;
};

/// Exactly `rows` rows (batch, d, h, w), as many from each scene of the batch (the first ones have one
/// more if that leaves a remainder), each scene in the order in which it is seen.
std::vector<std::int32_t> lidar_rows(const LidarScanner& scanner, const VoxelGrid& grid,
                                     std::string_view stream, int batch, std::int64_t rows);

/// What scene `b` of `batch` contributes to `rows`.
std::int64_t rows_of_scene(int b, int batch, std::int64_t rows);

}  // namespace mluop::testing
