// Sampling of boxes at every instruction set: against the formula, box by box, in maps of any size.
#include "ops/rotated_feature_align/sampling/samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "testing/data/generators.hpp"

namespace mluop::rotated_feature_align {
namespace {

constexpr std::int64_t boxes_of_block = SampledBoxes<float>::most;

struct Point {
  bool inside;
  std::uint32_t cell, right, below;
  double weights[4];
};

struct Span {
  std::int64_t low, step;
  double upper;
};

template <class Real>
Span span_at(Real position, std::int64_t size) {
  if (!(position > 0)) position = 0;
  const auto low = static_cast<std::int64_t>(position);
  if (low >= size - 1) return {size - 1, 0, 0.0};
  return {low, 1, static_cast<double>(position - static_cast<Real>(low))};
}

/// Sample point k of a box [y, x, w, h, angle], every step rounded to Real.
template <class Real>
Point point_of(const Real (&box)[5], int k, const Problem& problem, std::int64_t pitch) {
  const auto scale = static_cast<Real>(problem.spatial_scale);
  const Real half_width = box[2] * scale / 2, half_height = box[3] * scale / 2;
  const Real cosine = std::cos(box[4]), sine = std::sin(box[4]);
  const Real width_sign[] = {0, 1, -1, -1, 1}, height_sign[] = {0, 1, 1, -1, -1};
  Real x = box[1] * scale, y = box[0] * scale;
  if (k > 0) {
    x = x + width_sign[k] * (cosine * half_width) + height_sign[k] * (-sine * half_height);
    y = y + width_sign[k] * (sine * half_width) + height_sign[k] * (cosine * half_height);
  }
  const auto within = [](Real position, std::int64_t size) {
    return position >= Real{-1} && position <= static_cast<Real>(size);
  };
  if (!within(x, problem.W) || !within(y, problem.H)) return {};
  const Span across = span_at(x, problem.W), down = span_at(y, problem.H);
  const Real right = static_cast<Real>(across.upper), below = static_cast<Real>(down.upper);
  const Real left = 1 - right, above = 1 - below;
  return {true,
          static_cast<std::uint32_t>(down.low * pitch + across.low),
          static_cast<std::uint32_t>(across.step),
          static_cast<std::uint32_t>(down.step * pitch),
          {above * left, above * right, below * left, below * right}};
}

/// Boxes around the map and on its edges, some without a place at all.
template <class Real>
std::vector<Real> draw_boxes(testing::Generator& random, const Problem& problem) {
  const double edges[] = {-1, -0.5, 0, 0.25};
  const auto coordinate = [&](std::int64_t size) {
    const auto end = static_cast<double>(size);
    const double beyond = edges[random.integer(0, 3)];
    switch (random.integer(0, 3)) {
      case 0:
        return beyond;
      case 1:
        return end - 1 - beyond;
      default:
        return random.uniform(-2, end + 2);
    }
  };
  std::vector<Real> values;
  for (std::int64_t i = 0; i < boxes_of_block; ++i) {
    const double box[] = {coordinate(problem.H), coordinate(problem.W), random.uniform(0, 6),
                          random.uniform(0, 6), random.uniform(-4, 4)};
    for (const double field : box)
      values.push_back(static_cast<Real>(field / problem.spatial_scale));
    values.back() = static_cast<Real>(box[4]);
  }
  const double broken[] = {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < 6; ++i) values[i * 5 + i % 5] = static_cast<Real>(broken[i % 3]);
  return values;
}

template <class Real>
void expect_points(const Sampler& sampler, const Problem& problem, std::int64_t count) {
  testing::Generator random("rotated_feature_align/samples");
  const std::vector<Real> values = draw_boxes<Real>(random, problem);
  const std::int64_t pitch = problem.W;
  SampledBoxes<Real> boxes;
  const std::int64_t first_part = count / 3;
  sampler.load(values.data(), 0, first_part, boxes);
  sampler.load(values.data() + first_part * 5, first_part, count - first_part, boxes);
  sampler.locate(boxes, count, problem, pitch);
  ASSERT_EQ(boxes.points, problem.points);
  for (std::int64_t i = 0; i < count; ++i) {
    Real box[5];
    for (std::size_t field = 0; field < 5; ++field) {
      box[field] = values[static_cast<std::size_t>(i) * 5 + field];
    }
    for (int k = 0; k < problem.points; ++k) {
      SCOPED_TRACE(::testing::Message() << "box " << i << ", point " << k);
      const Point expected = point_of(box, k, problem, pitch);
      const auto& at = boxes.at[k];
      ASSERT_EQ(at.inside[i], expected.inside ? 1u : 0u);
      if (!expected.inside) continue;
      ASSERT_EQ(at.cell[i], expected.cell);
      ASSERT_EQ(at.right[i], expected.right);
      ASSERT_EQ(at.below[i], expected.below);
      for (std::size_t w = 0; w < 4; ++w) {
        ASSERT_EQ(at.weights[w][i], static_cast<Real>(expected.weights[w]));
      }
    }
  }
}

TEST(RotatedFeatureAlignSamples, AreThoseOfTheFormulaAtEveryLevelAndSize) {
  const std::int64_t wide = (std::int64_t{1} << 24) + 1, wider = (std::int64_t{1} << 31) + 5;
  const std::int64_t widest = (std::int64_t{1} << 32) - 1;
  const std::int64_t sizes[][2] = {{1, 1},    {2, 3},     {50, 50},   {7, 1},
                                   {1, wide}, {wider, 1}, {1, wider}, {1, widest}};
  for (std::size_t isa = 0; isa < isa_count; ++isa) {
    // A build has tables of levels that this machine lacks.
    if (samplers[isa] == nullptr || !isa_allows(detected_isa(), static_cast<Isa>(isa))) continue;
    for (const auto& [H, W] : sizes) {
      for (const int points : {1, 5}) {
        for (const std::int64_t count : {1, 7, 8, 33, 64}) {
          SCOPED_TRACE(::testing::Message() << name_of(static_cast<Isa>(isa)) << ", " << H << " x "
                                            << W << ", " << points << " points, " << count);
          Problem problem{};
          problem.H = H;
          problem.W = W;
          problem.spatial_scale = 0.125f;
          problem.points = points;
          expect_points<float>(samplers[isa](), problem, count);
          expect_points<double>(samplers[isa](), problem, count);
        }
      }
    }
  }
}

}  // namespace
}  // namespace mluop::rotated_feature_align
