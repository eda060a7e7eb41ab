// Edge cases of the convolutions: channels, layouts, and pairs that need not come from a grid.
#include <algorithm>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_conv/kit/convolution/cases.hpp"
#include "ops/sparse_conv/kit/convolution/tables.hpp"

namespace mluop::sparse_conv::cases {
namespace {

using reference::FilterShape;
using tables::Repeats;
using testing::Generator;
using Counts = std::vector<std::int64_t>;

FilterShape array(std::vector<std::int64_t> kernel, std::int64_t Ci, std::int64_t Co) {
  return {MLUOP_LAYOUT_ARRAY, std::move(kernel), Ci, Co};
}

DrawTable with_counts(std::int64_t L, std::int64_t Y, const Counts& counts,
                      Repeats repeats = Repeats::nothing) {
  return [=](Generator& random) { return tables::random(random, L, Y, counts, repeats); };
}

/// A random number of pairs for each offset, about half of what it could have.
DrawTable half_full(std::int64_t K, std::int64_t L, std::int64_t Y) {
  return [=](Generator& random) {
    Counts counts;
    for (std::int64_t k = 0; k < K; ++k) counts.push_back(random.integer(0, std::min(L, Y)));
    return tables::random(random, L, Y, counts);
  };
}

/// No pairs, one, and around one and two runs of 64, for a few of 27 offsets.
Counts around_runs() {
  Counts counts(27, 1);
  counts[0] = 0;
  counts[4] = 63;
  counts[9] = 64;
  counts[13] = 65;
  counts[26] = 130;
  return counts;
}

/// Pairs between the first few rows only.
DrawTable few_rows_of_many(std::int64_t L, std::int64_t Y, std::int64_t used,
                           const Counts& counts) {
  return [=](Generator& random) {
    PairTable few = tables::random(random, used, used, counts);
    std::vector<std::int32_t> rows(counts.size() * 2 * static_cast<std::size_t>(L), -1);
    for (std::size_t line = 0; line < counts.size() * 2; ++line) {
      const auto from =
          few.rows().subspan(line * static_cast<std::size_t>(used), static_cast<std::size_t>(used));
      std::ranges::copy(from, rows.begin() + static_cast<std::int64_t>(line) * L);
    }
    return PairTable{L, Y, rows, counts};
  };
}

/// Every offset joins each row with itself.
DrawTable identity(std::int64_t K, std::int64_t rows) {
  return [=](Generator&) {
    std::vector<std::int32_t> pairs;
    for (std::int64_t i = 0; i < K * 2 * rows; ++i) {
      pairs.push_back(static_cast<std::int32_t>(i % rows));
    }
    return PairTable{rows, rows, pairs, Counts(static_cast<std::size_t>(K), rows)};
  };
}

}  // namespace

/// Channels on both sides of every vector width and block, and every layout of filters.
std::vector<Definition> shape_definitions() {
  std::vector<Definition> all;
  const std::int64_t channels[][2] = {
      {1, 1},    {3, 5},    {5, 16},   {7, 9},    {8, 8},     {9, 7},    {15, 17},  {16, 16},
      {17, 15},  {31, 33},  {33, 31},  {63, 65},  {64, 64},   {65, 63},  {96, 32},  {32, 96},
      {96, 100}, {100, 48}, {128, 64}, {64, 128}, {128, 128}, {129, 16}, {16, 129}, {200, 3},
      {3, 200},  {1, 128},  {128, 1},  {512, 17}, {17, 512},  {512, 64}, {700, 9},  {9, 700}};
  for (const auto& [Ci, Co] : channels) {
    all.push_back(edge("channels_" + std::to_string(Ci) + "_" + std::to_string(Co),
                       array({3, 1, 2}, Ci, Co), half_full(6, 45, 38)));
  }
  for (const mluOpTensorLayout_t layout :
       {MLUOP_LAYOUT_ARRAY, MLUOP_LAYOUT_NDHWC, MLUOP_LAYOUT_NCDHW}) {
    all.push_back(edge(std::string{"rank_5_"} + name_of(layout), {layout, {2, 3, 4}, 21, 35},
                       half_full(24, 33, 29)));
  }
  for (const mluOpTensorLayout_t layout :
       {MLUOP_LAYOUT_ARRAY, MLUOP_LAYOUT_HWCN, MLUOP_LAYOUT_NHWC, MLUOP_LAYOUT_NCHW}) {
    all.push_back(edge(std::string{"rank_4_"} + name_of(layout), {layout, {4, 3}, 35, 21},
                       half_full(12, 29, 33)));
  }
  // More source channels than a block of the vector kernels, and columns that end inside a panel.
  for (const mluOpTensorLayout_t layout :
       {MLUOP_LAYOUT_ARRAY, MLUOP_LAYOUT_NDHWC, MLUOP_LAYOUT_NCDHW}) {
    all.push_back(edge(std::string{"blocks_"} + name_of(layout), {layout, {3, 1, 1}, 270, 140},
                       half_full(3, 29, 23)));
  }
  all.push_back(edge("blocks_in_place", array({3, 1, 1}, 260, 256), with_counts(6, 6, {6, 1, 5})));
  all.push_back(edge("blocks_repeated", array({2, 1, 1}, 150, 72),
                     with_counts(600, 30, {600, 570}, Repeats::rows)));
  all.push_back(edge("kernel_1x1x1", array({1, 1, 1}, 19, 23), half_full(1, 61, 57)));
  all.push_back(edge("kernel_1x1", {MLUOP_LAYOUT_NHWC, {1, 1}, 23, 19}, half_full(1, 57, 61)));
  all.push_back(
      edge("offsets_4096", {MLUOP_LAYOUT_NDHWC, {16, 16, 16}, 3, 4}, half_full(4096, 2, 3)));
  // The operator's first published case.
  all.push_back(edge("zoo_3x3_210_100", {MLUOP_LAYOUT_HWCN, {3, 3}, 210, 100}, identity(9, 10)));
  return all;
}

/// Few rows, many rows, and pairs as anybody may hand them in.
std::vector<Definition> pair_definitions() {
  const Counts uneven = {0, 1, 60, 0, 2, 59, 0, 0, 1, 30, 60, 0};
  const Counts full(12, 600);
  Counts one_holds_all(27, 0);
  one_holds_all[5] = 300;
  std::vector<Definition> all = {
      edge("rows_1", array({3, 3, 3}, 16, 24), with_counts(1, 1, Counts(27, 1))),
      edge("rows_2", array({3, 3, 3}, 24, 16), with_counts(2, 2, Counts(27, 2))),
      edge("rows_5", array({3, 3, 3}, 40, 33), with_counts(5, 5, Counts(27, 4))),
      edge("rows_1_to_7", array({1, 7, 1}, 20, 20), with_counts(1, 7, Counts(7, 1))),
      edge("rows_7_to_1", array({1, 7, 1}, 20, 20), with_counts(7, 1, Counts(7, 1))),
      edge("many_rows", array({3, 1, 1}, 8, 16), half_full(3, 4500, 4700)),
      edge("many_rows_wide", array({1, 1, 2}, 72, 40), half_full(2, 2300, 2200)),
      edge("wide_channels", array({3, 3, 3}, 260, 304), with_counts(140, 135, around_runs())),
      edge("wide_channels_odd", array({3, 3, 3}, 301, 259), with_counts(135, 140, around_runs())),
      edge("no_pairs", array({3, 1, 1}, 17, 9), with_counts(11, 13, Counts(3, 0))),
      edge("one_offset_holds_all", array({3, 3, 3}, 33, 18), with_counts(300, 310, one_holds_all)),
      edge("one_pair_per_offset", array({3, 3, 3}, 18, 33), with_counts(40, 50, Counts(27, 1))),
      edge("uneven_offsets", array({3, 2, 2}, 34, 47), with_counts(60, 70, uneven)),
      edge("rows_without_pairs", array({3, 1, 1}, 21, 37),
           few_rows_of_many(900, 1300, 15, {15, 3, 7})),
      edge("repeated_rows", array({3, 2, 2}, 13, 29), with_counts(600, 640, full, Repeats::rows)),
      edge("repeated_rows_wide", array({3, 2, 2}, 72, 80),
           with_counts(600, 640, full, Repeats::rows)),
      edge("repeated_pairs", array({3, 2, 2}, 29, 13), with_counts(600, 600, full, Repeats::pairs)),
      edge("repeated_rows_inverse", array({3, 2, 2}, 22, 31),
           with_counts(600, 640, full, Repeats::rows))};
  all.back().inverse = true;
  return all;
}

}  // namespace mluop::sparse_conv::cases
