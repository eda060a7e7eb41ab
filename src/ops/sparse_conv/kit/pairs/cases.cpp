// The cases of get_indice_pairs: the layers of a network, and the edges of the formula.
#include "ops/sparse_conv/kit/pairs/cases.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

namespace mluop::sparse_conv::pairs_cases {
namespace {

using reference::Geometry;
using testing::Case;
using Axes = std::array<int, 3>;

std::string times(const Geometry& geometry, const Axes& values) {
  std::string text;
  for (int i = 0; i < geometry.axes; ++i) {
    if (i > 0) text += 'x';
    text += std::to_string(values[static_cast<std::size_t>(i)]);
  }
  return text;
}

std::string shape_of(const Geometry& geometry, std::int64_t rows) {
  std::string text = '[' + std::to_string(rows) + ',' + std::to_string(geometry.columns()) +
                     "] in " + times(geometry, geometry.input_space) + ", kernel " +
                     times(geometry, geometry.filter_space);
  if (geometry.sub_m != 0) return text + ", sub_m";
  text += ", stride " + times(geometry, geometry.stride);
  if (geometry.dilation != Axes{1, 1, 1})
    text += ", dilation " + times(geometry, geometry.dilation);
  return geometry.transpose != 0 ? text + ", transposed" : text;
}

/// The layers are scanned when they are first needed; until then their shape is known.
Definition network(const char* name, const char* shape) {
  return {name, shape, Case::Kind::network, [name]() -> const Layer& { return layer(name); }};
}

/// A layer that is made when it is first needed and then kept, with its pairs.
class Kept {
 public:
  explicit Kept(std::function<std::unique_ptr<const Layer>()> make)
      : state_(std::make_shared<State>(std::move(make))) {}
  const Layer& operator()() const {
    std::call_once(state_->made, [this] { state_->layer = state_->make(); });
    return *state_->layer;
  }

