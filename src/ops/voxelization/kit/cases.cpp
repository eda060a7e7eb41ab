// The table of cases and the tensors behind it.
#include "ops/voxelization/kit/cases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mluop::voxelization::cases {
namespace {

using testing::Generator;
using Kind = testing::Case::Kind;
using Sizes3 = std::array<float, 3>;
using Range = std::array<float, 6>;

// The grids of networks, as mmdetection3d's configurations have them.
struct Grid {
  Sizes3 size;
  Range range;
};
constexpr Grid centerpoint_01{{0.1f, 0.1f, 0.2f}, {-51.2f, -51.2f, -5, 51.2f, 51.2f, 3}};
constexpr Grid centerpoint_075{{0.075f, 0.075f, 0.2f}, {-54, -54, -5, 54, 54, 3}};
constexpr Grid pillar{{0.2f, 0.2f, 8}, {-51.2f, -51.2f, -5, 51.2f, 51.2f, 3}};
constexpr Grid second{{0.05f, 0.05f, 0.1f}, {0, -40, -3, 70.4f, 40, 1}};
constexpr Grid pointpillars{{0.16f, 0.16f, 4}, {0, -39.68f, -3, 69.12f, 39.68f, 1}};
// 8 x 5 x 2 cells, whose faces are exact in every dtype.
constexpr Grid coarse{{0.5f, 0.5f, 1}, {-2, -1, 0, 2, 1.5f, 2}};
constexpr Grid fine{{0.125f, 0.125f, 0.25f}, {-8, -8, -2, 8, 8, 2}};

Setting setting(const Grid& grid, std::int64_t N, std::int64_t F, std::int64_t max_points,
                std::int64_t max_voxels) {
  return {N, F, grid.size, grid.range, max_points, max_voxels};
}

void add_networks(std::vector<Definition>& all) {
  const auto add = [&](const char* name, const Setting& of, auto draw) {
    all.push_back({name, Kind::network, of, draw});
  };
  constexpr std::int64_t ten_sweeps = 254000, one_turn = 120000;
  add("centerpoint_075", setting(centerpoint_075, ten_sweeps, 5, 10, 90000), clouds::sweeps);
  add("centerpoint_075_test", setting(centerpoint_075, ten_sweeps, 5, 10, 120000), clouds::sweeps);
  add("centerpoint_01", setting(centerpoint_01, ten_sweeps, 5, 10, 90000), clouds::sweeps);
  add("pillar", setting(pillar, ten_sweeps, 5, 20, 30000), clouds::sweeps);
  add("pillar_test", setting(pillar, ten_sweeps, 5, 20, 40000), clouds::sweeps);
  add("kitti_second", setting(second, one_turn, 4, 5, 16000), clouds::turn);
  add("kitti_second_test", setting(second, one_turn, 4, 5, 40000), clouds::turn);
  add("pointpillars", setting(pointpillars, one_turn, 4, 32, 16000), clouds::turn);
  add("pointpillars_test", setting(pointpillars, one_turn, 4, 32, 40000), clouds::turn);
}

/// Points around the widths of vectors, the 256 points of a block and the 4096 of a chunk.
void add_sizes(std::vector<Definition>& all) {
  for (const std::int64_t N : {1, 2, 7, 8, 9, 15, 16, 17, 33, 255, 257, 1023, 4095, 4097, 9000}) {
    all.push_back({"points_" + std::to_string(N), Kind::edge, setting(fine, N, 4, 3, 500),
                   clouds::anywhere});
  }
  for (const std::int64_t F : {3, 5, 6, 7, 8, 9, 15, 16, 17, 33, 65, 300}) {
    all.push_back({"features_" + std::to_string(F), Kind::edge, setting(coarse, 150, F, 3, 60),
                   clouds::anywhere});
  }
}

/// Where max_points and max_voxels cut off.
void add_caps(std::vector<Definition>& all) {
  const auto add = [&](const char* name, const Setting& of, auto draw) {
    all.push_back({name, Kind::edge, of, draw});
  };
  add("one_point_each", setting(fine, 5000, 4, 1, 3000), clouds::anywhere);
  add("one_voxel", setting(coarse, 5000, 4, 40, 1), clouds::anywhere);
  add("one_cell", setting(coarse, 20000, 5, 35, 7), clouds::one_cell);
  add("one_cell_holds_all", setting(coarse, 5000, 5, 5000, 2), clouds::one_cell);
  add("more_cells_than_voxels", setting(fine, 9000, 4, 5, 1000), clouds::returning);
  add("as_many_cells_as_voxels", setting(fine, 2000, 4, 5, 1000), clouds::returning);
  add("clustered", setting(fine, 9000, 3, 8, 700), clouds::clustered);
  add("room_for_all", setting(coarse, 3000, 4, 1000, 100), clouds::anywhere);
  add("more_room_than_points", setting(coarse, 3, 3, 7, 3000), clouds::anywhere);
}

/// Grids without cells, with immense ones, and points that are nowhere.
void add_geometries(std::vector<Definition>& all) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const auto add = [&](const char* name, const Grid& grid, auto draw) {
    all.push_back({name, Kind::edge, setting(grid, 1500, 4, 4, 800), draw});
  };
  add("faces", coarse, clouds::faces);
  add("faces_075", {{0.075f, 0.16f, 0.2f}, {-1.5f, 0, -1, 1.5f, 3.2f, 1}}, clouds::faces);
  add("outside", fine, clouds::outside);
  add("nan", fine, clouds::broken);
  add("far", {{0.5f, 0.5f, 0.5f}, {1 << 20, 1 << 20, 0, (1 << 20) + 8, (1 << 20) + 8, 4}},
      clouds::anywhere);
  add("minute_cells", {{1e-6f, 1e-6f, 1e-6f}, {-2, -2, -2, 2, 2, 2}}, clouds::anywhere);
  add("minute_cells_shared", {{1e-5f, 4, 4}, {-2, -2, -2, 2, 2, 2}}, clouds::clustered);
  add("beyond_int32", {{1e-9f, 1, 1}, {-1, -1, -1, 7, 1, 1}}, clouds::anywhere);
  add("endless", {{0.5f, 1, 1}, {-4, -1, -1, infinity, 1, 1}}, [](Generator& random, Setting of) {
    of.range[3] = 4;
    return clouds::anywhere(random, of);
  });
  const auto around_zero = [](Generator& random, Setting of) {
    of.range = {-2, -2, -2, 2, 2, 2};
    return clouds::anywhere(random, of);
  };
  add("no_extent", {{0.5f, 0.5f, 0.5f}, {1, 1, 1, 1, 1, 1}}, around_zero);
  add("inverted", {{0.5f, 0.5f, 0.5f}, {2, 2, 2, -2, -2, -2}}, around_zero);
  add("negative_sizes", {{-0.5f, -0.5f, -0.5f}, {2, 2, 2, -2, -2, -2}}, around_zero);
  add("size_0", {{0, 0.5f, 0.5f}, {-2, -2, -2, 2, 2, 2}}, around_zero);
  add("nan_range", {{0.5f, 0.5f, 0.5f}, {-2, nan, -2, 2, 2, 2}}, around_zero);
  add("nan_size", {{0.5f, 0.5f, nan}, {-2, -2, -2, 2, 2, 2}}, around_zero);
}

