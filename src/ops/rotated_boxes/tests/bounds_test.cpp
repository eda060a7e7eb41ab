// Pairs that are not computed would give 0: gaps of all sizes, thin boxes, nearly parallel edges, every
// rounding mode.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <string>
#include <vector>

#include "ops/rotated_boxes/kit/cases.hpp"
#include "ops/rotated_boxes/kit/formula.hpp"
#include "ops/rotated_boxes/nms/rectangles.hpp"
#include "ops/rotated_boxes/table/fill.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"

namespace mluop::rotated_boxes {
namespace {

using reference::Boxes;
using reference::Pairs;
using testing::Generator;
using testing::Handle;

double power_of_ten(Generator& random, double low, double high) {
  return std::pow(10, random.uniform(low, high));
}

/// Two boxes of nearly one direction, with sides of any length, on nearly common lines, with a gap of any
/// length between them, anywhere.
void add_pair(Generator& random, Boxes& boxes) {
  const double angle = random.chance(0.3) ? 0 : random.uniform(-4, 4);
  const double c = std::cos(angle), s = std::sin(angle);
  const double w1 = power_of_ten(random, -3, 3), h1 = power_of_ten(random, -3, 3);
  const double w2 = power_of_ten(random, -3, 3),
               h2 = random.chance(0.5) ? h1 : power_of_ten(random, -3, 3);
  const double along = (w1 + w2) / 2 * (1 + power_of_ten(random, -8, 3));
  const double across =
      (random.chance(0.5) ? h1 - h2 : h1 + h2) / 2 * (random.chance(0.5) ? 1 : -1);
  const double far = random.chance(0.5) ? 0 : power_of_ten(random, 0, 6);
  const double x = random.uniform(-far, far), y = random.uniform(-far, far);
  const double turn = random.chance(0.5) ? 0 : random.uniform(-1, 1) * power_of_ten(random, -9, -3);
  for (const double value : {x, y, w1, h1, angle}) boxes.first.push_back(value);
  for (const double value :
       {x + along * c - across * s, y + along * s + across * c, w2, h2, angle + turn}) {
    boxes.second.push_back(value);
  }
}

class Rounding {
 public:
  explicit Rounding(int mode) : former_(std::fegetround()) { std::fesetround(mode); }
  ~Rounding() { std::fesetround(former_); }
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;

 private:
  int former_;
};

TEST(RotatedBoxesBounds, LoseNothing) {
  Generator random("rotated_boxes/bounds");
  const std::int64_t count = testing::sanitized ? 3000 : 60'000;
  const Pairs pairs{count, count, false, true};
  Boxes boxes;
  for (std::int64_t i = 0; i < count; ++i) add_pair(random, boxes);
  for (const mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE}) {
    for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      cases::IouTensors tensors = cases::make_tensors(pairs, boxes, dtype);
      const Rounding rounding(mode);
      const auto expected = reference::ious(
          pairs, {tensors.first.values(), tensors.second.values()}, dtype, 0, count);
      for (const std::string& level : Handle().levels()) {
        Handle handle;
        handle.threads(2).isa(level);
        ASSERT_EQ(cases::run(handle, pairs, tensors.first, tensors.second, tensors.ious),
                  MLUOP_STATUS_SUCCESS);
        EXPECT_EQ(tensors.ious.values(), expected)
            << random.describe() << ' ' << level << ' ' << mode;
      }
    }
  }
}

bool apart(const suppression::Rectangle& a, const suppression::Rectangle& b) {
  return a.low_x > b.high_x || b.low_x > a.high_x || a.low_y > b.high_y || b.low_y > a.high_y;
}

