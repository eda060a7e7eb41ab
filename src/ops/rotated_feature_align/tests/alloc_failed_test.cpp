// Out of memory: status, message, nothing written, and the handle still works.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "ops/rotated_feature_align/kit/direction.hpp"
#include "testing/faults/failing_calls.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/faults/scarce_memory.hpp"

namespace mluop::rotated_feature_align {
namespace {

TEST(RotatedFeatureAlignOutOfMemory, IsReportedAndLeavesTheHandleUsable) {
  if (testing::sanitized) GTEST_SKIP() << "a sanitizer needs its address space";
  if (testing::virtual_bytes() == 0) GTEST_SKIP() << "needs /proc/self/statm";

  // The lists of 20 taps for each of 490,000 pixels take some 230 MB.
  const reference::Shape shape{.N = 1, .H = 700, .W = 700, .C = 1, .spatial_scale = 1, .points = 5};
  const auto pixels = static_cast<std::size_t>(shape.H * shape.W);
  testing::HostTensor gradient("top_output", MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_NHWC,
                               {1, shape.H, shape.W, 1});
  testing::HostTensor boxes("bboxes", MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_ARRAY,
                            {1, shape.H, shape.W, 5});
  testing::HostTensor result("bottom_input", MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_NHWC,
                             {1, shape.H, shape.W, 1});
  gradient.assign(std::vector<double>(pixels, 1.0));
  boxes.assign(std::vector<double>(5 * pixels, 0.0));
  testing::Handle handle;
  handle.threads(1);
  const auto call = [&] { return backward_direction.run(handle, shape, gradient, boxes, result); };

  testing::expect_failures({{"mluOpRotatedFeatureAlignBackward: out of memory",
                             [&] {
                               const testing::ScarceMemory scarce{std::size_t{64} << 20};
                               return call();
                             },
                             MLUOP_STATUS_ALLOC_FAILED}});
  EXPECT_TRUE(result.poisoned()) << "a call that failed wrote its output";
  EXPECT_TRUE(result.intact());

  ASSERT_EQ(call(), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  // Every box is a point in cell 0: each pixel adds itself in place and five times there.
  std::vector<double> expected(pixels, 1.0);
  expected[0] += 5.0 * static_cast<double>(pixels);
  EXPECT_TRUE(result.values() == expected);
}

}  // namespace
}  // namespace mluop::rotated_feature_align
