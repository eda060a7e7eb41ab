// Thousands of small random problems of get_indice_pairs against the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "ops/sparse_conv/kit/pairs/call.hpp"
#include "ops/sparse_conv/kit/pairs/cases.hpp"
#include "testing/data/generators.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"

namespace mluop::sparse_conv {
namespace {

using reference::Geometry;
using testing::Generator;

int draw(Generator& random, int low, int high) {
  return static_cast<int>(random.integer(low, high));
}

/// Most spaces are small, so that kernels reach over their edges; some lines span several words.
int draw_size(Generator& random, bool long_lines) {
  return random.chance(0.3) ? draw(random, 1, 3)
                            : draw(random, 1, long_lines && random.chance(0.4) ? 200 : 9);
}

Geometry random_geometry(Generator& random) {
  Geometry geometry;
  geometry.axes = random.chance(0.3) ? 2 : 3;
  geometry.batch = draw(random, 1, 3);
  geometry.sub_m = random.chance(0.5) ? draw(random, 1, 3) : 0;
  geometry.transpose = random.chance(0.25) ? 1 : 0;
  geometry.inverse = random.chance(0.1) ? 1 : 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(geometry.axes); ++i) {
    const bool last = static_cast<int>(i) + 1 == geometry.axes;
    geometry.input_space[i] = draw_size(random, last);
    geometry.filter_space[i] = draw(random, 1, random.chance(0.05) ? (last ? 70 : 9) : 4);
    geometry.pad[i] = draw(random, 0, geometry.filter_space[i]);
    geometry.dilation[i] = random.chance(0.5) ? 1 : draw(random, 1, 5);
    if (geometry.sub_m != 0) {
      if (random.chance(0.05)) geometry.dilation[i] = draw(random, 60, 250);
      const int centred = geometry.filter_space[i] / 2 * geometry.dilation[i];
      geometry.pad[i] = random.chance(0.5)   ? centred
                        : random.chance(0.5) ? draw(random, 0, geometry.filter_space[i])
                                             : draw(random, 0, 2 * centred + 1);
      geometry.output_space[i] = geometry.input_space[i];
      continue;
    }
    geometry.stride[i] = draw(random, 1, 4);
    geometry.output_space[i] = draw_size(random, last);
  }
  if (geometry.sub_m == 0 && random.chance(0.7)) {
    const auto space = reference::convolved_space(geometry);
    for (std::size_t i = 0; i < 3; ++i) geometry.output_space[i] = std::max(space[i], 1);
  }
  return geometry;
}

std::int64_t cells_of(const Geometry& geometry, const std::array<int, 3>& space) {
  std::int64_t cells = geometry.batch;
  for (std::size_t i = 0; i < static_cast<std::size_t>(geometry.axes); ++i) cells *= space[i];
  return cells;
}

std::vector<std::int32_t> random_indices(Generator& random, const Geometry& geometry) {
  const std::int64_t cells = cells_of(geometry, geometry.input_space);
  const bool distinct = random.chance(0.7);
  const std::int64_t rows =
      random.integer(1, distinct ? std::min<std::int64_t>(cells, 120) : std::int64_t{120});
  return pairs_cases::scattered(random, geometry, rows, distinct);
}

bool same(std::span<const std::int32_t> actual, const std::vector<std::int32_t>& expected) {
  return std::ranges::equal(actual, expected);
}

void expect_pairs(const Geometry& geometry, const std::vector<std::int32_t>& indices,
                  std::int64_t spare_rows, mluOpHandle_t handle) {
  const reference::IndexPairs expected = reference::make_pairs(geometry, indices);
  const std::int64_t out_rows = std::min(
      expected.Y + spare_rows, std::max(expected.Y, cells_of(geometry, geometry.output_space)));
  PairsCall call(geometry, indices, out_rows);
  ASSERT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(call.num_act_out(), expected.Y);
  for (const testing::HostTensor& output : call.outputs()) EXPECT_TRUE(output.intact());
  if (out_rows == 0) return;  // an empty tensor: nothing is written
  std::vector<std::int32_t> rows = expected.out_indices;
  rows.resize(static_cast<std::size_t>(out_rows * geometry.columns()), -1);
  EXPECT_TRUE(same(call.output(0), rows)) << "out_indices";
  EXPECT_TRUE(same(call.output(1), expected.pairs)) << "indice_pairs";
  EXPECT_TRUE(same(call.output(2), expected.num)) << "indice_num";
}

TEST(GetIndicePairsRandom, SmallProblemsMatchTheReference) {
  Generator random("get_indice_pairs/random");
  SCOPED_TRACE(random.describe());
  for (int number = 0; number < (testing::sanitized ? 500 : 5000); ++number) {
    const Geometry geometry = random_geometry(random);
    SCOPED_TRACE("problem " + std::to_string(number) + ": " + pairs_cases::text_of(geometry));
    const std::vector<std::int32_t> indices = random_indices(random, geometry);
    testing::Handle handle;
    const auto levels = handle.levels();
    handle.threads(random.chance(0.8) ? 1 : draw(random, 2, 3));
    handle.isa(levels[static_cast<std::size_t>(number) % levels.size()]);
    expect_pairs(geometry, indices, draw(random, 0, 2), handle);
    if (HasFailure()) return;  // one problem at a time
  }
}

}  // namespace
}  // namespace mluop::sparse_conv
