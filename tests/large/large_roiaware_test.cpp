// RoI-aware pooling with an index tensor of more than 2^31 entries: no index may wrap. Needs 10 GiB of memory.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "pages.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/tensor_argument.hpp"

namespace {

using mluop::testing::Pages;
using mluop::testing::TensorArgument;

constexpr int boxes = 9720, side = 12, T = 128;
constexpr std::size_t voxels = std::size_t{boxes} * side * side * side;
static_assert(voxels * T > std::size_t{1} << 31);

/// One point, in the first and in the last of many boxes and nowhere else.
TEST(LargeRoiAware, BothDirectionsReachTheLastBox) {
  if (mluop::testing::free_gibibytes() < 11) GTEST_SKIP() << "needs 11 GiB of free memory";
  mluop::testing::Handle handle;
  handle.limits(MLUOP_CPU_LIMITS_NONE);
  const auto rois_desc = TensorArgument{{boxes, 7}}.make_descriptor();
  const auto pts_desc = TensorArgument{{1, 3}}.make_descriptor();
  const auto features_desc = TensorArgument{{1, 1}}.make_descriptor();
  const std::vector<std::int64_t> space{boxes, side, side, side};
  const auto with = [&](std::int64_t last, mluOpDataType_t dtype) {
    std::vector<std::int64_t> dims = space;
    dims.push_back(last);
    return TensorArgument{dims, MLUOP_LAYOUT_ARRAY, dtype}.make_descriptor();
  };
  const auto argmax_desc = with(1, MLUOP_DTYPE_INT32), lists_desc = with(T, MLUOP_DTYPE_INT32),
             pooled_desc = with(1, MLUOP_DTYPE_FLOAT);

  std::vector<float> rois(std::size_t{boxes} * 7, 0.0f);
  for (std::size_t box = 0; box < boxes; ++box) {
    const bool near = box == 0 || box == boxes - 1;
    const float values[] = {near ? 0.0f : 1000.0f, 0, -6, 12, 12, 12, 0};
    std::copy_n(values, 7, rois.begin() + static_cast<std::ptrdiff_t>(box * 7));
  }
  const float point[] = {0.5f, 0.5f, 0.5f}, feature = 3.0f;
  std::vector<std::int32_t> argmax(voxels, 7);
  std::vector<float> pooled(voxels, 7.0f);
  Pages pages{voxels * T * sizeof(std::int32_t)};
  ASSERT_TRUE(pages.mapped());
  pages.poison();
  auto* const lists = pages.as<std::int32_t>();
  ASSERT_EQ(mluOpRoiAwarePool3dForward(
                handle, 1, boxes, 1, 1, rois_desc.get(), rois.data(), pts_desc.get(), point,
                features_desc.get(), &feature, nullptr, 0, T, side, side, side, argmax_desc.get(),
                argmax.data(), lists_desc.get(), lists, pooled_desc.get(), pooled.data()),
            MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  std::vector<std::size_t> counted;
  std::size_t others = 0;
  for (std::size_t voxel = 0; voxel < voxels; ++voxel) {
    if (lists[voxel * T] == 1 && pooled[voxel] == 3.0f) counted.push_back(voxel);
    for (std::size_t i = 1; i < T; ++i) others += lists[voxel * T + i] != 0;
  }
  EXPECT_EQ(others, 0u) << "entries that should be zero are not";
  ASSERT_EQ(counted.size(), 2u);
  EXPECT_LT(counted[0], voxels / boxes);
  EXPECT_GE(counted[1], voxels - voxels / boxes);

  const std::vector<float> gradient(voxels, 2.0f);
  float result = -1.0f;
  ASSERT_EQ(mluOpRoiAwarePool3dBackward(handle, 1, boxes, side, side, side, 1, T, lists_desc.get(),
                                        lists, argmax_desc.get(), argmax.data(), pooled_desc.get(),
                                        gradient.data(), features_desc.get(), &result),
            MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  EXPECT_EQ(result, 4.0f);
}

}  // namespace
