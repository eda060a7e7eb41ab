// The vectors of the contract, and overlaps against a polygon that is clipped in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include "ops/nms/kit/scenes.hpp"
#include "testing/data/handle.hpp"

namespace mluop::nms {
namespace {

using testing::Handle;

std::vector<double> kept_of(const Operation& operation, const Setting& setting, const Scene& scene,
                            mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT) {
  Tensors tensors = make_tensors(operation, setting, scene, dtype);
  EXPECT_EQ(run(operation, setting, Handle(), tensors.view()), MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  std::vector<double> kept = tensors.output.values();
  kept.resize(static_cast<std::size_t>(tensors.number.get(0)));
  return kept;
}

/// Boxes in the order of their scores, as mmcv's Python sorts them.
Scene sorted(const std::vector<double>& boxes, const std::vector<double>& scores) {
  Scene scene;
  for (const std::int64_t i : reference::by_score(scores)) {
    const auto at = boxes.begin() + i * 7;
    scene.boxes.insert(scene.boxes.end(), at, at + 7);
  }
  return scene;
}

std::vector<double> original(const std::vector<double>& kept, const std::vector<double>& scores) {
  const auto order = reference::by_score(scores);
  std::vector<double> indices;
  for (const double position : kept) {
    indices.push_back(static_cast<double>(order[static_cast<std::size_t>(position)]));
  }
  return indices;
}

Setting with_threshold(float threshold, bool upright = false) {
  Setting setting;
  setting.iou_threshold = threshold;
  setting.ignore_heading = upright;
  return setting;
}

TEST(NmsVectors, FiveBoxesOfMmcv) {
  const std::vector<double> boxes{1, 1, 1,   2, 2, 2, 0, 2, 2, 2, 2, 2,   2,   0, 3, 3, 3,  3,
                                  2, 2, 0.3, 3, 3, 3, 3, 2, 2, 0, 3, 3.2, 3.2, 3, 2, 2, 0.3};
  const std::vector<double> scores{0.6, 0.9, 0.1, 0.2, 0.15};
  for (const bool upright : {false, true}) {
    const auto kept =
        kept_of(nms3d_operation, with_threshold(0.3f, upright), sorted(boxes, scores));
    EXPECT_EQ(original(kept, scores), (std::vector<double>{1, 0, 3})) << upright;
  }
  Setting standing = with_threshold(0.3f);
  standing.standing = true;
  EXPECT_EQ(original(kept_of(nms_operation, standing, sorted(boxes, scores)), scores),
            (std::vector<double>{1, 0, 3}));
}

/// numpy.random.seed(42); rand(555, 7), then rand(555), as float32: numpy draws 53 bits from two words of
/// the generator that std::mt19937 is.
TEST(NmsVectors, UniformBoxesOfMmcv) {
  std::mt19937 generator(42);
  const auto draw = [&] {
    const double high = generator() >> 5, low = generator() >> 6;
    return static_cast<double>(static_cast<float>((high * 67108864.0 + low) / 9007199254740992.0));
  };
  std::vector<double> boxes(555 * 7), scores(555);
  std::ranges::generate(boxes, draw);
  std::ranges::generate(scores, draw);
  EXPECT_FLOAT_EQ(static_cast<float>(boxes[0]), 0.37454012f);
  const Scene scene = sorted(boxes, scores);
  EXPECT_EQ(kept_of(nms3d_operation, with_threshold(0.3f), scene).size(), 176u);
  EXPECT_EQ(kept_of(nms3d_operation, with_threshold(0.3f, true), scene).size(), 148u);
}

TEST(NmsVectors, OverlapsOfMmcv) {
  constexpr double pi = std::numbers::pi;
  const Scene scene{{1, 1, 1, 2, 2, 2, 0, 2, 2, 2, 2, 2, 2, 0, 3, 3, 3, 3, 2, 2, 0},
                    {1, 1, 1, 2, 2, 2, 0, 1, 1, 1, 2, 2, 2, pi / 2, 1, 1, 1, 2, 2, 2, pi / 4}};
  Tensors tensors = make_tensors(overlap_operation, {}, scene, MLUOP_DTYPE_FLOAT);
  ASSERT_EQ(run(overlap_operation, {}, Handle(), tensors.view()), MLUOP_STATUS_SUCCESS);
  const double octagon = (8 + 8 * std::sqrt(2.0)) / (3 + 2 * std::sqrt(2.0));
  EXPECT_NEAR(octagon, 3.31371, 1e-5);
  const double expected[] = {4, 4, octagon, 1, 1, 1, 0, 0, 0};
  for (std::int64_t i = 0; i < 9; ++i) EXPECT_NEAR(tensors.output.get(i), expected[i], 1e-4) << i;
}

TEST(NmsVectors, FourBoxesOfMmcvInTheOrderOfTheirScores) {
  const Scene scene{{6, 3, 8, 7, 3, 6, 9, 11, 3, 7, 10, 12, 1, 4, 13, 7}, {0.6, 0.9, 0.7, 0.2}};
  EXPECT_EQ(kept_of(cpu_nms_operation, with_threshold(0.3f), scene),
            (std::vector<double>{1, 0, 3}));
  EXPECT_EQ(kept_of(nms_operation, with_threshold(0.3f), scene), (std::vector<double>{1, 0, 3}));
}

TEST(NmsVectors, EqualScoresAreTakenByIndex) {
  const Scene scene{{0, 0, 4, 4, 0, 0, 4, 4, 8, 8, 9, 9, 8, 8, 9, 9}, {0.5, 0.5, 0.5, 0.5}};
  for (const Operation* operation : {&nms_operation, &cpu_nms_operation}) {
    EXPECT_EQ(kept_of(*operation, with_threshold(0.5f), scene), (std::vector<double>{0, 2}));
  }
}

TEST(NmsVectors, SuppressionIsAboveTheThreshold) {
  // 2 of 6 cells: the quotient is 1/3 as float has it, and equal is not above.
  const Scene scene{{0, 0, 2, 2, 1, 0, 3, 2}, {0.9, 0.8}};
  const float third = 1.0f / 3;
  EXPECT_EQ(kept_of(cpu_nms_operation, with_threshold(third), scene).size(), 2u);
  EXPECT_EQ(kept_of(cpu_nms_operation, with_threshold(std::nextafter(third, 0.0f)), scene).size(),
            1u);
}

TEST(NmsVectors, ReversedCornersAreExchangedByMluOpNmsOnly) {
  const Scene scene{{0, 0, 4, 4, 4, 4, 0, 0}, {0.9, 0.8}};
  EXPECT_EQ(kept_of(nms_operation, with_threshold(0.5f), scene), (std::vector<double>{0}));
  EXPECT_EQ(kept_of(cpu_nms_operation, with_threshold(0.5f), scene), (std::vector<double>{0, 1}));
}

TEST(NmsVectors, NanScoresAreFirstForMmcvAndNeverConfident) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const Scene scene{{0, 0, 1, 1, 5, 5, 6, 6, 8, 8, 9, 9}, {0.9, nan, 0.95}};
  EXPECT_EQ(kept_of(cpu_nms_operation, with_threshold(0.5f), scene),
            (std::vector<double>{1, 2, 0}));
  EXPECT_EQ(kept_of(nms_operation, with_threshold(0.5f), scene), (std::vector<double>{2, 0}));
}

struct Corner {
  double x, y;
};

/// A rectangle clipped by the four sides of another one, in double.
double clipped_area(const double* a, const double* b) {
  const auto corners = [](const double* box) {
    const double c = std::cos(box[6]), s = std::sin(box[6]);
    std::vector<Corner> all;
    for (const auto& [u, v] : {Corner{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
      const double x = u * box[3] / 2, y = v * box[4] / 2;
      all.push_back({box[0] + x * c - y * s, box[1] + x * s + y * c});
    }
    return all;
  };
  std::vector<Corner> polygon = corners(a);
  const std::vector<Corner> by = corners(b);
  for (std::size_t side = 0; side < 4; ++side) {
    const Corner p = by[side], q = by[(side + 1) % 4];
    const auto height = [&](const Corner& at) {
      return (q.x - p.x) * (at.y - p.y) - (q.y - p.y) * (at.x - p.x);
    };
    std::vector<Corner> rest;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Corner from = polygon[i], to = polygon[(i + 1) % polygon.size()];
      const double h = height(from), g = height(to);
      if (h >= 0) rest.push_back(from);
      if ((h > 0 && g < 0) || (h < 0 && g > 0)) {
        const double t = h / (h - g);
        rest.push_back({from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)});
      }
    }
    polygon = rest;
  }
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Corner from = polygon[i], to = polygon[(i + 1) % polygon.size()];
    twice += from.x * to.y - to.x * from.y;
  }
  return std::abs(twice) / 2;
}

TEST(NmsVectors, OverlapsAreThoseOfClippedRectangles) {
  testing::Generator random("clipped");
  const Scene scene = scenes::standing(random, 150, 150);
  Tensors tensors = make_tensors(overlap_operation, {}, scene, MLUOP_DTYPE_DOUBLE);
  ASSERT_EQ(run(overlap_operation, {}, Handle(), tensors.view()), MLUOP_STATUS_SUCCESS);
  int positive = 0;
  for (std::int64_t i = 0; i < 150; ++i) {
    for (std::int64_t j = 0; j < 150; ++j) {
      const double exact = clipped_area(&scene.boxes[static_cast<std::size_t>(7 * i)],
                                        &scene.second[static_cast<std::size_t>(7 * j)]);
      // Corners up to 0.01 outside count as inside: along 14 m of edges.
      EXPECT_NEAR(tensors.output.get(i * 150 + j), exact, 0.15) << i << ", " << j;
      if (exact > 0.5) ++positive;
    }
  }
  EXPECT_GT(positive, 10);
}

}  // namespace
}  // namespace mluop::nms
