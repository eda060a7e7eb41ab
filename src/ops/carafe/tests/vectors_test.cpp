// CARAFE against numbers worked out by hand.
#include <gtest/gtest.h>

#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/carafe/kit/calls.hpp"
#include "testing/data/handle.hpp"

namespace mluop::carafe {
namespace {

using testing::Handle;
using testing::HostTensor;
using Values = std::vector<double>;

HostTensor with_values(HostTensor tensor, const Values& values) {
  tensor.assign(values);
  return tensor;
}

/// Exact numbers: every dtype gives the same.
void expect_forward(const reference::Shape& shape, const Values& input, const Values& mask,
                    const Values& expected) {
  for (mluOpDataType_t dtype : testing::floating_dtypes) {
    SCOPED_TRACE(name_of(dtype));
    ForwardData data(shape, with_values(cases::low_map(shape, dtype, "input"), input),
                     with_values(cases::mask_map(shape, dtype, "mask"), mask));
    ASSERT_EQ(data.run(Handle()), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(data.outputs()[0].values(), expected);
    EXPECT_EQ(data.reference()[0], expected);
    EXPECT_EQ(data.plain()[0], expected);
  }
}

void expect_backward(const reference::Shape& shape, const Values& input, const Values& mask,
                     const Values& gradient, const Values& grad_input, const Values& grad_mask) {
  for (mluOpDataType_t dtype : testing::floating_dtypes) {
    SCOPED_TRACE(name_of(dtype));
    BackwardData data(shape, with_values(cases::low_map(shape, dtype, "input"), input),
                      with_values(cases::mask_map(shape, dtype, "mask"), mask),
                      with_values(cases::high_map(shape, dtype, "grad_output"), gradient));
    ASSERT_EQ(data.run(Handle()), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(data.outputs()[0].values(), grad_input);
    EXPECT_EQ(data.outputs()[1].values(), grad_mask);
    EXPECT_EQ(data.reference(), (std::vector{grad_input, grad_mask}));
    EXPECT_EQ(data.plain(), (std::vector{grad_input, grad_mask}));
  }
}

TEST(CarafeVectors, WindowOfOneScalesEachOutput) {
  // Input pixels 1 and 2, each the source of a 2x2 block of outputs.
  expect_forward({1, 1, 2, 1, 1, 1, 2}, {1, 2}, {1, 2, 3, 4, 5, 6, 7, 8},
                 {1, 2, 6, 8, 5, 6, 14, 16});
  expect_backward({1, 1, 2, 1, 1, 1, 2}, {1, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 1, 1, 1, 1, 1, 1, 2},
                  {1 + 2 + 5 + 6, 3 + 4 + 7 + 16}, {1, 1, 2, 2, 1, 1, 2, 4});
}

TEST(CarafeVectors, WindowRowsRunAlongTheHeight) {
  // Only the weight of kh 0, kw 1 is set: each output is the input one row above.
  const Values above = {0, 1, 0, 0, 0, 0, 0, 0, 0};
  Values mask;
  for (int i = 0; i < 6; ++i) mask.insert(mask.end(), above.begin(), above.end());
  expect_forward({1, 2, 3, 1, 3, 1, 1}, {1, 2, 3, 4, 5, 6}, mask, {0, 0, 0, 1, 2, 3});
}

TEST(CarafeVectors, WindowColumnsRunAlongTheWidth) {
  // Only the weight of kh 1, kw 2 is set: each output is the input to the right.
  const Values right = {0, 0, 0, 0, 0, 1, 0, 0, 0};
  Values mask;
  for (int i = 0; i < 6; ++i) mask.insert(mask.end(), right.begin(), right.end());
  expect_forward({1, 2, 3, 1, 3, 1, 1}, {1, 2, 3, 4, 5, 6}, mask, {2, 3, 0, 5, 6, 0});
}

TEST(CarafeVectors, GroupsAreTheSlowestAxisOfTheMask) {
  // Two groups of two channels; the second has twice the weight of the first.
  expect_forward({1, 1, 1, 4, 1, 2, 1}, {1, 2, 3, 4}, {1, 2}, {1, 2, 6, 8});
  expect_backward({1, 1, 1, 4, 1, 2, 1}, {1, 2, 3, 4}, {1, 2}, {1, 1, 1, 2}, {1, 1, 2, 4}, {3, 11});
}

TEST(CarafeVectors, UnusedCellsHaveNoGradient) {
  // A map of one pixel: of the nine cells only the centre is used.
  expect_backward({1, 1, 1, 2, 3, 1, 1}, {2, 3}, Values(9, 1.0), {1, 10}, {1, 10},
                  {0, 0, 0, 0, 32, 0, 0, 0, 0});
}

}  // namespace
}  // namespace mluop::carafe
