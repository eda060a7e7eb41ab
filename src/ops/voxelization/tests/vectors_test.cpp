// Voxelization against numbers computed elsewhere or by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/voxelization/kit/cases.hpp"
#include "testing/data/handle.hpp"

namespace mluop::voxelization {
namespace {

using reference::Setting;
using testing::Handle;
using testing::HostTensor;
using Rows = std::vector<std::vector<double>>;
using Numbers = std::vector<double>;

struct Result {
  Numbers voxels, coors, counts;
  int number = 0;
};

Numbers flat(const Rows& rows) {
  Numbers all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

/// Completes N and F of the setting from the points.
cases::Inputs inputs_of(Setting& setting, const Rows& points, mluOpDataType_t dtype) {
  setting.N = std::ssize(points), setting.F = std::ssize(points.front());
  return cases::make_inputs(setting, flat(points), dtype);
}

Result run(Setting setting, const Rows& points, mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT) {
  const cases::Inputs inputs = inputs_of(setting, points, dtype);
  auto outputs = cases::make_outputs(setting, dtype);
  EXPECT_EQ(cases::run_hard(Handle(), setting, inputs, outputs), MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  return {outputs[0].values(), outputs[1].values(), outputs[2].values(),
          static_cast<int>(outputs[3].get(0))};
}

Numbers cells(Setting setting, const Rows& points, mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT) {
  const cases::Inputs inputs = inputs_of(setting, points, dtype);
  HostTensor coors = cases::make_coors(setting);
  EXPECT_EQ(cases::run_dynamic(Handle(), inputs, coors), MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  return coors.values();
}

/// 4 x 3 x 2 cells.
Setting small(std::int64_t max_points, std::int64_t max_voxels) {
  return {0, 0, {1, 1, 1}, {0, 0, 0, 4, 3, 2}, max_points, max_voxels};
}

TEST(VoxelizationVectors, ByHand) {
  const Result result = run(small(2, 4), {{3.5, 0.5, 1.5, 10},
                                          {0.5, 0.5, 0.5, 11},
                                          {-0.1, 0.5, 0.5, 12},
                                          {3.1, 0.9, 1.1, 13},
                                          {3.2, 0.2, 1.2, 14}});
  EXPECT_EQ(result.number, 2);
  EXPECT_EQ(result.coors, (Numbers{1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(result.counts, (Numbers{2, 1, 0, 0}));
  const auto f = [](double value) { return static_cast<double>(static_cast<float>(value)); };
  Numbers voxels{3.5, 0.5, 1.5, 10, f(3.1), f(0.9), f(1.1), 13, 0.5, 0.5, 0.5, 11};
  voxels.resize(32);
  EXPECT_EQ(result.voxels, voxels);
}

/// A cell has its lower face, not its upper one; the upper end of the range is outside.
TEST(VoxelizationVectors, Faces) {
  const Rows points{{0, 0, 0}, {1, 0, 0}, {4, 0, 0},       {3, 3, 0},
                    {3, 2, 2}, {3, 2, 1}, {-0.0, -0.0, 1}, {-1e-30, 0, 0}};
  EXPECT_EQ(cells(small(1, 1), points),
            (Numbers{0, 0, 0, 0, 0, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 2, 3, 1, 0, 0, -1,
                     -1, -1}));
}

TEST(VoxelizationVectors, OnePointOfEachVoxel) {
  const Result result = run(small(1, 5), {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {1.5, 0, 0}});
  EXPECT_EQ(result.number, 2);
  EXPECT_EQ(result.counts, (Numbers{1, 1, 0, 0, 0}));
  EXPECT_EQ(result.voxels, (Numbers{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

/// A full set of voxels takes no more cells, but still points.
TEST(VoxelizationVectors, LatePointsOfEarlyVoxels) {
  const Result result = run(small(3, 2), {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0.5, 0}, {1, 0, 0.5},
                                          {2, 0, 0}, {0, 0, 0.5}, {0, 0.25, 0}});
  EXPECT_EQ(result.number, 2);
  EXPECT_EQ(result.coors, (Numbers{0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(result.counts, (Numbers{3, 2}));
  EXPECT_EQ(result.voxels,
            (Numbers{0, 0, 0, 0, 0.5, 0, 0, 0, 0.5, 1, 0, 0, 1, 0, 0.5, 0, 0, 0}));
}

TEST(VoxelizationVectors, AllPointsInvalid) {
  const Result result = run(small(2, 3), {{-1, 0, 0}, {0, 3, 0}, {0, 0, 9}});
  EXPECT_EQ(result.number, 0);
  EXPECT_EQ(result.voxels, Numbers(18));
  EXPECT_EQ(result.coors, Numbers(9));
  EXPECT_EQ(result.counts, Numbers(3));
}

/// Multiples k * size of a size, by true division and by multiplication with the reciprocal.
struct Multiples {
  float size;
  int count, differ;  // of `count` multiples so many have another cell by the reciprocal
};

int multiples_that_differ(const Multiples& given) {
  Setting setting{0,
                  0,
                  {given.size, 1, 1},
                  {0, 0, 0, static_cast<float>(given.count) * given.size, 1, 1}};
  Rows points;
  for (int k = 0; k < given.count; ++k) {
    points.push_back({static_cast<double>(static_cast<float>(k) * given.size), 0, 0});
  }
  const Numbers found = cells(setting, points);
  int differ = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const float p = static_cast<float>(points[k][0]);
    EXPECT_EQ(found[3 * k + 2], static_cast<double>(std::floor(p / given.size))) << k;
    const float reciprocal = 1 / given.size;
    if (std::floor(p * reciprocal) != std::floor(p / given.size)) ++differ;
  }
  return differ;
}

/// The figures are those of a program of another author.
TEST(VoxelizationVectors, TrueDivision) {
  for (const Multiples& given : {Multiples{0.16f, 626, 96}, Multiples{0.075f, 1334, 68},
                                 Multiples{0.05f, 1000, 0}, Multiples{0.1f, 1000, 0},
                                 Multiples{0.2f, 500, 0}}) {
    EXPECT_EQ(multiples_that_differ(given), given.differ) << given.size;
  }
}

/// Half a cell is rounded away from zero: 2.5 cells are 3, and 0.5 is one.
TEST(VoxelizationVectors, GridOfHalfCells) {
  const Setting setting{0, 0, {1, 1, 1}, {0, 0, 0, 2.5f, 0.5f, 0.49f}};
  EXPECT_EQ(cells(setting, {{2.9, 0, 0}}), (Numbers{-1, -1, -1}));  // no cell along z
  const Setting flat{0, 0, {1, 1, 1}, {0, 0, 0, 2.5f, 0.5f, 1}};
  EXPECT_EQ(cells(flat, {{2.9, 0.9, 0}, {3, 0, 0}, {0, 1, 0}}),
            (Numbers{0, 0, 2, -1, -1, -1, -1, -1, -1}));
}

/// In double only the point has the precision: sizes and range are floats.
TEST(VoxelizationVectors, DoublePoints) {
  const Setting setting{0, 0, {0.1f, 1, 1}, {0, 0, 0, 1, 1, 1}};
  const double size = static_cast<double>(0.1f);
  const Rows points{{3 * size, 0, 0}, {std::nextafter(3 * size, 0.0), 0, 0}};
  EXPECT_EQ(cells(setting, points, MLUOP_DTYPE_DOUBLE), (Numbers{0, 0, 3, 0, 0, 2}));
}

/// Cells beyond 2^31 - 1 are dropped, in float and in double.
TEST(VoxelizationVectors, LargestCell) {
  const Setting setting{0, 0, {1, 1, 1}, {0, 0, 0, 4294967296.0f, 1, 1}};
  EXPECT_EQ(cells(setting, {{2147483520.0, 0, 0}, {2147483648.0, 0, 0}}),
            (Numbers{0, 0, 2147483520, -1, -1, -1}));
  EXPECT_EQ(cells(setting, {{2147483647.5, 0, 0}, {2147483648.0, 0, 0}}, MLUOP_DTYPE_DOUBLE),
            (Numbers{0, 0, 2147483647, -1, -1, -1}));
  EXPECT_EQ(run({0, 0, {1, 1, 1}, {0, 0, 0, 4294967296.0f, 4294967296.0f, 4294967296.0f}, 2, 3},
                {{2147483647.0, 2147483646.0, 5.0}, {2147483647.0, 2147483646.0, 5.5}},
                MLUOP_DTYPE_DOUBLE)
                .coors,
            (Numbers{5, 2147483646, 2147483647, 0, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace mluop::voxelization
