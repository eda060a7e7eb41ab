// Culling misses nothing: whatever passes the test of x and y lies in the bounds and in marked cells.
#include "ops/points_in_boxes/first/candidates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "testing/data/generators.hpp"

namespace mluop::points_in_boxes {
namespace {

using testing::Generator;

template <class Real>
struct Boxes {
  explicit Boxes(std::int64_t count)
      : fields(static_cast<std::size_t>(Field::count * count)), table{fields.data(), count} {}
  std::vector<Real> fields;
  BoxTable<Real> table;
};

/// The test of x and y, one box.
template <class Real>
bool between_sides(const BoxTable<Real>& table, std::int64_t t, Real x, Real y) {
  const Real u = x - table.at(Field::cx, t), v = y - table.at(Field::cy, t);
  const Real along = u * table.at(Field::cosine, t) + v * table.at(Field::minus_sine, t);
  const Real across = u * table.at(Field::sine, t) + v * table.at(Field::cosine, t);
  return std::abs(along) < table.at(Field::limit_x, t) &&
         std::abs(across) < table.at(Field::limit_y, t);
}

/// A corner of a box or a place between two of them, as near as its numbers allow, or just beside.
template <class Real>
std::pair<Real, Real> near_side(Generator& random, const BoxTable<Real>& table, std::int64_t t) {
  const double a = table.at(Field::limit_x, t), b = table.at(Field::limit_y, t);
  const double c = table.at(Field::cosine, t), s = table.at(Field::sine, t);
  double along = random.chance(0.5) ? a : -a, across = random.chance(0.5) ? b : -b;
  if (random.chance(0.3)) along *= random.uniform(0, 1);
  auto x = static_cast<Real>(table.at(Field::cx, t) + along * c + across * s);
  auto y = static_cast<Real>(table.at(Field::cy, t) - along * s + across * c);
  for (std::int64_t steps = random.integer(0, 4); steps > 0; --steps) {
    const Real towards = random.chance(0.5) ? Real(1e30) : Real(-1e30);
    (random.chance(0.5) ? x : y) = std::nextafter(random.chance(0.5) ? x : y, towards);
  }
  return {x, y};
}

template <class Real>
void expect_bounds(const char* what, double place, double size, Geometry geometry) {
  Generator random(std::string("points_in_boxes/bounds/") + what);
  SCOPED_TRACE(std::string(what) + ", " + random.describe());
  constexpr std::int64_t count = 500;
  Boxes<Real> boxes(count);
  int inside = 0;
  for (std::int64_t t = 0; t < count; ++t) {
    const double thin = random.chance(0.3) ? 1e-4 : 1;
    const Real fields[7] = {static_cast<Real>(random.uniform(-place, place)),
                            static_cast<Real>(random.uniform(-place, place)),
                            0,
                            static_cast<Real>(random.uniform(0, size)),
                            static_cast<Real>(random.uniform(0, size * thin)),
                            1,
                            static_cast<Real>(random.uniform(-10, 10))};
    set_box(fields, geometry, boxes.table, t);
    const Bounds<Real> bounds = bounds_of(boxes.table, t);
    for (int i = 0; i < 200; ++i) {
      const auto [x, y] = near_side(random, boxes.table, t);
      if (!between_sides(boxes.table, t, x, y)) continue;
      ++inside;
      ASSERT_TRUE(bounds.low_x <= x && x <= bounds.high_x) << t << ": x " << x;
      ASSERT_TRUE(bounds.low_y <= y && y <= bounds.high_y) << t << ": y " << y;
    }
  }
  EXPECT_GT(inside, 1000) << "the test looks at nothing";
}

TEST(PointsInBoxesBounds, HoldWhateverPassesTheTest) {
  for (const Geometry geometry : {Geometry::centred, Geometry::standing}) {
    expect_bounds<float>("street", 50, 5, geometry);
    expect_bounds<float>("far", 1e6, 5, geometry);
    expect_bounds<float>("large", 1, 1e30, geometry);
    expect_bounds<double>("street", 50, 5, geometry);
    expect_bounds<double>("far", 1e15, 5, geometry);
    expect_bounds<double>("large", 1, 1e200, geometry);
  }
  expect_bounds<float>("minute", 1e-36, 1e-37, Geometry::standing);
  expect_bounds<float>("subnormal", 1e-42, 1e-41, Geometry::standing);
  expect_bounds<double>("minute", 1e-300, 1e-300, Geometry::standing);
}

TEST(PointsInBoxesBounds, AreTight) {
  Boxes<float> boxes(1);
  set_box({10.0f, -20.0f, 0.0f, 4.0f, 2.0f, 1.0f, 0.0f}, Geometry::standing, boxes.table, 0);
  const Bounds<float> bounds = bounds_of(boxes.table, 0);
  EXPECT_NEAR(bounds.low_x, 8, 1e-3);
  EXPECT_NEAR(bounds.high_x, 12, 1e-3);
  EXPECT_NEAR(bounds.low_y, -21, 1e-3);
  EXPECT_NEAR(bounds.high_y, -19, 1e-3);
}

TEST(PointsInBoxesBounds, OfBoxesThatHoldNothingAreEmpty) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  const float good[7] = {0, 0, 0, 1, 1, 1, 0};
  const auto empty_with = [&](std::size_t field, float value) {
    Boxes<float> boxes(1);
    float fields[7];
    std::copy_n(good, 7, fields);
    fields[field] = value;
    set_box(fields, Geometry::standing, boxes.table, 0);
    return bounds_of(boxes.table, 0).empty();
  };
  EXPECT_FALSE(empty_with(0, 0));
  for (const std::size_t field : {0, 1, 3, 4, 5, 6}) EXPECT_TRUE(empty_with(field, nan)) << field;
  for (const std::size_t field : {0, 1, 6}) EXPECT_TRUE(empty_with(field, infinity)) << field;
  for (const std::size_t field : {3, 4}) {
    EXPECT_TRUE(empty_with(field, 0)) << field;
    EXPECT_TRUE(empty_with(field, -1)) << field;
    EXPECT_FALSE(empty_with(field, infinity)) << field;
  }
  EXPECT_TRUE(empty_with(5, -1));
  EXPECT_FALSE(empty_with(5, 0));
}

/// Whether a cell lists a box, itself or because the box is everywhere.
template <class Real>
bool lists(const Candidates<Real>& grid, std::int64_t cell, std::int64_t t) {
  const std::int64_t word = t / boxes_per_word;
  std::uint64_t bits = grid.everywhere[word];
  if ((grid.used[cell] >> word & 1) != 0) bits |= grid.marked[cell * grid.words + word];
  return (bits >> (t % boxes_per_word) & 1) != 0;
}

template <class Real>
void expect_marked(std::int64_t side, const std::vector<Bounds<Real>>& bounds, double spread,
                   bool culls) {
  std::vector<std::uint8_t> used(static_cast<std::size_t>(side * side), 0xFF);
  std::vector<std::uint64_t> marked(used.size() * most_words, ~std::uint64_t{0});
  Candidates<Real> grid{};
  grid.side = side;
  grid.words = most_words;
  grid.used = used.data();
  grid.marked = marked.data();
  grid.mark(bounds.data(), std::ssize(bounds));
  Generator random("points_in_boxes/marked");
  std::int64_t listed = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto x = static_cast<Real>(random.uniform(-spread, spread));
    const auto y = static_cast<Real>(random.uniform(-spread, spread));
    const std::int64_t cell = grid.y.cell(y) * side + grid.x.cell(x);
    ASSERT_TRUE(cell >= 0 && cell < side * side);
    for (std::int64_t t = 0; t < std::ssize(bounds); ++t) {
      const Bounds<Real>& box = bounds[static_cast<std::size_t>(t)];
      const bool between = box.low_x <= x && x <= box.high_x && box.low_y <= y && y <= box.high_y;
      ASSERT_TRUE(!between || lists(grid, cell, t)) << side << ' ' << x << ' ' << y;
      listed += lists(grid, cell, t) ? 1 : 0;
    }
  }
  EXPECT_TRUE(!culls || side < most_side || listed < 3000 * std::ssize(bounds) / 4)
      << "culls nothing";
  for (const Real odd :
       {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity(),
        -std::numeric_limits<Real>::infinity()}) {
    EXPECT_TRUE(grid.x.cell(odd) >= 0 && grid.x.cell(odd) < side);
  }
}