 private:
  struct State {
    explicit State(std::function<std::unique_ptr<const Layer>()> how) : make(std::move(how)) {}
    std::function<std::unique_ptr<const Layer>()> make;
    std::once_flag made;
    std::unique_ptr<const Layer> layer;
  };
  std::shared_ptr<State> state_;
};

/// Chosen rows.
Definition exact(const char* name, const Geometry& geometry, const std::vector<std::int32_t>& rows,
                 std::int64_t spare_rows = 0) {
  const auto count = static_cast<std::int64_t>(rows.size()) / geometry.columns();
  return {name, shape_of(geometry, count), Case::Kind::edge,
          Kept([=] { return std::make_unique<const Layer>(name, geometry, rows); }), spare_rows};
}

/// Rows anywhere.
Definition random(const char* name, const Geometry& geometry, std::int64_t rows,
                  bool distinct = true) {
  return {name, shape_of(geometry, rows), Case::Kind::edge, Kept([=] {
            testing::Generator generator("get_indice_pairs/" + std::string(name));
            return std::make_unique<const Layer>(name, geometry,
                                                 scattered(generator, geometry, rows, distinct));
          })};
}

/// A convolution whose output space is what it can reach.
Geometry convolution(Axes input, Axes filter, Axes stride, Axes pad, Axes dilation = {1, 1, 1},
                     int transpose = 0) {
  Geometry geometry{.batch = 2,
                    .pad = pad,
                    .stride = stride,
                    .dilation = dilation,
                    .input_space = input,
                    .filter_space = filter,
                    .transpose = transpose};
  geometry.output_space = reference::convolved_space(geometry);
  return geometry;
}

Geometry submanifold(Axes space, Axes filter, Axes pad) {
  return {.batch = 2,
          .pad = pad,
          .input_space = space,
          .filter_space = filter,
          .output_space = space,
          .sub_m = 1};
}

Geometry plane(Geometry geometry) {
  geometry.axes = 2;
  return geometry;
}

/// What is known to go wrong: sites that are counted once too often or too seldom.
void add_vectors(std::vector<Definition>& all) {
  all.push_back(exact("every_triple_valid",
                      {.pad = {1, 0, 0},
                       .input_space = {5, 1, 1},
                       .filter_space = {3, 1, 1},
                       .output_space = {5, 1, 1}},
                      {0, 1, 0, 0, 0, 2, 0, 0}));
  all.push_back(
      exact("one_triple_invalid",
            {.input_space = {5, 1, 1}, .filter_space = {3, 1, 1}, .output_space = {3, 1, 1}},
            {0, 1, 0, 0}));
  all.push_back(random("kernel_1", convolution({6, 7, 8}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}), 50));
  all.push_back(exact(
      "no_triple", {.input_space = {9, 1, 1}, .filter_space = {1, 1, 1}, .output_space = {3, 1, 1}},
      {0, 7, 0, 0, 0, 4, 0, 0}, 2));
  all.push_back(exact("one_site", submanifold({1, 1, 1}, {3, 3, 3}, {1, 1, 1}), {1, 0, 0, 0}));
}

Geometry dilated(Axes space, Axes filter, Axes dilation, Axes pad, int transpose = 0) {
  Geometry geometry = submanifold(space, filter, pad);
  geometry.dilation = dilation;
  geometry.transpose = transpose;
  return geometry;
}

/// Centred with pad (k / 2) * d; other pads shift to another lane.
void add_dilated_submanifolds(std::vector<Definition>& all) {
  all.push_back(
      random("sub_m_dilation_2", dilated({5, 6, 200}, {3, 3, 3}, {2, 2, 2}, {2, 2, 2}), 6000));
  all.push_back(
      random("sub_m_dilation_3_1_5", dilated({9, 8, 200}, {3, 3, 5}, {3, 1, 5}, {3, 1, 10}), 4000));
  all.push_back(random("sub_m_dilation_repeats",
                       dilated({4, 5, 20}, {3, 3, 3}, {1, 2, 3}, {1, 2, 3}), 3000, false));
  all.push_back(random("sub_m_dilation_uncentred",
                       dilated({7, 8, 130}, {3, 2, 4}, {2, 3, 3}, {1, 4, 7}), 3000));
  all.push_back(random("sub_m_dilation_transposed",
                       dilated({7, 8, 130}, {2, 3, 4}, {3, 2, 4}, {5, 2, 6}, 1), 3000));
  all.push_back(
      random("sub_m_dilation_125", dilated({9, 13, 90}, {5, 5, 5}, {2, 3, 4}, {4, 6, 9}), 3000));
  all.push_back(
      random("sub_m_dilation_wide", dilated({2, 3, 300}, {1, 2, 75}, {1, 1, 3}, {0, 1, 112}), 900));
  all.push_back(random("sub_m_dilation_beyond_lines",
                       dilated({3, 4, 30}, {3, 3, 3}, {2, 9, 40}, {2, 9, 51}), 200));
  all.push_back(random("sub_m_dilation_plane",
                       plane(dilated({40, 190, 1}, {3, 3, 1}, {2, 3, 1}, {2, 3, 0})), 4000));
}

void add_submanifolds(std::vector<Definition>& all) {
  all.push_back(random("corners", submanifold({2, 2, 2}, {3, 3, 3}, {1, 1, 1}), 16));
  all.push_back(random("sub_m_repeats", submanifold({3, 4, 70}, {3, 3, 3}, {1, 1, 1}), 900, false));
  all.push_back(random("sub_m_more_rows_than_cells", submanifold({2, 3, 5}, {3, 3, 3}, {1, 1, 1}),
                       5000, false));
  all.push_back(random("sub_m_crowded", submanifold({5, 6, 200}, {3, 3, 3}, {1, 1, 1}), 9000));
  all.push_back(random("sub_m_even", submanifold({5, 6, 130}, {2, 4, 2}, {1, 2, 1}), 1500));
  all.push_back(random("sub_m_uncentred", submanifold({5, 6, 130}, {3, 3, 3}, {0, 2, 3}), 1500));
  all.push_back(random("sub_m_125", submanifold({6, 9, 150}, {5, 5, 5}, {2, 2, 2}), 3000));
  all.push_back(random("sub_m_wide", submanifold({2, 3, 300}, {1, 2, 75}, {0, 1, 37}), 900));
  all.push_back(random("sub_m_beyond_edges", submanifold({2, 3, 5}, {7, 1, 15}, {3, 0, 7}), 50));
  all.push_back(
      random("sub_m_plane", plane(submanifold({40, 190, 1}, {3, 3, 1}, {1, 1, 0})), 4000));
  add_dilated_submanifolds(all);
  Geometry mirrored = submanifold({5, 6, 130}, {3, 3, 3}, {1, 0, 2});
  mirrored.transpose = 1;
  all.push_back(random("sub_m_transposed", mirrored, 1500));
}

void add_convolutions(std::vector<Definition>& all) {
  const Axes ones{1, 1, 1}, zeros{0, 0, 0};
  all.push_back(
      random("repeats", convolution({5, 6, 70}, {3, 3, 3}, {2, 2, 2}, ones), 2500, false));
  all.push_back(random("more_rows_than_cells", convolution({2, 3, 5}, {3, 3, 3}, {2, 2, 2}, ones),
                       5000, false));
  all.push_back(random("stride_1", convolution({5, 6, 130}, {3, 3, 3}, ones, ones), 1500));
  all.push_back(random("stride_7", convolution({40, 60, 400}, {2, 3, 5}, {7, 7, 7}, zeros), 3000));
  all.push_back(random("even_kernel", convolution({9, 9, 90}, {2, 4, 2}, {2, 1, 2}, ones), 2000));
  all.push_back(
      random("dilation_3", convolution({12, 12, 90}, {3, 3, 3}, ones, ones, {3, 2, 3}), 2000));
  all.push_back(random("stride_and_dilation",
                       convolution({12, 12, 90}, {3, 4, 5}, {2, 4, 6}, ones, {3, 2, 4}), 2000));
  all.push_back(
      random("transposed", convolution({6, 7, 60}, {3, 3, 3}, {2, 2, 2}, ones, ones, 1), 1500));
  all.push_back(random("transposed_dilation",
                       convolution({6, 7, 60}, {2, 3, 4}, {3, 1, 2}, ones, {1, 2, 3}, 1), 1500));
  all.push_back(
      random("plane", plane(convolution({40, 190, 1}, {3, 3, 1}, {2, 2, 1}, {1, 1, 0})), 3000));
  all.push_back(
      random("kernel_4913", convolution({20, 20, 80}, {17, 17, 17}, {8, 8, 8}, {8, 8, 8}), 100));
}

/// On both sides of what sizes decide: tables by coordinate or by row, for each axis and for each number
/// of offsets; marks or a sort; pairs written through the caches or past them.
void add_borders(std::vector<Definition>& all) {
  const Axes ones{1, 1, 1}, twos{2, 2, 2};
  const Geometry mixed = convolution({4, 150, 300}, {3, 3, 3}, twos, ones);
  all.push_back(random("rows_3", mixed, 3));
  all.push_back(random("rows_149", mixed, 149));
  all.push_back(random("rows_150", mixed, 150));
  all.push_back(random("rows_301", mixed, 301));
  all.push_back(random("offsets_64", convolution({9, 9, 200}, {4, 4, 4}, twos, ones), 120));
  all.push_back(random("offsets_80", convolution({9, 9, 200}, {4, 4, 5}, twos, ones), 120));
  all.push_back(
      random("few_in_a_large_space", convolution({41, 1440, 1440}, {3, 3, 3}, twos, ones), 700));
  all.push_back(random("cached_pairs", convolution({20, 90, 90}, {3, 3, 3}, twos, ones), 2427));
  all.push_back(random("streamed_pairs", convolution({20, 90, 90}, {3, 3, 3}, twos, ones), 2428));
  all.push_back(random("few_transposed",
                       convolution({40, 90, 90}, {3, 2, 3}, {2, 3, 2}, ones, {1, 2, 1}, 1), 60));
  all.push_back(random("few_dilated",
                       convolution({40, 90, 90}, {3, 3, 4}, {2, 4, 3}, {2, 1, 3}, {2, 2, 1}), 60));
}

/// Spaces that no array of their cells would fit: words beyond 32 bits, then beyond 64.
void add_spaces(std::vector<Definition>& all) {
  const Axes ones{1, 1, 1}, vast{1 << 20, 1 << 20, 1 << 20};
  all.push_back(
      random("space_5000x3000x200", submanifold({5000, 3000, 200}, {3, 3, 3}, ones), 4000));
  all.push_back(random("space_127x3199x2815",
                       convolution({127, 3199, 2815}, {3, 3, 3}, {2, 2, 2}, ones), 4000));
  all.push_back(random("space_2_61", convolution(vast, {3, 3, 3}, ones, ones), 500));
  // Few input coordinates, so there are tables, and an output space that needs 128 bits.
  all.push_back(
      random("transposed_to_2_61",
             convolution({8, 8, 8}, {3, 3, 3}, {1 << 17, 1 << 17, 1 << 17}, ones, ones, 1), 300));
  all.push_back(random("sub_m_space_2_61", submanifold(vast, {3, 3, 3}, ones), 500));
}

}  // namespace

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = [] {
    std::vector<Definition> list;
    list.push_back(network("centerpoint_subm1", "[248636,4] in 41x1440x1440, kernel 3x3x3, sub_m"));
    list.push_back(
        network("centerpoint_down1", "[248636,4] in 41x1440x1440, kernel 3x3x3, stride 2x2x2"));
    list.push_back(
        network("centerpoint_down2", "[280511,4] in 21x720x720, kernel 3x3x3, stride 2x2x2"));
    list.push_back(
        network("centerpoint_down3", "[149100,4] in 11x360x360, kernel 3x3x3, stride 2x2x2"));
    list.push_back(
        network("centerpoint_extra", "[58838,4] in 5x180x180, kernel 3x1x1, stride 2x1x1"));
    add_vectors(list);
    add_submanifolds(list);
    add_convolutions(list);
    add_borders(list);
    add_spaces(list);
    return list;
  }();
  return all;
}

