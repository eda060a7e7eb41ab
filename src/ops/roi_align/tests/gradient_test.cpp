// The gradient of RoI align by finite differences and as an adjoint; against the reference it is held by every case.
#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/roi_align/kit/cases.hpp"
#include "testing/compare/gradient_check.hpp"
#include "testing/data/handle.hpp"

namespace mluop::roi_align {
namespace {

using reference::Shape;
using testing::Handle;

std::vector<double> numbers(testing::Generator& random, std::int64_t count) {
  std::vector<double> all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back(random.uniform(-1, 1));
  return all;
}

struct Problem {
  Shape shape;
  double largest;  // side of a box, in cells
};

const Problem problems[] = {{{2, 6, 7, 3, 5, 2, 3, 0.5f, 0, true}, 5},
                            {{1, 9, 8, 2, 4, 3, 2, 1, 2, true}, 9},
                            {{1, 5, 6, 4, 3, 1, 1, 0.25f, 3, false}, 4},
                            {{2, 12, 11, 1, 6, 4, 4, 1, 0, false}, 14},
                            {{1, 7, 7, 9, 3, 9, 9, 1, 1, true}, 3}};

class RoiAlignGradient : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(, RoiAlignGradient, ::testing::Values(false, true),
                         [](const auto& test) { return test.param ? "maximum" : "average"; });

/// Both modes are linear in the images where the place of no maximum changes.
TEST_P(RoiAlignGradient, FitsFiniteDifferences) {
  testing::Generator random("roi_align/finite_differences");
  SCOPED_TRACE(random.describe());
  Handle handle;
  for (const auto& [given, largest] : problems) {
    Shape shape = given;
    shape.maximum = GetParam();
    SCOPED_TRACE(cases::text_of(shape));
    const std::vector<double> boxes = cases::anywhere(largest)(random, shape);
    const std::vector<double> images = numbers(random, shape.image_elements());
    const std::vector<double> grads = numbers(random, shape.bin_elements());
    const auto forward = [&](std::span<const double> x) {
      return compute_forward(handle, shape, MLUOP_DTYPE_DOUBLE, x, boxes);
    };
    const reference::Pooled pooled = forward(images);
    const std::vector<double> gradient = compute_backward(handle, shape, MLUOP_DTYPE_DOUBLE, grads,
                                                          boxes, pooled.argmax_x, pooled.argmax_y);
    const testing::GradientError error = testing::finite_difference_error(
        [&](std::span<const double> x) { return forward(x).output; }, images, grads, gradient);
    EXPECT_LE(error.relative, 1e-6) << error.describe();
  }
}

TEST(RoiAlignAverage, GradientIsTheAdjoint) {
  testing::Generator random("roi_align/adjoint");
  SCOPED_TRACE(random.describe());
  Handle handle;
  for (const mluOpDataType_t dtype : {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_FLOAT}) {
    for (const auto& [shape, largest] : problems) {
      SCOPED_TRACE(cases::text_of(shape) + ' ' + name_of(dtype));
      const std::vector<double> boxes = cases::anywhere(largest)(random, shape);
      const auto x = testing::rounded_to(dtype, numbers(random, shape.image_elements()));
      const auto g = testing::rounded_to(dtype, numbers(random, shape.bin_elements()));
      const auto Fx = compute_forward(handle, shape, dtype, x, boxes).output;
      const auto Ftg = compute_backward(handle, shape, dtype, g, boxes);
      // Every bin of 14 x 14 cells at most: 4 terms for each of 196 samples, and as many bins for a cell.
      constexpr double terms = 2000;
      const testing::AdjointError error =
          testing::adjoint_error({x, Fx, g, Ftg, dtype, terms, std::nullopt});
      EXPECT_TRUE(error.pass()) << error.describe();
    }
  }
}

}  // namespace
}  // namespace mluop::roi_align
