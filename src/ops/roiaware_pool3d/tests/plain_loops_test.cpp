// The loops that the bench compares with compute the same as the reference.
#include "ops/roiaware_pool3d/kit/plain_loops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "ops/roiaware_pool3d/kit/cases.hpp"

namespace mluop::roiaware_pool3d {
namespace {

const float* floats(const testing::HostTensor& tensor) {
  return static_cast<const float*>(tensor.data());
}

void expect_near(const std::vector<double>& expected, const std::vector<float>& actual) {
  ASSERT_EQ(expected.size(), actual.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(expected[i], actual[i], 1e-5) << i;
}

TEST(RoiAwarePlainLoops, MatchTheReference) {
  for (const std::string_view name : {"odd_lists_max", "odd_lists_avg", "overflow_max"}) {
    SCOPED_TRACE(name);
    const cases::Definition& definition =
        *std::ranges::find(cases::definitions(), name, &cases::Definition::name);
    const Shape& shape = definition.shape;
    const ForwardCall call = cases::make_forward(definition, MLUOP_DTYPE_FLOAT);
    const Indices expected = call.expected_indices();
    std::vector<std::int32_t> lists(expected.lists.size()), argmax(expected.argmax.size());
    std::vector<float> pooled(argmax.size());
    plain::forward(shape, floats(call.rois()), floats(call.pts()), floats(call.features()),
                   lists.data(), pooled.data(), argmax.data());
    EXPECT_EQ(lists, expected.lists);
    EXPECT_EQ(argmax, expected.argmax);
    expect_near(call.expected_pooled(expected), pooled);

    const BackwardCall backward = cases::make_backward(definition, MLUOP_DTYPE_FLOAT, expected);
    std::vector<std::int32_t>& indices = shape.average ? lists : argmax;
    std::vector<float> grad_in(static_cast<std::size_t>(shape.M * shape.C));
    EXPECT_TRUE(
        plain::backward(shape, indices.data(), floats(backward.grad_out()), grad_in.data()));
    expect_near(backward.expected(expected), grad_in);
    indices.front() = 1 << 30;
    EXPECT_FALSE(
        plain::backward(shape, indices.data(), floats(backward.grad_out()), grad_in.data()));
  }
}

}  // namespace
}  // namespace mluop::roiaware_pool3d