std::vector<Definition> make() {
  std::vector<Definition> all;
  add_networks(all);
  all.push_back({"shuffled", Kind::edge, setting(centerpoint_075, 254000, 5, 10, 90000),
                 clouds::shuffled_sweeps});
  all.push_back({"minute_cells_of_street", Kind::edge,
                 {100000, 4, {0.01f, 0.01f, 0.01f}, {-54, -54, -5, 54, 54, 3}, 5, 100000},
                 clouds::sweeps});
  add_caps(all);
  add_geometries(all);
  add_sizes(all);
  return all;
}

}  // namespace

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = make();
  return all;
}

const Definition& definition_named(const std::string& name) {
  return *std::ranges::find(definitions(), name, &Definition::name);
}

bool differs_when_dynamic(const Definition& definition) {
  return !definition.name.ends_with("_test");
}

std::string text_of(const Setting& setting, bool dynamic) {
  const auto cells = [&](std::size_t axis) {
    const float extent = setting.range[3 + axis] - setting.range[axis];
    const double count = std::round(double{extent} / double{setting.voxel_size[axis]});
    return std::isfinite(count) && std::abs(count) < 1e15
               ? std::to_string(static_cast<long long>(count))
               : std::string("no");
  };
  std::string text = std::to_string(setting.N) + " x " + std::to_string(setting.F) + " points, " +
                     cells(0) + " x " + cells(1) + " x " + cells(2) + " cells";
  if (!dynamic) {
    text += ", " + std::to_string(setting.max_voxels) + " voxels of " +
            std::to_string(setting.max_points);
  }
  return text;
}

