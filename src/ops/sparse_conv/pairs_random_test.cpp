// Thousands of small random problems of get_indice_pairs against the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ops/sparse_conv/pairs_call.hpp"
#include "testing/generators.hpp"
#include "testing/handle.hpp"
#include "testing/sanitized.hpp"

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
    if (geometry.sub_m != 0) {
      if (random.chance(0.6)) geometry.pad[i] = geometry.filter_space[i] / 2;
      geometry.output_space[i] = geometry.input_space[i];
      continue;
    }
    geometry.stride[i] = draw(random, 1, 4);
    geometry.dilation[i] = random.chance(0.5) ? 1 : draw(random, 1, 5);
    geometry.output_space[i] = draw_size(random, last);
  }
  if (geometry.sub_m == 0 && random.chance(0.7)) {
    const auto space = reference::convolved_space(geometry);
    for (std::size_t i = 0; i < 3; ++i) geometry.output_space[i] = std::max(space[i], 1);
  }
  return geometry;
}

/// Rows in no order; some problems repeat rows on purpose, and crowded ones do anyway.
std::vector<std::int32_t> random_indices(Generator& random, const Geometry& geometry) {
  std::int64_t cells = geometry.batch;
  for (std::size_t i = 0; i < static_cast<std::size_t>(geometry.axes); ++i) {
    cells *= geometry.input_space[i];
  }
  const bool repeats = random.chance(0.3);
  std::vector<std::vector<std::int32_t>> rows;
  const std::int64_t count = random.integer(1, std::min<std::int64_t>(cells, 120));
  while (static_cast<std::int64_t>(rows.size()) < count) {
    std::vector<std::int32_t> row{draw(random, 0, geometry.batch - 1)};
    for (std::size_t i = 0; i < static_cast<std::size_t>(geometry.axes); ++i) {
      row.push_back(draw(random, 0, geometry.input_space[i] - 1));
    }
    if (repeats || std::ranges::find(rows, row) == rows.end()) rows.push_back(row);
  }
  std::vector<std::int32_t> indices;
  for (const auto& row : rows) indices.insert(indices.end(), row.begin(), row.end());
  return indices;
}

std::string text_of(const Geometry& geometry) {
  std::string text = "axes " + std::to_string(geometry.axes) + ", batch " +
                     std::to_string(geometry.batch) + ", sub_m " + std::to_string(geometry.sub_m) +
                     ", transpose " + std::to_string(geometry.transpose);
  const auto add = [&](const char* name, const std::array<int, 3>& values) {
    text += std::string(", ") + name;
    for (int i = 0; i < geometry.axes; ++i) {
      text += ' ' + std::to_string(values[static_cast<std::size_t>(i)]);
    }
  };
  add("pad", geometry.pad);
  add("stride", geometry.stride);
  add("dilation", geometry.dilation);
  add("input", geometry.input_space);
  add("filter", geometry.filter_space);
  add("output", geometry.output_space);
  return text;
}

bool same(std::span<const std::int32_t> actual, const std::vector<std::int32_t>& expected) {
  return std::ranges::equal(actual, expected);
}

void expect_pairs(const Geometry& geometry, const std::vector<std::int32_t>& indices,
                  std::int64_t spare_rows, mluOpHandle_t handle) {
  const reference::IndexPairs expected = reference::make_pairs(geometry, indices);
  PairsCall call(geometry, indices, expected.Y + spare_rows);
  const mluOpStatus_t status = call.run(handle);
  if (expected.Y + spare_rows == 0) return;  // nothing may be written then
  ASSERT_EQ(status, MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(call.num_act_out(), expected.Y);
  std::vector<std::int32_t> rows = expected.out_indices;
  rows.resize(rows.size() + static_cast<std::size_t>(spare_rows * geometry.columns()), -1);
  EXPECT_TRUE(same(call.output(0), rows)) << "out_indices";
  EXPECT_TRUE(same(call.output(1), expected.pairs)) << "indice_pairs";
  EXPECT_TRUE(same(call.output(2), expected.num)) << "indice_num";
  for (const testing::HostTensor& output : call.outputs()) EXPECT_TRUE(output.intact());
}

TEST(GetIndicePairsRandom, SmallProblemsMatchTheReference) {
  Generator random("get_indice_pairs/random");
  SCOPED_TRACE(random.describe());
  for (int number = 0; number < (testing::sanitized ? 500 : 5000); ++number) {
    const Geometry geometry = random_geometry(random);
    SCOPED_TRACE("problem " + std::to_string(number) + ": " + text_of(geometry));
    const std::vector<std::int32_t> indices = random_indices(random, geometry);
    testing::Handle handle;
    const auto implementations = handle.available_implementations("get_indice_pairs");
    handle.threads(random.chance(0.8) ? 1 : draw(random, 2, 3));
    handle.implementation(
        "get_indice_pairs",
        implementations[static_cast<std::size_t>(number) % implementations.size()].name);
    expect_pairs(geometry, indices, 0, handle);
    if (HasFailure()) return;  // one problem at a time
  }
}

}  // namespace
}  // namespace mluop::sparse_conv
