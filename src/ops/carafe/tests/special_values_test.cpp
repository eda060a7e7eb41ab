// NaN and infinity: used cells always multiply, unused cells never contaminate.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/carafe/kit/calls.hpp"
#include "testing/data/handle.hpp"

namespace mluop::carafe {
namespace {

using testing::Handle;
using testing::HostTensor;
using Values = std::vector<double>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

HostTensor with_values(HostTensor tensor, const Values& values) {
  tensor.assign(values);
  return tensor;
}

void expect_values(const Values& actual, const Values& expected, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_TRUE(std::isnan(expected[i]) ? std::isnan(actual[i]) : actual[i] == expected[i])
        << what << " at " << i << ": " << actual[i] << " instead of " << expected[i];
  }
}

/// One row of pixels of one value in each of 19 channels (no full vector at any width), k 3, s 1.
struct Row {
  Values input;              // [W]
  std::vector<Values> mask;  // [W][3]: the middle row of the window; its other cells hold NaN
  Values gradient = {};      // [W]
};

/// The middle row of windows over a map one row high: all other cells are unused.
constexpr std::int64_t channels = 19;

template <class Visit>
void for_each_implementation(const char* op, Visit&& visit) {
  for (const std::string& level : Handle().levels()) {
    for (mluOpDataType_t dtype : testing::floating_dtypes) {
      SCOPED_TRACE(std::string(op) + ' ' + level + ' ' + name_of(dtype));
      Handle handle;
      handle.isa(level);
      visit(handle, dtype);
    }
  }
}

Values in_all_channels(const Values& pixels) {
  Values values;
  for (double value : pixels) values.insert(values.end(), channels, value);
  return values;
}

Values windows_of(const Row& row) {
  Values values;
  for (const Values& middle : row.mask) {
    values.insert(values.end(), 3, nan);
    values.insert(values.end(), middle.begin(), middle.end());
    values.insert(values.end(), 3, nan);
  }
  return values;
}

reference::Shape shape_of(const Row& row) {
  return {1, 1, static_cast<std::int64_t>(row.input.size()), channels, 3, 1, 1};
}

void expect_forward(const Row& row, const Values& expected) {
  const reference::Shape shape = shape_of(row);
  for_each_implementation(ForwardData::op, [&](Handle& handle, mluOpDataType_t dtype) {
    ForwardData data(shape,
                     with_values(cases::low_map(shape, dtype, "input"), in_all_channels(row.input)),
                     with_values(cases::mask_map(shape, dtype, "mask"), windows_of(row)));
    ASSERT_EQ(data.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    expect_values(data.outputs()[0].values(), in_all_channels(expected), "output");
  });
}

void expect_backward(const Row& row, const Values& grad_input, const std::vector<Values>& middle) {
  const reference::Shape shape = shape_of(row);
  Values grad_mask;
  for (const Values& cells : middle) {
    grad_mask.insert(grad_mask.end(), 3, 0);
    grad_mask.insert(grad_mask.end(), cells.begin(), cells.end());
    grad_mask.insert(grad_mask.end(), 3, 0);
  }
  for_each_implementation(BackwardData::op, [&](Handle& handle, mluOpDataType_t dtype) {
    BackwardData data(
        shape, with_values(cases::low_map(shape, dtype, "input"), in_all_channels(row.input)),
        with_values(cases::mask_map(shape, dtype, "mask"), windows_of(row)),
        with_values(cases::high_map(shape, dtype, "grad_output"), in_all_channels(row.gradient)));
    ASSERT_EQ(data.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    expect_values(data.outputs()[0].values(), in_all_channels(grad_input), "grad_input");
    expect_values(data.outputs()[1].values(), grad_mask, "grad_mask");
  });
}

TEST(CarafeSpecialValues, UnusedWeightsAreNeverRead) {
  // The rows above and below hold NaN, and so do the cells left of the first and right of the last.
  expect_forward({{1, 2, 4}, {{nan, 1, 1}, {1, 1, 1}, {1, 1, inf}}}, {3, 7, 6});
  expect_backward({{1, 2, 4}, {{inf, 1, 2}, {4, 8, 16}, {32, 64, nan}}, {1, 1, 1}}, {5, 42, 80},
                  {{0, 19, 38}, {19, 38, 76}, {38, 76, 0}});
}

TEST(CarafeSpecialValues, ZeroTimesInfinityIsNan) {
  expect_forward({{1, inf, 4, 8}, {{9, 1, 0}, {1, 1, 1}, {0, 1, 1}, {1, 1, 9}}},
                 {nan, inf, nan, 12});
  expect_forward({{0, 2, 4, 8}, {{9, inf, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 9}}}, {nan, 6, 14, 12});
}

TEST(CarafeSpecialValues, NanStaysInReachOfItsCell) {
  expect_forward({{nan, 2, 4, 8}, {{9, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 9}}},
                 {nan, nan, 14, 12});
}

TEST(CarafeSpecialValues, InfiniteGradientReachesItsWindowOnly) {
  const Row row{{1, 2, 0, 8}, {{9, 1, 1}, {1, 0, 1}, {1, 1, 1}, {1, 1, 9}}, {1, inf, 1, 1}};
  expect_backward(row, {inf, nan, inf, 2},
                  {{0, 19, 38}, {inf, inf, nan}, {38, 0, 152}, {0, 152, 0}});
}

TEST(CarafeSpecialValues, NanInputSpoilsTheWeightsOfItsCellOnly) {
  const Row row{{nan, 2, 4, 8}, {{9, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 9}}, {1, 1, 1, 1}};
  expect_backward(row, {2, 3, 3, 2}, {{0, nan, 38}, {nan, 38, 76}, {38, 76, 152}, {76, 152, 0}});
}

/// NaN wherever a window reaches, 0 in the cells outside the map. Narrow and wide maps, small and large groups
/// have different loops.
TEST(CarafeSpecialValues, UnusedCellsHaveNoGradientWhateverTheMapsHold) {
  for (const reference::Shape& shape : {reference::Shape{2, 3, 9, 3, 3, 3, 2},
                                        {1, 4, 19, 3, 7, 3, 2},
                                        {1, 9, 9, 16, 7, 1, 1},
                                        {1, 3, 19, 32, 3, 2, 3},
                                        {1, 3, 5, 16, 3, 1, 2},
                                        {1, 2, 9, 40, 5, 1, 2},
                                        {1, 4, 12, 5, 9, 1, 1}}) {
    SCOPED_TRACE(cases::text_of(shape));
    Values expected(static_cast<std::size_t>(shape.mask_elements()), 0);
    reference::for_each_cell(shape, [&](std::int64_t pixel, std::int64_t, std::int64_t cell) {
      for (std::int64_t g = 0; g < shape.G; ++g) {
        expected[static_cast<std::size_t>((pixel * shape.G + g) * shape.k * shape.k + cell)] = nan;
      }
    });
    for_each_implementation(BackwardData::op, [&](Handle& handle, mluOpDataType_t dtype) {
      // Tensors hold NaN until they are filled.
      BackwardData data(shape, cases::low_map(shape, dtype, "input"),
                        cases::mask_map(shape, dtype, "mask"),
                        cases::high_map(shape, dtype, "grad_output"));
      ASSERT_EQ(data.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
      expect_values(data.outputs()[1].values(), expected, "grad_mask");
    });
  }
}

/// An infinity in one group does not reach another.
TEST(CarafeSpecialValues, GroupsAreIndependent) {
  const reference::Shape shape{1, 1, 1, 6, 1, 2, 1};
  for_each_implementation(BackwardData::op, [&](Handle& handle, mluOpDataType_t dtype) {
    BackwardData data(
        shape, with_values(cases::low_map(shape, dtype, "input"), {1, inf, 1, 1, 2, 3}),
        with_values(cases::mask_map(shape, dtype, "mask"), {nan, 2}),
        with_values(cases::high_map(shape, dtype, "grad_output"), {1, 1, 1, 1, 1, 1}));
    ASSERT_EQ(data.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    expect_values(data.outputs()[0].values(), {nan, nan, nan, 2, 2, 2}, "grad_input");
    expect_values(data.outputs()[1].values(), {inf, 6}, "grad_mask");
  });
}

}  // namespace
}  // namespace mluop::carafe
