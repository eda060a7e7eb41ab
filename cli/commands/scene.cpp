// mluop scene: scans of synthetic streets, as NumPy arrays, for programs that train or test on them.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "commands/commands.hpp"
#include "output/text_file.hpp"
#include "testing/data/lidar_scene.hpp"

namespace mluop::cli {

namespace {

/// A .npy file, format version 1.0: rows of little-endian float32.
std::string npy(const std::vector<float>& values, std::size_t columns) {
  std::string header =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}",
                  values.size() / columns, columns);
  constexpr std::size_t preamble = 10, alignment = 64;  // magic, version, length of the header
  header.append(alignment - (preamble + header.size() + 1) % alignment, ' ');
  header += '\n';
  std::string file{"\x93NUMPY\x01\x00", 8};
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  const std::size_t begin = file.size();
  file.resize(begin + values.size() * sizeof(float));
  if (!values.empty()) std::memcpy(&file[begin], values.data(), values.size() * sizeof(float));
  return file;
}

/// One row per point: x, y, z relative to the scanner, and its age at the end of the newest sweep.
std::vector<float> points_of(testing::LidarScene& scene, int sweeps, double seconds) {
  std::vector<float> rows;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (const testing::LidarPoint& point : scene.turn()) {
      for (const double value : {point.x, point.y, point.z, seconds - point.time}) {
        rows.push_back(static_cast<float>(value));
      }
    }
  }
  return rows;
}

/// One row per car, at the middle of the newest sweep: x, y, z of the centre of its bottom, length, width,
/// height, heading. This is the box format of RoI-aware pooling and points_in_boxes.
std::vector<float> boxes_of(const testing::LidarScene& scene,
                            const testing::LidarScanner& scanner) {
  std::vector<float> rows;
  const double time = scanner.seconds / 2;
  for (const testing::Obstacle& car : scene.world().cars()) {
    const double travelled = car.speed * time;
    for (const double value : {car.x + car.heading.x * travelled, car.y + car.heading.y * travelled,
                               car.bottom - scanner.height, 2 * car.half_length, 2 * car.half_width,
                               car.top - car.bottom, std::atan2(car.heading.y, car.heading.x)}) {
      rows.push_back(static_cast<float>(value));
    }
  }
  return rows;
}

}  // namespace

bool scene(const SceneOptions& options) {
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (error) {
    throw UsageError(fmt::format("cannot create '{}': {}", options.out, error.message()));
  }
  const testing::LidarScanner scanner;
  std::size_t points = 0, cars = 0;
  for (int i = 0; i < options.count; ++i) {
    testing::LidarScene scene(scanner, {}, fmt::format("mluop scene {}", options.seed), i);
    const std::vector<float> seen = points_of(scene, options.sweeps, scanner.seconds);
    const std::vector<float> boxes = boxes_of(scene, scanner);
    const std::string name =
        (std::filesystem::path(options.out) / fmt::format("{:04}", i)).string();
    TextFile(name + "_points.npy").write(npy(seen, 4));
    TextFile(name + "_boxes.npy").write(npy(boxes, 7));
    points += seen.size() / 4, cars += boxes.size() / 7;
  }
  fmt::print("{} scene{} with {} points and {} cars in {}\n", options.count,
             options.count == 1 ? "" : "s", points, cars, options.out);
  return true;
}

}  // namespace mluop::cli
