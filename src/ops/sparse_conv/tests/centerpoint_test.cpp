// The layers of CenterPoint: sizes and densities as published and recorded, and scans cut to them.
#include "ops/sparse_conv/kit/centerpoint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

#include "testing/data/lidar_scene.hpp"

namespace mluop::sparse_conv {
namespace {

using reference::Site;

std::vector<Site> sites(const std::vector<std::int32_t>& rows) {
  std::vector<Site> all;
  for (auto row = rows.begin(); row != rows.end(); row += 4) {
    all.push_back({row[0], row[1], row[2], row[3]});
  }
  return all;
}

/// Distinct rows, each within its batch and space, and evenly many of each batch element.
void expect_sound(const Layer& layer) {
  SCOPED_TRACE(layer.name());
  const auto& geometry = layer.geometry();
  auto rows = sites(layer.indices());
  std::map<int, std::int64_t> of_scene;
  for (const Site& row : rows) {
    ++of_scene[row[0]];
    for (std::size_t i = 0; i < 3; ++i) {
      ASSERT_TRUE(row[i + 1] >= 0 && row[i + 1] < geometry.input_space[i]) << row[i + 1];
    }
  }
  ASSERT_EQ(of_scene.size(), static_cast<std::size_t>(geometry.batch));
  for (const auto& [b, count] : of_scene) {
    EXPECT_TRUE(b >= 0 && b < geometry.batch) << b;
    EXPECT_NEAR(static_cast<double>(count), static_cast<double>(layer.rows()) / geometry.batch, 1);
  }
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
}

TEST(CenterPoint, HasTheRowsAndSpacesOfTheNetwork) {
  struct Expected {
    const char* name;
    std::int64_t rows;
    std::array<int, 3> input, output;
    std::int64_t offsets;
  };
  const Expected all[] = {
      {"centerpoint_subm1", 248636, {41, 1440, 1440}, {41, 1440, 1440}, 27},
      {"centerpoint_down1", 248636, {41, 1440, 1440}, {21, 720, 720}, 27},
      {"centerpoint_subm2", 280511, {21, 720, 720}, {21, 720, 720}, 27},
      {"centerpoint_down2", 280511, {21, 720, 720}, {11, 360, 360}, 27},
      {"centerpoint_subm3", 149100, {11, 360, 360}, {11, 360, 360}, 27},
      {"centerpoint_down3", 149100, {11, 360, 360}, {5, 180, 180}, 27},
      {"centerpoint_subm4", 58838, {5, 180, 180}, {5, 180, 180}, 27},
      {"centerpoint_extra", 58838, {5, 180, 180}, {2, 180, 180}, 3},
  };
  for (const Expected& expected : all) {
    SCOPED_TRACE(expected.name);
    const Layer& made = layer(expected.name);
    EXPECT_EQ(made.name(), expected.name);
    EXPECT_EQ(made.rows(), expected.rows);
    EXPECT_EQ(made.geometry().batch, 4);
    EXPECT_EQ(made.geometry().input_space, expected.input);
    EXPECT_EQ(made.geometry().output_space, expected.output);
    EXPECT_EQ(made.geometry().volume(), expected.offsets);
    expect_sound(made);
  }
}

void expect_within_a_tenth(std::int64_t value, std::int64_t expected) {
  const auto count = static_cast<double>(expected);
  EXPECT_NEAR(static_cast<double>(value), count, 0.1 * count);
}

TEST(CenterPoint, StridedLayersLeaveAsManySitesAsInTheNetwork) {
  const std::deque<Layer>& chain = encoder("centerpoint");
  ASSERT_EQ(chain.size(), 8u);
  EXPECT_EQ(chain[0].rows(), 248636);
  expect_within_a_tenth(chain[2].rows(), 280511);
  expect_within_a_tenth(chain[4].rows(), 149100);
  expect_within_a_tenth(chain[6].rows(), 58838);
  expect_within_a_tenth(chain[7].pairs().Y, 45406);
  expect_within_a_tenth(layer("centerpoint_down3").pairs().Y, 58838);
  expect_within_a_tenth(layer("centerpoint_extra").pairs().Y, 45406);
}

TEST(CenterPoint, OneTurnIsAsDenseAsARecordedOne) {
  std::vector<std::int32_t> rows;
  for (int b = 0; b < 4; ++b) {
    testing::LidarScene scene{{}, {}, "centerpoint", b};
    for (auto voxel = scene.next(); scene.sweeps() == 1; voxel = scene.next()) {
      rows.insert(rows.end(), {b, voxel[0], voxel[1], voxel[2]});
    }
  }
  const auto count = static_cast<double>(rows.size()) / 4;
  const auto same = make_pairs(layer("centerpoint_subm1").geometry(), rows);
  const auto half = make_pairs(layer("centerpoint_down1").geometry(), rows);
  EXPECT_NEAR(static_cast<double>(same.total()) / count, 3.2, 0.32);
  EXPECT_NEAR(static_cast<double>(half.Y) / count, 1.68, 0.168);
}

TEST(CenterPoint, EncoderHandsSitesOn) {
  const std::deque<Layer>& chain = encoder("small");
  EXPECT_EQ(chain[0].indices(), layer("small_subm1").indices());
  for (std::size_t i = 1; i < chain.size(); ++i) {
    EXPECT_EQ(chain[i].indices(), chain[i - 1].pairs().out_indices) << chain[i].name();
    EXPECT_EQ(chain[i].geometry().input_space, chain[i - 1].geometry().output_space);
  }
}

/// The sites of batch element 0 behind down1 when the first `count` voxels of the small scene are seen.
std::vector<Site> behind_down1(std::size_t count) {
  std::vector<std::int32_t> rows(layer("small_subm1").indices());
  rows.resize(4 * count);
  return sites(make_pairs(layer("small_down1").geometry(), rows).out_indices);
}

TEST(CenterPoint, ScansEndWithTheVoxelThatCompletesALayer) {
  std::vector<Site> cut = sites(layer("small_down2").indices());
  std::erase_if(cut, [](const Site& site) { return site[0] != 0; });
  EXPECT_TRUE(std::is_sorted(cut.begin(), cut.end()));
  std::size_t before = 0, after = 2500;  // voxels of the scene that are too few, and enough
  ASSERT_GE(behind_down1(after).size(), cut.size());
  while (after - before > 1) {
    const std::size_t middle = (before + after) / 2;
    (behind_down1(middle).size() < cut.size() ? before : after) = middle;
  }
  const auto fewer = behind_down1(before), enough = behind_down1(after);
  EXPECT_TRUE(std::includes(cut.begin(), cut.end(), fewer.begin(), fewer.end()));
  EXPECT_TRUE(std::includes(enough.begin(), enough.end(), cut.begin(), cut.end()));
}

TEST(CenterPoint, LayersAreMadeOnce) {
  EXPECT_EQ(layer_names().size(), 16u);
  for (const std::string& name : layer_names()) {
    if (!name.starts_with("small_")) continue;
    const Layer& made = layer(name);
    expect_sound(made);
    EXPECT_EQ(&made, &layer(name));
    EXPECT_EQ(&made.pairs(), &made.pairs());
    EXPECT_EQ(made.pairs().L, made.rows());
    EXPECT_GT(made.rows(), 1000);
  }
  EXPECT_EQ(&encoder("small"), &encoder("small"));
  EXPECT_THROW(layer("small_subm5"), std::out_of_range);
  EXPECT_THROW(encoder("large"), std::out_of_range);
}

}  // namespace
}  // namespace mluop::sparse_conv
