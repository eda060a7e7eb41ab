// Out-of-range indices: the message names the first one, and grad_in is unchanged.
#include <gtest/gtest.h>

#include <string>

#include "core/numbers/dtype.hpp"
#include "ops/roiaware_pool3d/backward/index_error.hpp"
#include "ops/roiaware_pool3d/kit/cases.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/failing_calls.hpp"
#include "testing/suite/ways.hpp"

namespace mluop::roiaware_pool3d {
namespace {

using testing::Handle;

/// With few points, voxels are added in several parts; with many points, in one; with more points than
/// voxels, maxima are listed first.
struct Partition {
  const char* name;
  Shape shape;
};
constexpr Partition partitions[] = {
    {"several parts", {.B = 12, .X = 9, .Y = 8, .Z = 7, .T = 20, .C = 18, .M = 10}},
    {"one part", {.B = 12, .X = 9, .Y = 8, .Z = 7, .T = 20, .C = 18, .M = 5000}},
    {"listed", {.B = 12, .X = 9, .Y = 8, .Z = 7, .T = 20, .C = 18, .M = 60000}}};

/// All lists and rows name points; the last one of each list is the last point.
Indices full_indices(const Shape& shape) {
  Indices indices;
  for (std::int64_t voxel = 0; voxel < shape.voxels(); ++voxel) {
    indices.lists.push_back(static_cast<std::int32_t>(shape.T - 1));
    for (std::int64_t t = 1; t < shape.T; ++t) {
      indices.lists.push_back(static_cast<std::int32_t>((voxel + t) % shape.M));
    }
    for (std::int64_t c = 0; c < shape.C; ++c) {
      indices.argmax.push_back(static_cast<std::int32_t>((voxel + c) % (shape.M + 1)) - 1);
    }
  }
  return indices;
}

/// Sets one element and expects the message from every design that accepts the call.
void expect_refused(Shape shape, bool average, std::int64_t at, std::int32_t value,
                    const std::string& sentence) {
  shape.average = average;
  Indices indices = full_indices(shape);
  (average ? indices.lists : indices.argmax)[static_cast<std::size_t>(at)] = value;
  const std::vector<double> gradients(static_cast<std::size_t>(shape.voxels() * shape.C), 1.0);
  for (const testing::Way& way : testing::ways("roiaware_pool3d_backward")) {
    SCOPED_TRACE(way.name());
    for (const mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF}) {
      BackwardCall call(shape, dtype, indices, gradients);
      Handle handle;
      handle.threads(3);
      way.apply(handle, "roiaware_pool3d_backward");
      if (testing::not_accepted(call.run(handle))) continue;
      testing::expect_failures({{sentence.c_str(), [&] { return call.run(handle); }}});
      EXPECT_TRUE(call.grad_in().poisoned()) << "a call that failed wrote its output";
    }
  }
}

TEST(RoiAwareBadIndices, Argmax) {
  for (const auto& [name, shape] : partitions) {
    SCOPED_TRACE(name);
    const std::string rule =
        " must be at least -1 and below " + std::to_string(shape.M) + " (rows of grad_in), got ";
    const auto element = [&](std::int64_t voxel, std::int64_t c) { return voxel * shape.C + c; };
    const auto sentence = [&](const char* where, std::int64_t value) {
      return "mluOpRoiAwarePool3dBackward: argmax" + std::string(where) + rule +
             std::to_string(value);
    };
    const auto M = static_cast<std::int32_t>(shape.M);
    expect_refused(shape, false, element(0, 0), M, sentence("[0,0,0,0,0]", M));
    expect_refused(shape, false, element(0, 17), -2, sentence("[0,0,0,0,17]", -2));
    expect_refused(shape, false, element(shape.voxels() - 1, 17), INT32_MAX,
                   sentence("[11,8,7,6,17]", INT32_MAX));
    expect_refused(shape, false, element(504 * 5 + 56 * 3 + 7 * 2 + 1, 4), INT32_MIN,
                   sentence("[5,3,2,1,4]", INT32_MIN));
  }
}

TEST(RoiAwareBadIndices, Lists) {
  for (const auto& [name, shape] : partitions) {
    SCOPED_TRACE(name);
    const std::string rule =
        " must be at least 0 and below " + std::to_string(shape.M) + " (rows of grad_in), got ";
    const std::string prefix = "mluOpRoiAwarePool3dBackward: pts_idx_of_voxels";
    const auto M = static_cast<std::int32_t>(shape.M);
    const std::int64_t last = shape.voxels() * shape.T;
    expect_refused(shape, true, 1, M, prefix + "[0,0,0,0,1]" + rule + std::to_string(M));
    expect_refused(shape, true, 19, -1, prefix + "[0,0,0,0,19]" + rule + "-1");
    expect_refused(shape, true, last - 1, M, prefix + "[11,8,7,6,19]" + rule + std::to_string(M));
    const std::string count = ", a count, must be at most 19 (max_pts_each_voxel - 1), got ";
    expect_refused(shape, true, 0, 20, prefix + "[0,0,0,0,0]" + count + "20");
    expect_refused(shape, true, last - 20, INT32_MAX,
                   prefix + "[11,8,7,6,0]" + count + "2147483647");
  }
}

/// Most lists are empty, the others hold one point: design `general`.
TEST(RoiAwareBadIndices, ShortLists) {
  Shape shape = partitions[0].shape;
  shape.average = true;
  const std::vector<double> gradients(static_cast<std::size_t>(shape.voxels() * shape.C), 1.0);
  for (const std::size_t bad : {0, 1023, 3000, 6047}) {
    Indices indices = full_indices(shape);
    for (std::size_t voxel = 0; voxel * 20 < indices.lists.size(); ++voxel) {
      indices.lists[voxel * 20] = voxel % 8 == 0 || voxel == bad ? 1 : 0;
    }
    indices.lists[bad * 20 + 1] = static_cast<std::int32_t>(shape.M);
    BackwardCall call(shape, MLUOP_DTYPE_FLOAT, indices, gradients);
    EXPECT_EQ(call.run(Handle()), MLUOP_STATUS_BAD_PARAM) << bad;
    EXPECT_TRUE(call.grad_in().poisoned()) << bad;
  }
}

TEST(RoiAwareBadIndices, TheFirstIsNamedWhateverTheThreads) {
  for (const auto& [name, shape] : partitions) {
    SCOPED_TRACE(name);
    Shape average = shape;
    average.average = true;
    Indices indices = full_indices(average);
    for (std::size_t voxel = 100; voxel < 6000; voxel += 100) {
      indices.lists[voxel * 20 + 3] = -9;
    }
    const std::vector<double> gradients(static_cast<std::size_t>(shape.voxels() * shape.C), 1.0);
    BackwardCall call(average, MLUOP_DTYPE_FLOAT, indices, gradients);
    for (const int threads : {1, 2, 7}) {
      const Handle handle = std::move(Handle().threads(threads));
      testing::expect_failures({{("mluOpRoiAwarePool3dBackward: pts_idx_of_voxels[0,1,6,2,3] must "
                                  "be at least 0 and below " +
                                  std::to_string(shape.M) + " (rows of grad_in), got -9")
                                     .c_str(),
                                 [&] { return call.run(handle); }}});
    }
  }
}

TEST(RoiAwareBadIndices, WhatIsNotReadDoesNotMatter) {
  for (const auto& [name, shape] : partitions) {
    SCOPED_TRACE(name);
    for (const bool average : {false, true}) {
      Shape with_method = shape;
      with_method.average = average;
      Indices good = full_indices(shape), odd = good;
      for (std::size_t row = 0; row < good.lists.size(); row += 20) {
        good.lists[row] = 4;
        odd.lists[row] = row % 200 == 0 ? -5 : 4;  // a count below 1 is an empty voxel
        if (row % 200 == 0) good.lists[row] = 0;
        for (std::size_t t = 5; t < 20; ++t) odd.lists[row + t] = -77;  // behind the counted points
      }
      if (average) {
        odd.argmax.assign(odd.argmax.size(), 1 << 30);
      } else {
        odd.lists.assign(odd.lists.size(), 1 << 30);
      }
      const std::vector<double> gradients(static_cast<std::size_t>(shape.voxels() * shape.C), 0.5);
      BackwardCall one(with_method, MLUOP_DTYPE_FLOAT, good, gradients);
      BackwardCall two(with_method, MLUOP_DTYPE_FLOAT, odd, gradients);
      Handle handle;
      ASSERT_EQ(one.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
      ASSERT_EQ(two.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
      EXPECT_EQ(one.grad_in().values(), two.grad_in().values());
      EXPECT_EQ(one.grad_in().values(), one.expected(good));
    }
  }
}

/// Another thread may repair an index between the kernels, which refused it, and the search for it.
TEST(RoiAwareBadIndices, IndexThatChangedDuringTheCall) {
  const Shape shape = partitions[0].shape;
  const Indices good = full_indices(shape);
  const Grid grid{shape.B, shape.X, shape.Y, shape.Z, shape.T, shape.C, shape.M};
  const auto search = [&](PoolMethod method) {
    return fail_at_first_bad_index(
        {method, grid, MLUOP_DTYPE_FLOAT, good.lists.data(), good.argmax.data(), nullptr, nullptr});
  };
  testing::expect_failures(
      {{"mluOpRoiAwarePool3dBackward: argmax changed during the call",
        [&] { return search(pool_max); }, MLUOP_STATUS_INTERNAL_ERROR},
       {"mluOpRoiAwarePool3dBackward: pts_idx_of_voxels changed during the call",
        [&] { return search(pool_average); }, MLUOP_STATUS_INTERNAL_ERROR}});
}

}  // namespace
}  // namespace mluop::roiaware_pool3d