std::string text_of(const Geometry& geometry) {
  return std::to_string(geometry.axes) + " axes, batch " + std::to_string(geometry.batch) +
         ", input " + times(geometry, geometry.input_space) + ", kernel " +
         times(geometry, geometry.filter_space) + ", output " +
         times(geometry, geometry.output_space) + ", pad " + times(geometry, geometry.pad) +
         ", stride " + times(geometry, geometry.stride) + ", dilation " +
         times(geometry, geometry.dilation) + ", sub_m " + std::to_string(geometry.sub_m) +
         ", transpose " + std::to_string(geometry.transpose);
}

std::vector<std::int32_t> scattered(testing::Generator& random, const Geometry& geometry,
                                    std::int64_t rows, bool distinct) {
  std::set<std::vector<std::int32_t>> seen;
  std::vector<std::int32_t> all;
  while (static_cast<std::int64_t>(all.size()) < rows * geometry.columns()) {
    std::vector<std::int32_t> row{static_cast<std::int32_t>(random.integer(0, geometry.batch - 1))};
    for (std::size_t i = 0; i < static_cast<std::size_t>(geometry.axes); ++i) {
      row.push_back(static_cast<std::int32_t>(random.integer(0, geometry.input_space[i] - 1)));
    }
    if (seen.insert(row).second || !distinct) all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

}  // namespace mluop::sparse_conv::pairs_cases