template <class Real>
void expect_marked_everywhere(double spread, bool culls = true) {
  Generator random("points_in_boxes/grid");
  std::vector<Bounds<Real>> bounds;
  for (int t = 0; t < 300; ++t) {
    const double x = random.uniform(-spread, spread), y = random.uniform(-spread, spread);
    const double reach = spread * (random.chance(0.02) ? 1 : 0.03);
    bounds.push_back({static_cast<Real>(x - reach), static_cast<Real>(x + reach),
                      static_cast<Real>(y - reach), static_cast<Real>(y + reach)});
  }
  bounds[7] = {1, 0, 1, 0};
  const Real infinity = std::numeric_limits<Real>::infinity();
  bounds[9] = {-infinity, infinity, -infinity, infinity};
  for (const std::int64_t side : {1, 2, 4, 8, 64, 128}) {
    expect_marked<Real>(side, bounds, 1.5 * spread, culls);
  }
}

TEST(PointsInBoxesCandidates, ListEveryBoxWhosePointsMayBeInACell) {
  expect_marked_everywhere<float>(50);
  expect_marked_everywhere<float>(1e30);
  expect_marked_everywhere<float>(1e-38, false);  // the scale of the axes is infinite
  expect_marked_everywhere<double>(50);
  expect_marked_everywhere<double>(1e300);
}

TEST(PointsInBoxesCandidates, BoxesInOnePlace) {
  const std::vector<Bounds<float>> same(5, Bounds<float>{3, 3, 4, 4});
  for (const std::int64_t side : {1, 8, 128}) {
    std::vector<std::uint8_t> used(static_cast<std::size_t>(side * side));
    std::vector<std::uint64_t> marked(used.size());
    Candidates<float> grid{};
    grid.side = side;
    grid.words = 1;
    grid.used = used.data();
    grid.marked = marked.data();
    grid.mark(same.data(), 5);
    const std::int64_t cell = grid.y.cell(4) * side + grid.x.cell(3);
    for (std::int64_t t = 0; t < 5; ++t) EXPECT_TRUE(lists(grid, cell, t));
  }
}

}  // namespace
}  // namespace mluop::points_in_boxes