Inputs make_inputs(const Setting& setting, const clouds::Cloud& cloud, mluOpDataType_t dtype) {
  Inputs inputs{{"points", dtype, MLUOP_LAYOUT_ARRAY, {setting.N, setting.F}},
                {"voxel_size", MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_ARRAY, {3}},
                {"coors_range", MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_ARRAY, {6}}};
  inputs.points.assign(cloud);
  inputs.voxel_size.assign(std::vector<double>(setting.voxel_size.begin(), setting.voxel_size.end()));
  inputs.coors_range.assign(std::vector<double>(setting.range.begin(), setting.range.end()));
  return inputs;
}

Inputs make_inputs(const Definition& definition, mluOpDataType_t dtype) {
  Generator random("voxelization/" + definition.name);
  return make_inputs(definition.setting, definition.draw(random, definition.setting), dtype);
}

std::vector<HostTensor> make_outputs(const Setting& setting, mluOpDataType_t dtype) {
  constexpr auto array = MLUOP_LAYOUT_ARRAY;
  const std::int64_t voxels = setting.max_voxels;
  std::vector<HostTensor> outputs;
  outputs.emplace_back("voxels", dtype, array,
                       std::vector{voxels, setting.max_points, setting.F});
  outputs.emplace_back("coors", MLUOP_DTYPE_INT32, array, std::vector<std::int64_t>{voxels, 3});
  outputs.emplace_back("num_points_per_voxel", MLUOP_DTYPE_INT32, array, std::vector{voxels});
  outputs.emplace_back("voxel_num", MLUOP_DTYPE_INT32, array, std::vector<std::int64_t>{1});
  return outputs;
}

HostTensor make_coors(const Setting& setting) {
  return {"coors", MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {setting.N, 3}};
}

mluOpStatus_t run_hard(mluOpHandle_t handle, const Setting& setting, const Inputs& inputs,
                       std::vector<HostTensor>& outputs) {
  HostTensor &voxels = outputs[0], &coors = outputs[1], &counts = outputs[2], &num = outputs[3];
  return mluOpVoxelization(
      handle, inputs.points.descriptor(), inputs.points.data(), inputs.voxel_size.descriptor(),
      inputs.voxel_size.data(), inputs.coors_range.descriptor(), inputs.coors_range.data(),
      static_cast<std::int32_t>(setting.max_points), static_cast<std::int32_t>(setting.max_voxels),
      3, true, nullptr, 0, voxels.descriptor(), voxels.data(), coors.descriptor(), coors.data(),
      counts.descriptor(), counts.data(), num.descriptor(), num.data());
}

mluOpStatus_t run_dynamic(mluOpHandle_t handle, const Inputs& inputs, HostTensor& coors) {
  return mluOpCpuDynamicVoxelize(
      handle, inputs.points.descriptor(), inputs.points.data(), inputs.voxel_size.descriptor(),
      inputs.voxel_size.data(), inputs.coors_range.descriptor(), inputs.coors_range.data(), 3,
      coors.descriptor(), coors.data());
}

std::vector<std::vector<double>> expected(const Setting& setting, const HostTensor& points) {
  reference::Voxels result =
      reference::voxelize(setting, points.values(), points.dtype());
  return {std::move(result.voxels),
          {result.coors.begin(), result.coors.end()},
          {result.num_points_per_voxel.begin(), result.num_points_per_voxel.end()},
          {static_cast<double>(result.voxel_num)}};
}

std::vector<std::vector<double>> expected_dynamic(const Setting& setting,
                                                  const HostTensor& points) {
  const auto cells = reference::cells(setting, points.values(), points.dtype());
  return {{cells.begin(), cells.end()}};
}

}  // namespace mluop::voxelization::cases
