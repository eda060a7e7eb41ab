// Edge cases of the convolutions whose pairs come from sites on a grid.
#include <string>
#include <vector>

#include "ops/sparse_conv/kit/convolution/cases.hpp"
#include "ops/sparse_conv/kit/convolution/tables.hpp"
#include "ops/sparse_conv/kit/pairs/reference.hpp"

namespace mluop::sparse_conv::cases {
namespace {

using reference::FilterShape;
using reference::Geometry;
using testing::Generator;

/// The pairs of `sites` random sites in random order.
DrawTable on_grid(Geometry geometry, std::int64_t sites) {
  if (geometry.sub_m != 0) {
    geometry.output_space = geometry.input_space;
  } else {
    geometry.output_space = reference::convolved_space(geometry);
  }
  return [=](Generator& random) {
    return tables::from_pairs(
        reference::make_pairs(geometry, tables::random_sites(random, geometry, sites)));
  };
}

DrawTable in_random_order(const DrawTable& draw) {
  return [=](Generator& random) { return tables::shuffled(random, draw(random)); };
}

/// Every site twice: each makes pairs, and within an offset they end in the same row.
DrawTable with_duplicates(Geometry geometry, std::int64_t sites) {
  geometry.output_space = geometry.input_space;
  return [=](Generator& random) {
    std::vector<std::int32_t> indices = tables::random_sites(random, geometry, sites);
    const std::vector<std::int32_t> again = indices;
    indices.insert(indices.end(), again.begin(), again.end());
    return tables::from_pairs(reference::make_pairs(geometry, indices));
  };
}

/// Rows anywhere in a space of few cells: an offset has more pairs than there are output sites.
DrawTable crowded(Geometry geometry, std::int64_t rows) {
  geometry.output_space = reference::convolved_space(geometry);
  return [=](Generator& random) {
    return tables::from_pairs(
        reference::make_pairs(geometry, tables::any_sites(random, geometry, rows)));
  };
}

Definition on(std::string name, const Geometry& geometry, const FilterShape& filters,
              std::int64_t sites) {
  Definition definition = edge(std::move(name), filters, on_grid(geometry, sites));
  definition.sub_m = geometry.sub_m != 0;
  definition.inverse = geometry.inverse != 0;
  return definition;
}

}  // namespace

std::vector<Definition> geometry_definitions() {
  const Geometry sub_m{.batch = 2,
                       .pad = {1, 1, 1},
                       .input_space = {5, 9, 8},
                       .filter_space = {3, 3, 3},
                       .sub_m = 1};
  const Geometry wide_sub_m{
      .pad = {2, 2, 2}, .input_space = {7, 8, 9}, .filter_space = {5, 5, 5}, .sub_m = 1};
  const Geometry dilated_sub_m{.batch = 2,
                               .pad = {1, 2, 3},
                               .dilation = {1, 2, 3},
                               .input_space = {5, 9, 11},
                               .filter_space = {3, 3, 3},
                               .sub_m = 1};
  const Geometry down{.batch = 2,
                      .pad = {0, 1, 1},
                      .stride = {2, 2, 2},
                      .input_space = {7, 10, 9},
                      .filter_space = {3, 3, 3}};
  const Geometry dilated{.pad = {2, 0, 1},
                         .dilation = {2, 1, 3},
                         .input_space = {8, 9, 10},
                         .filter_space = {3, 2, 3}};
  const Geometry transposed{.pad = {1, 0, 1},
                            .stride = {2, 3, 1},
                            .input_space = {4, 5, 6},
                            .filter_space = {3, 3, 2},
                            .transpose = 1};
  const Geometry plane{.axes = 2,
                       .batch = 3,
                       .pad = {1, 1},
                       .stride = {2, 1},
                       .input_space = {9, 11},
                       .filter_space = {3, 3}};
  Geometry inverse = down;
  inverse.inverse = 1;

  std::vector<Definition> all = {
      on("sub_m_3x3x3", sub_m, {MLUOP_LAYOUT_ARRAY, {3, 3, 3}, 16, 16}, 250),
      on("sub_m_5x5x5", wide_sub_m, {MLUOP_LAYOUT_NDHWC, {5, 5, 5}, 12, 20}, 150),
      on("sub_m_dilated", dilated_sub_m, {MLUOP_LAYOUT_ARRAY, {3, 3, 3}, 20, 12}, 300),
      on("strided", down, {MLUOP_LAYOUT_ARRAY, {3, 3, 3}, 24, 40}, 220),
      on("dilated", dilated, {MLUOP_LAYOUT_NCDHW, {3, 2, 3}, 11, 14}, 160),
      on("transposed", transposed, {MLUOP_LAYOUT_ARRAY, {3, 3, 2}, 14, 11}, 50),
      on("plane", plane, {MLUOP_LAYOUT_NHWC, {3, 3}, 18, 26}, 120),
      on("inverse", inverse, {MLUOP_LAYOUT_ARRAY, {3, 3, 3}, 40, 24}, 220),
      on("inverse_ndhwc", inverse, {MLUOP_LAYOUT_NDHWC, {3, 3, 3}, 9, 33}, 220)};
  all.push_back(edge("strided_in_random_order", {MLUOP_LAYOUT_ARRAY, {3, 3, 3}, 24, 40},
                     in_random_order(on_grid(down, 220))));
  all.push_back(edge("sub_m_with_duplicates", {MLUOP_LAYOUT_ARRAY, {3, 3, 3}, 16, 16},
                     with_duplicates(sub_m, 150)));
  all.back().sub_m = true;
  const Geometry eight_cells{.pad = {1, 1, 1}, .input_space = {2, 2, 2}, .filter_space = {3, 3, 3}};
  all.push_back(edge("crowded_duplicates", {MLUOP_LAYOUT_ARRAY, {3, 3, 3}, 17, 40},
                     crowded(eight_cells, 40)));
  all.push_back(edge("crowded_duplicates_inverse", {MLUOP_LAYOUT_NDHWC, {3, 3, 3}, 40, 17},
                     crowded(eight_cells, 40)));
  all.back().inverse = true;
  return all;
}

}  // namespace mluop::sparse_conv::cases
