// Backward as the gradient of forward: by finite differences and as its transpose.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/roiaware_pool3d/kit/cases.hpp"
#include "testing/compare/gradient_check.hpp"
#include "testing/data/handle.hpp"

namespace mluop::roiaware_pool3d {
namespace {

using testing::Handle;
using testing::HostTensor;

/// Forward of a case on features of one's own.
std::vector<double> forward(mluOpHandle_t handle, const ForwardCall& scene,
                            std::span<const double> features) {
  ForwardCall call(scene.shape(), scene.dtype(), scene.scene(), features);
  testing::expect_success(call.run(handle), "mluOpRoiAwarePool3dForward");
  return call.outputs()[2].values();
}

std::vector<double> backward(mluOpHandle_t handle, const ForwardCall& scene, const Indices& indices,
                             std::span<const double> gradients) {
  BackwardCall call(scene.shape(), scene.dtype(), indices, gradients);
  testing::expect_success(call.run(handle), "mluOpRoiAwarePool3dBackward");
  return call.grad_in().values();
}

/// What forward itself wrote.
Indices indices_from(mluOpHandle_t handle, ForwardCall& call) {
  testing::expect_success(call.run(handle), "mluOpRoiAwarePool3dForward");
  const auto argmax = integers(call.outputs()[0]), lists = integers(call.outputs()[1]);
  return {{lists.begin(), lists.end()}, {argmax.begin(), argmax.end()}};
}

std::vector<double> some_gradients(const Shape& shape, mluOpDataType_t dtype,
                                   const std::string& stream) {
  HostTensor gradients("g", dtype, MLUOP_LAYOUT_ARRAY, {shape.voxels(), shape.C});
  testing::Generator("roiaware_pool3d/" + stream).fill_uniform(gradients, -1, 1);
  return gradients.values();
}

std::vector<double> absolute(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  return values;
}

TEST(RoiAwareGradient, FitsFiniteDifferences) {
  for (const cases::Definition& definition : cases::definitions()) {
    const Shape& shape = definition.shape;
    // Equal features make a maximum that is not smooth.
    if (!definition.specials.empty() || definition.levels != 0) continue;
    if (shape.M * shape.C > 1000 || shape.voxels() > 1000) continue;
    SCOPED_TRACE(definition.name);
    Handle handle;
    handle.threads(1);
    ForwardCall scene = cases::make_forward(definition, MLUOP_DTYPE_DOUBLE);
    const Indices indices = indices_from(handle, scene);
    const std::vector<double> g = some_gradients(shape, MLUOP_DTYPE_DOUBLE, definition.name);
    const testing::GradientError error = testing::finite_difference_error(
        [&](std::span<const double> at) { return forward(handle, scene, at); },
        cases::features_of(definition), g, backward(handle, scene, indices, g), 1e-7);
    EXPECT_LE(error.relative, 1e-6) << error.describe();
  }
}

TEST(RoiAwareGradient, IsTheTransposeOfForward) {
  for (const cases::Definition& definition : cases::definitions()) {
    const Shape& shape = definition.shape;
    if (!definition.specials.empty() || shape.voxels() * (shape.T + shape.C) > 100'000) continue;
    for (mluOpDataType_t dtype : testing::floating_dtypes) {
      SCOPED_TRACE(definition.name + ' ' + name_of(dtype));
      Handle handle;
      ForwardCall scene = cases::make_forward(definition, dtype);
      const Indices indices = indices_from(handle, scene);
      const std::vector<double> x = scene.features().values();
      const std::vector<double> g = some_gradients(shape, dtype, definition.name);
      // With the indices fixed, pooling is linear and its entries are not negative.
      const std::vector<double> magnitudes = reference::pooled<double>(shape, indices, absolute(x));
      const std::vector<double> absolute_g = absolute(g);
      const testing::AdjointError error = testing::adjoint_error(
          {.x = x,
           .Fx = scene.outputs()[2].values(),
           .g = g,
           .Ftg = backward(handle, scene, indices, g),
           .dtype = dtype,
           .terms = static_cast<double>(reference::longest_sum(shape, indices)),
           .magnitude =
               std::inner_product(magnitudes.begin(), magnitudes.end(), absolute_g.begin(), 0.0)});
      EXPECT_TRUE(error.pass()) << error.describe();
    }
  }
}

/// Every 16th voxel names one of the first 40 points, or two.
Indices sparse_indices(const Shape& shape) {
  Indices indices;
  indices.lists.resize(static_cast<std::size_t>(shape.voxels() * shape.T));
  indices.argmax.resize(static_cast<std::size_t>(shape.voxels() * shape.C), -1);
  for (std::int64_t voxel = 0; voxel < shape.voxels(); voxel += 16) {
    const auto one = static_cast<std::int32_t>(voxel / 16 % 7 * 5);
    const auto two = static_cast<std::int32_t>(voxel % 3 == 0 ? one : one + 4);
    const auto list = indices.lists.begin() + voxel * shape.T;
    list[0] = 2;
    list[1] = one;
    list[2] = two;
    const auto winner = indices.argmax.begin() + voxel * shape.C;
    for (std::int64_t c = 0; c < shape.C; ++c) winner[c] = c % 2 == 0 ? one : two;
  }
  return indices;
}

/// Sums of points that few voxels name are not cleared in advance.
TEST(RoiAwareGradient, NothingOfAnEarlierCallIsLeft) {
  for (const bool average : {false, true}) {
    for (const std::int64_t channels : {1, 5, 8, 16, 32, 37, 64}) {
      const Shape shape{
          .B = 3, .X = 16, .Y = 16, .Z = 11, .T = 4, .C = channels, .M = 50, .average = average};
      SCOPED_TRACE(cases::text_of(shape));
      const Indices indices = sparse_indices(shape);
      std::vector<double> g = some_gradients(shape, MLUOP_DTYPE_FLOAT, "sparse");
      for (std::size_t i = 0; i < g.size() / 2; ++i) g[i] = -0.0;
      BackwardCall call(shape, MLUOP_DTYPE_FLOAT, indices, g);
      Handle handle;
      BackwardCall spoils(shape, MLUOP_DTYPE_FLOAT, indices, std::vector<double>(g.size(), NAN));
      for (BackwardCall* each : {&spoils, &call}) {
        testing::expect_success(each->run(handle), "mluOpRoiAwarePool3dBackward");
      }
      const std::vector<double> expected = call.expected(indices), got = call.grad_in().values();
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_NEAR(got[i], expected[i], 1e-4) << i;
        ASSERT_FALSE(got[i] == 0 && std::signbit(got[i])) << i;
      }
    }
  }
}

}  // namespace
}  // namespace mluop::roiaware_pool3d
