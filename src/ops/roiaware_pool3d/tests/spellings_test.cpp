// The former spellings do the same and say once that they are deprecated; scratch may fail to be had.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "mlu_op_cpu.h"
#include "ops/roiaware_pool3d/kit/cases.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/failing_calls.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/faults/scarce_memory.hpp"

namespace mluop::roiaware_pool3d {
namespace {

using testing::Handle;
using testing::HostTensor;

void collect_line(mluOpCpuLogLevel_t, const char* line, void* lines) {
  static_cast<std::vector<std::string>*>(lines)->emplace_back(line);
}

TEST(RoiAwareSpellings, FormerOnesWarnOnceAndDoTheSame) {
  const cases::Definition& definition =
      *std::ranges::find(cases::definitions(), "channels_9_max", &cases::Definition::name);
  const Shape& shape = definition.shape;
  ForwardCall current = cases::make_forward(definition, MLUOP_DTYPE_FLOAT);
  ForwardCall former = cases::make_forward(definition, MLUOP_DTYPE_FLOAT);
  Handle handle;
  ASSERT_EQ(current.run(handle), MLUOP_STATUS_SUCCESS);
  const Indices indices = current.expected_indices();
  BackwardCall current_gradient = cases::make_backward(definition, MLUOP_DTYPE_FLOAT, indices);
  BackwardCall former_gradient = cases::make_backward(definition, MLUOP_DTYPE_FLOAT, indices);
  ASSERT_EQ(current_gradient.run(handle), MLUOP_STATUS_SUCCESS);

  std::vector<std::string> lines;
  mluOpCpuSetLogCallback(collect_line, &lines);
  mluOpCpuSetLogLevel(MLUOP_CPU_LOG_WARNING);
  const auto n = [](std::int64_t size) { return static_cast<int>(size); };
  auto& [argmax, lists, pooled] = *reinterpret_cast<HostTensor(*)[3]>(former.outputs().data());
  BackwardCall& g = former_gradient;
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_EQ(mluOpRoiawarePool3dForward(
                  handle, 0, n(shape.B), n(shape.M), n(shape.C), former.rois().descriptor(),
                  former.rois().data(), former.pts().descriptor(), former.pts().data(),
                  former.features().descriptor(), former.features().data(), nullptr, 0, n(shape.T),
                  n(shape.X), n(shape.Y), n(shape.Z), argmax.descriptor(), argmax.data(),
                  lists.descriptor(), lists.data(), pooled.descriptor(), pooled.data()),
              MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(mluOpRoiawarePool3dBackward(
                  handle, 0, n(shape.B), n(shape.X), n(shape.Y), n(shape.Z), n(shape.C), n(shape.T),
                  g.lists().descriptor(), g.lists().data(), g.argmax().descriptor(),
                  g.argmax().data(), g.grad_out().descriptor(), g.grad_out().data(),
                  g.grad_in().descriptor(), g.grad_in().data()),
              MLUOP_STATUS_SUCCESS);
  }
  mluOpCpuSetLogLevel(MLUOP_CPU_LOG_OFF);
  mluOpCpuSetLogCallback(nullptr, nullptr);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(std::ranges::equal(former.outputs()[i].raw(), current.outputs()[i].raw()));
  }
  EXPECT_TRUE(std::ranges::equal(g.grad_in().raw(), current_gradient.grad_in().raw()));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find("mluOpRoiawarePool3dForward: deprecated, please call "
                          "mluOpRoiAwarePool3dForward"),
            std::string::npos);
  EXPECT_NE(lines[1].find("mluOpRoiAwarePool3dBackward"), std::string::npos);
}

TEST(RoiAwareOutOfMemory, IsReportedAndLeavesTheHandleUsable) {
  if (testing::sanitized) GTEST_SKIP() << "a sanitizer needs its address space";
  if (testing::virtual_bytes() == 0) GTEST_SKIP() << "needs /proc/self/statm";
  // Coordinates and lists of 3 million points take some 75 MB.
  const Shape shape{.B = 1, .X = 1, .Y = 1, .Z = 1, .T = 2, .C = 1, .M = 3 << 20};
  const auto points = static_cast<std::size_t>(shape.M);
  ForwardCall call(shape, MLUOP_DTYPE_FLOAT,
                   {{0, 0, -1, 2, 2, 2, 0}, std::vector<double>(3 * points, 0.5)},
                   std::vector<double>(points, 1.0));
  Handle handle;
  handle.threads(1);
  testing::expect_failures({{"mluOpRoiAwarePool3dForward: out of memory",
                             [&] {
                               const testing::ScarceMemory scarce{std::size_t{32} << 20};
                               return call.run(handle);
                             },
                             MLUOP_STATUS_ALLOC_FAILED}});
  for (const HostTensor& output : call.outputs()) EXPECT_TRUE(output.poisoned());
  ASSERT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(integers(call.outputs()[1])[0], 1);
}

}  // namespace
}  // namespace mluop::roiaware_pool3d
