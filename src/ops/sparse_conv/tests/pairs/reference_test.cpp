// The reference of index pairs: vectors worked out by hand, and the formula read from the output's side.
#include "ops/sparse_conv/kit/pairs/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "testing/data/generators.hpp"

namespace mluop::sparse_conv::reference {
namespace {

using Ints = std::vector<std::int32_t>;

/// A line of D sites: space (d, 1, 1), kernel (3, 1, 1).
Geometry line(int input, int pad, int output) {
  Geometry geometry;
  geometry.pad[0] = pad;
  geometry.input_space[0] = input;
  geometry.filter_space[0] = 3;
  geometry.output_space[0] = output;
  return geometry;
}

TEST(PairsReference, SitesRepeatWhileEveryTripleCounts) {
  const IndexPairs result = make_pairs(line(5, 1, 5), Ints{0, 1, 0, 0, 0, 2, 0, 0});
  EXPECT_EQ(result.Y, 4);
  EXPECT_EQ(result.out_indices, (Ints{0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0}));
  EXPECT_EQ(result.pairs, (Ints{0, 1, 2, 3, 0, 1, 1, 2, 0, 1, 0, 1}));
  EXPECT_EQ(result.num, (Ints{2, 2, 2}));
  EXPECT_EQ(result.total(), 6);
}

TEST(PairsReference, OneTripleOutsideWhileEverySiteIsDistinct) {
  const IndexPairs result = make_pairs(line(5, 0, 3), Ints{0, 1, 0, 0});
  EXPECT_EQ(result.Y, 2);
  EXPECT_EQ(result.out_indices, (Ints{0, 0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(result.pairs, (Ints{0, 1, 0, 0, -1, -1}));
  EXPECT_EQ(result.num, (Ints{1, 1, 0}));
}

TEST(PairsReference, KernelOfOneSortsTheSites) {
  Geometry geometry;
  geometry.batch = 2;
  geometry.input_space = geometry.output_space = {2, 3, 4};
  const IndexPairs result = make_pairs(geometry, Ints{1, 0, 0, 0, 0, 1, 2, 3, 0, 0, 2, 3});
  EXPECT_EQ(result.Y, 3);
  EXPECT_EQ(result.out_indices, (Ints{0, 0, 2, 3, 0, 1, 2, 3, 1, 0, 0, 0}));
  EXPECT_EQ(result.pairs, (Ints{0, 1, 2, 2, 1, 0}));
}

TEST(PairsReference, SubmanifoldKeepsTheOrderAndTheLastOfEqualRowsStandsForTheSite) {
  Geometry geometry = line(5, 1, 5);
  geometry.sub_m = 1;
  const Ints indices{0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0};
  const IndexPairs result = make_pairs(geometry, indices);
  EXPECT_EQ(result.Y, 3);
  EXPECT_EQ(result.out_indices, indices);
  EXPECT_EQ(result.num, (Ints{1, 3, 2}));
  EXPECT_EQ(result.pairs, (Ints{1, -1, -1, 2, -1, -1, 0, 1, 2, 2, 1, 2, 0, 2, -1, 1, 1, -1}));
}

TEST(PairsReference, TransposedSpreadsEachSite) {
  Geometry geometry = line(2, 1, 0);
  geometry.transpose = 1;
  geometry.stride[0] = 2;
  geometry.output_space = convolved_space(geometry);
  EXPECT_EQ(geometry.output_space, (std::array{3, 1, 1}));
  const IndexPairs result = make_pairs(geometry, Ints{0, 1, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(result.Y, 3);
  EXPECT_EQ(result.pairs, (Ints{0, -1, 1, -1, 0, 1, 2, 0, 1, -1, 1, -1}));
  EXPECT_EQ(result.num, (Ints{1, 2, 1}));
}

TEST(PairsReference, OutputSitesOfOneRow) {
  Geometry geometry = line(5, 1, 5);
  geometry.batch = 2;
  EXPECT_EQ(output_sites(geometry, Ints{1, 4, 0, 0}),
            (std::vector<Site>{{1, 4, 0, 0}, {1, 3, 0, 0}}));
  geometry.stride[0] = 2;
  EXPECT_EQ(output_sites(geometry, Ints{0, 2, 0, 0}), (std::vector<Site>{{0, 1, 0, 0}}));
}

TEST(PairsReference, NothingInReach) {
  const IndexPairs result = make_pairs(line(9, 0, 1), Ints{0, 8, 0, 0});
  EXPECT_EQ(result.Y, 0);
  EXPECT_TRUE(result.out_indices.empty());
  EXPECT_EQ(result.pairs, Ints(6, -1));
  EXPECT_EQ(make_pairs(line(9, 0, 1), {}).L, 0);
}

TEST(PairsReference, VolumesBeyond32Bits) {
  Geometry geometry;
  geometry.batch = 3;
  geometry.input_space = geometry.output_space = {5000, 3000, 2000};
  const Ints indices{2, 4999, 2999, 1999, 2, 4999, 2999, 1998, 0, 0, 0, 0};
  const IndexPairs result = make_pairs(geometry, indices);
  EXPECT_EQ(result.out_indices, (Ints{0, 0, 0, 0, 2, 4999, 2999, 1998, 2, 4999, 2999, 1999}));
}

TEST(PairsReference, SpacesOfTheUsualLayers) {
  Geometry geometry;
  geometry.input_space = {41, 1440, 1440};
  geometry.filter_space = {3, 3, 3};
  geometry.stride = {2, 2, 2};
  geometry.pad = {1, 1, 1};
  EXPECT_EQ(convolved_space(geometry), (std::array{21, 720, 720}));
  geometry.dilation = {2, 30, 720};
  EXPECT_EQ(convolved_space(geometry), (std::array{20, 691, 1}));
  geometry.dilation[2] = 800;
  EXPECT_EQ(convolved_space(geometry)[2], 0);
  geometry.transpose = 1;
  geometry.input_space = {21, 720, 720};
  geometry.dilation = {1, 1, 1};
  EXPECT_EQ(convolved_space(geometry, {0, 1, 1}), (std::array{41, 1440, 1440}));
}

Geometry random_geometry(testing::Generator& generator) {
  const auto draw = [&](int low, int high) {
    return static_cast<int>(generator.integer(low, high));
  };
  Geometry geometry;
  geometry.axes = draw(2, 3);
  geometry.batch = draw(1, 2);
  geometry.sub_m = draw(0, 1);
  geometry.transpose = draw(0, 1);
  for (std::size_t i = 0; i < static_cast<std::size_t>(geometry.axes); ++i) {
    geometry.input_space[i] = draw(1, 6);
    geometry.filter_space[i] = draw(1, 3);
    geometry.pad[i] = draw(0, 2);
    geometry.stride[i] = geometry.sub_m != 0 ? 1 : draw(1, 3);
    geometry.dilation[i] = draw(1, 3);
    geometry.output_space[i] = geometry.sub_m != 0 ? geometry.input_space[i] : draw(1, 6);
  }
  return geometry;
}

Ints random_rows(const Geometry& geometry, testing::Generator& generator) {
  Ints rows;
  for (std::int64_t left = generator.integer(0, 12); left > 0; --left) {
    rows.push_back(static_cast<std::int32_t>(generator.integer(0, geometry.batch - 1)));
    for (std::size_t i = 0; i < static_cast<std::size_t>(geometry.axes); ++i) {
      rows.push_back(static_cast<std::int32_t>(generator.integer(0, geometry.input_space[i] - 1)));
    }
  }
  return rows;
}

using Row = std::vector<std::int32_t>;

std::vector<Row> sites_of(const Geometry& geometry, const Ints& rows) {
  std::vector<Row> sites;
  for (auto row = rows.begin(); row != rows.end(); row += geometry.columns()) {
    sites.emplace_back(row, row + geometry.columns());
  }
  return sites;
}

/// Whether an input site feeds an output site through an offset: written from the output's side, where
/// nothing is divided.
bool feeds(const Geometry& geometry, const Row& input, const Row& output,
           const std::array<int, 3>& offset) {
  bool same = input[0] == output[0];
  for (std::size_t i = 0; i < static_cast<std::size_t>(geometry.axes); ++i) {
    const int reach = offset[i] * geometry.dilation[i] - geometry.pad[i];
    const int z = input[i + 1], o = output[i + 1], s = geometry.stride[i];
    same = same && (geometry.transpose != 0 ? o == z * s + reach : z == o * s + reach);
  }
  return same;
}

/// Every site of the output space, ascending.
std::vector<Row> all_sites(const Geometry& geometry) {
  std::vector<Row> sites{{}};
  for (int i = 0; i <= geometry.axes; ++i) {
    const int size =
        i == 0 ? geometry.batch : geometry.output_space[static_cast<std::size_t>(i) - 1];
    std::vector<Row> longer;
    for (const Row& site : sites) {
      for (int c = 0; c < size; ++c) {
        longer.push_back(site);
        longer.back().push_back(c);
      }
    }
    sites = std::move(longer);
  }
  return sites;
}

/// The pairs by trying every input row against every site of the output.
IndexPairs brute_force(const Geometry& geometry, const Ints& indices) {
  const std::vector<Row> inputs = sites_of(geometry, indices);
  const std::int64_t K = geometry.volume();
  std::set<Row> reached;
  std::map<std::pair<std::int64_t, std::size_t>, Row> meets;
  for (const Row& output : all_sites(geometry)) {
    for (std::int64_t k = 0; k < K; ++k) {
      for (std::size_t j = 0; j < inputs.size(); ++j) {
        if (!feeds(geometry, inputs[j], output, geometry.offset(k))) continue;
        reached.insert(output);
        meets[{k, j}] = output;
      }
    }
  }
  const std::vector<Row> outputs =
      geometry.sub_m != 0 ? inputs : std::vector<Row>(reached.begin(), reached.end());
  IndexPairs result;
  result.L = static_cast<std::int64_t>(inputs.size());
  result.Y = static_cast<std::int64_t>(outputs.size());
  for (const Row& site : outputs) {
    result.out_indices.insert(result.out_indices.end(), site.begin(), site.end());
  }
  for (std::int64_t k = 0; k < K; ++k) {
    Ints from, to;
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      if (!meets.contains({k, j})) continue;
      const auto last = std::find(outputs.rbegin(), outputs.rend(), meets[{k, j}]);
      if (last == outputs.rend()) continue;
      from.push_back(static_cast<std::int32_t>(j));
      to.push_back(static_cast<std::int32_t>(outputs.rend() - last - 1));
    }
    result.num.push_back(static_cast<std::int32_t>(from.size()));
    for (Ints* side : {&from, &to}) {
      side->resize(inputs.size(), -1);
      result.pairs.insert(result.pairs.end(), side->begin(), side->end());
    }
  }
  return result;
}

TEST(PairsReference, AgreesWithTryingEverySite) {
  testing::Generator generator{"pairs reference"};
  SCOPED_TRACE(generator.describe());
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    const Geometry geometry = random_geometry(generator);
    const Ints indices = random_rows(geometry, generator);
    const IndexPairs result = make_pairs(geometry, indices),
                     expected = brute_force(geometry, indices);
    ASSERT_EQ(result.L, expected.L);
    ASSERT_EQ(result.Y, expected.Y);
    ASSERT_EQ(result.out_indices, expected.out_indices);
    ASSERT_EQ(result.num, expected.num);
    ASSERT_EQ(result.pairs, expected.pairs);
  }
}

TEST(PairsReference, TheHashMapThatSpeedIsMeasuredByIsRight) {
  testing::Generator generator{"hash map pairs"};
  SCOPED_TRACE(generator.describe());
  for (int i = 0; i < 500; ++i) {
    SCOPED_TRACE(i);
    Geometry geometry = random_geometry(generator);
    geometry.sub_m = 1;
    geometry.transpose = 0;
    geometry.stride = geometry.dilation = {1, 1, 1};
    geometry.output_space = geometry.input_space;
    const Ints indices = random_rows(geometry, generator);
    const IndexPairs expected = make_pairs(geometry, indices);
    Ints pairs(expected.pairs.size(), 7), out(indices.size(), 7), num(expected.num.size(), 7);
    hash_map_pairs(geometry, indices, pairs.data(), out.data(), num.data());
    ASSERT_EQ(pairs, expected.pairs);
    ASSERT_EQ(out, expected.out_indices);
    ASSERT_EQ(num, expected.num);
  }
}

}  // namespace
}  // namespace mluop::sparse_conv::reference
