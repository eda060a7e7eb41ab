// Backward as the gradient of forward: by finite differences, and as its transpose.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/dynamic_point_to_voxel/kit/cases.hpp"
#include "testing/compare/gradient_check.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::dynamic_point_to_voxel {
namespace {

using testing::Handle;
using Values = std::vector<double>;

Values absolute(Values values) {
  for (double& value : values) value = std::abs(value);
  return values;
}

double dot(const Values& a, const Values& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Forward of features, with rows that no voxel has as 0, and the gradient of <forward, g>.
struct Pair {
  Pair(const std::string& name, mluOpReduceMode_t type, mluOpDataType_t dtype)
      : reduce_type(type),
        inputs(cases::make_inputs(cases::definition_named(name), forward_direction, type, dtype)),
        voxels(reference::voxels(integers(inputs.tensors[1]), inputs.shape.D)),
        x(inputs.tensors[0].values()) {
    testing::Generator random("dynamic_point_to_voxel/gradient/" + name);
    testing::HostTensor drawn("g", dtype, MLUOP_LAYOUT_ARRAY, {inputs.shape.R, inputs.shape.C});
    random.fill_uniform(drawn, -1, 1);
    g = drawn.values();
    std::fill(g.begin() + voxels.M * inputs.shape.C, g.end(), 0.0);
  }

  Values forward(std::span<const double> feats) {
    inputs.tensors[0].assign(feats);
    Values y = compute(forward_direction, Handle(), reduce_type, inputs.tensors, inputs.shape.R)[0]
                   .values();
    std::fill(y.begin() + voxels.M * inputs.shape.C, y.end(), 0.0);
    return y;
  }
  Values backward() const {
    const Tensors tensors = backward_inputs(inputs.shape, reduce_type, inputs.tensors, g);
    return compute(backward_direction, Handle(), reduce_type, tensors, inputs.shape.R)[0].values();
  }

  mluOpReduceMode_t reduce_type;
  cases::Inputs inputs;
  reference::Voxels voxels;
  Values x, g;
};

/// Random features: a maximum is smooth where no two are equal.
TEST(DynamicPointToVoxelGradient, FitsFiniteDifferences) {
  for (const char* name : {"channels_1", "channels_3", "channels_9", "rows_of_voxels"}) {
    for (const mluOpReduceMode_t type :
         {MLUOP_REDUCE_DMAX, MLUOP_REDUCE_DMEAN, MLUOP_REDUCE_DSUM}) {
      SCOPED_TRACE(std::string(name) + ' ' + name_of(type));
      Pair pair(name, type, MLUOP_DTYPE_DOUBLE);
      const Values analytic = pair.backward();
      const testing::GradientError error = testing::finite_difference_error(
          [&](std::span<const double> at) { return pair.forward(at); }, pair.x, pair.g, analytic,
          1e-7);
      EXPECT_LE(error.relative, 1e-6) << error.describe();
    }
  }
}

TEST(DynamicPointToVoxelGradient, OfSumAndMeanIsTheTranspose) {
  for (const char* name : {"channels_9", "channels_33", "ties", "one_voxel", "one_each", "batches",
                           "two_rounds", "rows_of_voxels", "no_valid_points", "skewed"}) {
    for (const mluOpReduceMode_t type : {MLUOP_REDUCE_DMEAN, MLUOP_REDUCE_DSUM}) {
      for (const mluOpDataType_t dtype : testing::floating_dtypes) {
        SCOPED_TRACE(std::string(name) + ' ' + name_of(type) + ' ' + mluop::name_of(dtype));
        Pair pair(name, type, dtype);
        const Values Fx = pair.forward(pair.x), Ftg = pair.backward();
        const auto longest = pair.voxels.M == 0 ? 0 : std::ranges::max(pair.voxels.counts);
        const testing::AdjointError error = testing::adjoint_error(
            {.x = pair.x,
             .Fx = Fx,
             .g = pair.g,
             .Ftg = Ftg,
             .dtype = dtype,
             .terms = static_cast<double>(longest) + 1,
             .magnitude = dot(reference::reduced<double>(type, pair.voxels, absolute(pair.x),
                                                         pair.inputs.shape.C, pair.inputs.shape.R),
                              absolute(pair.g))});
        EXPECT_TRUE(error.pass()) << error.describe();
      }
    }
  }
}

/// Each maximum is one feature, so <forward, g> = <features, gradient>, and the gradients of the points of a
/// voxel add up to that of the voxel, ties or not.
TEST(DynamicPointToVoxelGradient, OfTheMaximumIsItsOwnTranspose) {
  for (const char* name : {"ties", "negative", "zeros_of_both_signs", "one_voxel", "one_each",
                           "skewed", "chunks", "wide_rows", "channels_33"}) {
    SCOPED_TRACE(name);
    Pair pair(name, MLUOP_REDUCE_DMAX, MLUOP_DTYPE_DOUBLE);
    const Values y = pair.forward(pair.x), grad = pair.backward();
    const double size = dot(absolute(pair.g), Values(pair.g.size(), 2.0)) + 1;
    EXPECT_NEAR(dot(y, pair.g), dot(pair.x, grad), 1e-13 * size);
    EXPECT_NEAR(std::accumulate(grad.begin(), grad.end(), 0.0),
                std::accumulate(pair.g.begin(), pair.g.end(), 0.0), 1e-13 * size);
    EXPECT_EQ(std::ranges::count_if(grad, [](double one) { return one != 0; }),
              std::ranges::count_if(pair.g, [](double one) { return one != 0; }));
  }
}

}  // namespace
}  // namespace mluop::dynamic_point_to_voxel