/// Boxes of a list whose rectangles are apart do not intersect, and enough rectangles are apart.
void expect_sound_rectangles(const scenes::Rows& rows, double least_share, const char* what) {
  const std::int64_t count = std::ssize(rows) / 5;
  std::vector<float> fields(rows.begin(), rows.end());
  std::vector<float> memory(static_cast<std::size_t>(Field::count * table_stride(count)));
  const BoxTable<float> table{memory.data(), table_stride(count)};
  fill_table<float>({fields.data(), count}, table, Isa::generic, 1);
  std::vector<Bounds<float>> bounds;
  for (std::int64_t i = 0; i < count; ++i) bounds.emplace_back(table, i);
  Spread spread;
  const auto at = [&](std::int64_t i) -> const Bounds<float>& {
    return bounds[static_cast<std::size_t>(i)];
  };
  for (std::int64_t i = 0; i < count; ++i) {
    if (at(i).extent() == Extent::regular)
      spread.add(table.at(Field::x, i), table.at(Field::y, i), at(i));
  }
  Margins margins(spread);
  for (const Bounds<float>& one : bounds) {
    if (one.extent() == Extent::regular) margins.add_side(one.side);
  }
  std::vector<suppression::Rectangle> rectangles;
  for (std::int64_t i = 0; i < count; ++i) {
    rectangles.push_back(margins.rectangle(table.at(Field::x, i), table.at(Field::y, i), at(i)));
  }
  std::int64_t separate = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < count; ++j) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      if (!apart(rectangles[a], rectangles[b])) continue;
      ++separate;
      const reference::Turned<float> first(&fields[5 * a]), second(&fields[5 * b]);
      ASSERT_FALSE(reference::iou(first, second, false) > 0) << what << ' ' << i << ' ' << j;
    }
  }
  EXPECT_GE(static_cast<double>(separate), least_share * static_cast<double>(count * count))
      << what;
}

TEST(RotatedBoxesBounds, RectanglesThatAreApart) {
  Generator random("rotated_boxes/rectangles");
  expect_sound_rectangles(scenes::objects(random, 300), 0.8, "objects");
  expect_sound_rectangles(scenes::street(random, 300), 0.9, "street");
  expect_sound_rectangles(scenes::by_class(scenes::detections(random, 40), 15), 0.9, "classes");
  expect_sound_rectangles(scenes::in_line(random, 400), 0, "in line");
  expect_sound_rectangles(scenes::degenerate(random, 300), 0, "degenerate");
  expect_sound_rectangles(scenes::broken(random, 300), 0, "broken");
  expect_sound_rectangles(scenes::minute(random, 300), 0, "minute");
}

/// Sine and cosine are those of the C library, in every rounding mode.
TEST(RotatedBoxesTable, TurnsAsTheLibraryDoes) {
  Generator random("rotated_boxes/turns");
  std::vector<float> angles{0, -0.0f, 1e-45f, 1e-38f, 8192, 8193, 1e30f, INFINITY, NAN};
  for (int i = 1; i < 5300; ++i) {  // where sine or cosine is nearly 0
    const auto near = static_cast<float>(i * std::acos(0.0));
    angles.insert(angles.end(), {near, std::nextafter(near, 0.0f), -near});
  }
  while (angles.size() < 200'000) {
    const double scale = power_of_ten(random, -6, 4);
    angles.push_back(static_cast<float>(random.uniform(-scale, scale)));
  }
  const std::int64_t count = std::ssize(angles);
  std::vector<float> boxes, memory(static_cast<std::size_t>(Field::count * table_stride(count)));
  for (const float angle : angles) boxes.insert(boxes.end(), {0, 0, 1, 1, angle});
  const BoxTable<float> table{memory.data(), table_stride(count)};
  for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    const Rounding rounding(mode);
    for (int level = 0; level < static_cast<int>(isa_count); ++level) {
      const auto isa = static_cast<Isa>(level);
      if (vector_isa(isa) != isa || lowered_isa(isa) != isa) continue;
      fill_table<float>({boxes.data(), count}, table, isa, 1);
      for (std::int64_t i = 0; i < count; ++i) {
        const auto angle = static_cast<double>(angles[static_cast<std::size_t>(i)]);
        const float c = static_cast<float>(std::cos(angle)) * 0.5f;
        const float s = static_cast<float>(std::sin(angle)) * 0.5f;
        if (std::isnan(c) && std::isnan(table.at(Field::cos_w, i))) continue;
        ASSERT_EQ(table.at(Field::cos_w, i), c) << angle << ' ' << name_of(isa) << ' ' << mode;
        ASSERT_EQ(table.at(Field::sin_h, i), s) << angle << ' ' << name_of(isa) << ' ' << mode;
      }
    }
  }
}

/// The neighbours of the literals of the formula.
TEST(RotatedBoxesBounds, LiteralsAsFloats) {
  for (const double literal : {1e-14, 1e-6, 1e-8}) {
    const float below = not_above<float>(literal), above = not_below<float>(literal);
    EXPECT_LE(static_cast<double>(below), literal);
    EXPECT_GE(static_cast<double>(above), literal);
    EXPECT_EQ(std::nextafter(below, 1.0f), above);
    EXPECT_EQ(not_above<double>(literal), literal);
    EXPECT_EQ(not_below<double>(literal), literal);
  }
}

}  // namespace
}  // namespace mluop::rotated_boxes
