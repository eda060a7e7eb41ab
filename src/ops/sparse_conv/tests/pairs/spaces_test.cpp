// Large and sparse spaces: results, and memory that depends on sites and offsets alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "ops/sparse_conv/kit/pairs/call.hpp"
#include "ops/sparse_conv/kit/pairs/cases.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"

namespace mluop::sparse_conv {
namespace {

using reference::Geometry;
using testing::Handle;
using Integers = std::vector<std::int32_t>;
using Axes = std::array<int, 3>;

Geometry submanifold(const Axes& space, int batch = 1) {
  return {.batch = batch,
          .pad = {1, 1, 1},
          .input_space = space,
          .filter_space = {3, 3, 3},
          .output_space = space,
          .sub_m = 1};
}
Geometry strided(const Axes& space, int batch = 1) {
  Geometry geometry{.batch = batch,
                    .pad = {1, 1, 1},
                    .stride = {2, 2, 2},
                    .input_space = space,
                    .filter_space = {3, 3, 3}};
  geometry.output_space = reference::convolved_space(geometry);
  return geometry;
}

/// A site meets sites at multiples of the dilations; the pad of the last axis leads to other lanes.
Geometry dilated(const Axes& space, int batch = 1) {
  Geometry geometry = submanifold(space, batch);
  geometry.dilation = {1, 2, 3};
  geometry.pad = {1, 2, 4};
  return geometry;
}

/// Half of the sites anywhere, the other half beside one of those, so that there are neighbours.
Integers clustered(testing::Generator& random, const Geometry& geometry, std::int64_t rows) {
  Integers all = pairs_cases::scattered(random, geometry, rows / 2, true);
  for (std::int64_t i = 0; i < rows / 2; ++i) {
    const auto from = static_cast<std::size_t>(4 * random.integer(0, rows / 2 - 1));
    all.push_back(all[from]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t moved = all[from + axis + 1] + random.integer(-1, 1);
      all.push_back(static_cast<std::int32_t>(
          std::clamp<std::int64_t>(moved, 0, geometry.input_space[axis] - 1)));
    }
  }
  return all;
}

void expect_reference(const Geometry& geometry, const Integers& indices) {
  const reference::IndexPairs expected = reference::make_pairs(geometry, indices);
  for (int threads : {1, 2}) {
    PairsCall call(geometry, indices, expected.Y);
    ASSERT_EQ(call.run(Handle().threads(threads)), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(call.num_act_out(), expected.Y);
    EXPECT_TRUE(std::ranges::equal(call.output(0), expected.out_indices));
    EXPECT_TRUE(std::ranges::equal(call.output(1), expected.pairs));
    EXPECT_TRUE(std::ranges::equal(call.output(2), expected.num));
  }
}

TEST(GetIndicePairsSpaces, MatchTheReference) {
  const std::int64_t rows = testing::sanitized ? 4000 : 40000;
  testing::Generator random("get_indice_pairs/spaces");
  SCOPED_TRACE(random.describe());
  for (const Axes& space : {Axes{200, 3000, 5000}, Axes{5000, 3000, 200}, Axes{127, 3199, 2815}}) {
    for (const Geometry& geometry : {submanifold(space), dilated(space), strided(space)}) {
      SCOPED_TRACE(pairs_cases::text_of(geometry));
      expect_reference(geometry, clustered(random, geometry, rows));
    }
  }
}

/// Up to 2^62 cells, however the axes share them.
TEST(GetIndicePairsSpaces, UpToTheLimitOfCells) {
  testing::Generator random("get_indice_pairs/limit");
  SCOPED_TRACE(random.describe());
  const int most = std::numeric_limits<int>::max(), half = 1 << 30;
  struct Shape {
    int batch;
    Axes space;
  };
  for (const auto& [batch, space] :
       {Shape{2, {1, half, most}}, Shape{2, {most, 1, half}}, Shape{2, {half, most, 1}},
        Shape{most, {1, 1, most}}, Shape{most, {1 << 10, 1 << 10, 1 << 10}},
        Shape{1 << 20, {1 << 14, 1 << 14, 1 << 14}}, Shape{1, {1 << 20, 1 << 21, 1 << 21}}}) {
    Geometry far_apart = dilated(space, batch);
    far_apart.dilation[2] = far_apart.pad[2] = std::max(1, space[2] / 3 * 2);
    for (Geometry geometry :
         {submanifold(space, batch), dilated(space, batch), far_apart, strided(space, batch)}) {
      if (geometry.sub_m == 0) geometry.output_space = space;
      SCOPED_TRACE(pairs_cases::text_of(geometry));
      Integers indices = clustered(random, geometry, 600);
      // Both ends of everything.
      const Integers corners{0, 0, 0, 0, batch - 1, space[0] - 1, space[1] - 1, space[2] - 1};
      indices.insert(indices.end(), corners.begin(), corners.end());
      expect_reference(geometry, indices);
    }
  }
}

/// Sites of one word, of one line, of one plane: sorting by bits that differ has little to sort by.
TEST(GetIndicePairsSpaces, SitesThatAreHardToPart) {
  testing::Generator random("get_indice_pairs/skewed");
  SCOPED_TRACE(random.describe());
  const Axes space{100, 1000, 100000};
  const std::int64_t rows = testing::sanitized ? 3000 : 40000;
  for (const Geometry& geometry : {submanifold(space), dilated(space), strided(space)}) {
    for (const Axes& extent : {Axes{1, 1, 64}, Axes{1, 1, 100000}, Axes{1, 1000, 64}}) {
      Geometry part = geometry;
      part.input_space = extent;
      Integers indices = pairs_cases::scattered(random, part, rows, false);
      indices.insert(indices.end(), {0, 99, 999, 99999});  // and one far away
      expect_reference(geometry, indices);
    }
  }
}

std::size_t workspace_of(const Geometry& geometry, std::int64_t rows) {
  std::size_t bytes = 0;
  const Integers indices(static_cast<std::size_t>(4 * rows));
  const PairsCall call(geometry, indices, geometry.sub_m != 0 ? rows : 1000);
  EXPECT_EQ(call.query(Handle(), &bytes), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  return bytes;
}

TEST(GetIndicePairsSpaces, MemoryDoesNotGrowWithThem) {
  constexpr std::int64_t sites = 248636;
  const std::size_t bytes = workspace_of(submanifold({41, 1440, 1440}, 4), sites);
  EXPECT_LE(bytes, 96'000'000u);
  EXPECT_EQ(workspace_of(submanifold({41, 14400, 14400}, 4), sites), bytes)
      << "100 times the cells";
  EXPECT_EQ(workspace_of(dilated({41, 1440, 1440}, 4), sites), bytes) << "with a dilation";
  // A strided kernel of 3 x 3 x 3 meets 8 sites at most; sorted, each takes 16 bytes.
  const std::size_t strided_bytes = workspace_of(strided({41, 14400, 14400}, 4), sites);
  EXPECT_LE(strided_bytes, 96'000'000u);
  EXPECT_LE(workspace_of(strided({41, 1440, 1440}, 4), sites), strided_bytes);
  EXPECT_LE(workspace_of(strided({41, 1 << 17, 1 << 17}, 4), sites), 2 * strided_bytes);
}

}  // namespace
}  // namespace mluop::sparse_conv
