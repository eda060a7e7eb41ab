// NaN, infinities, subnormals and rounding modes: what the formula gives, and copies of every bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/voxelization/kit/cases.hpp"
#include "testing/data/handle.hpp"

namespace mluop::voxelization {
namespace {

using testing::Handle;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Both operators equal the reference, which is computed in the mode of the caller, at every level.
void expect_reference(const reference::Setting& setting, const cases::Inputs& inputs,
                      const std::string& what) {
  const auto expected = cases::expected(setting, inputs.points);
  const auto expected_cells = cases::expected_dynamic(setting, inputs.points);
  for (const std::string& level : Handle().levels()) {
    Handle handle;
    handle.threads(3).isa(level);
    auto outputs = cases::make_outputs(setting, inputs.points.dtype());
    ASSERT_EQ(cases::run_hard(handle, setting, inputs, outputs), MLUOP_STATUS_SUCCESS)
        << mluOpCpuGetLastError();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_EQ(outputs[i].values(), expected[i]) << what << ' ' << level << ", output " << i;
    }
    testing::HostTensor coors = cases::make_coors(setting);
    ASSERT_EQ(cases::run_dynamic(handle, inputs, coors), MLUOP_STATUS_SUCCESS)
        << mluOpCpuGetLastError();
    EXPECT_EQ(coors.values(), expected_cells.front()) << what << ' ' << level;
  }
}

TEST(VoxelizationSpecial, EachCoordinateInTurn) {
  const cases::Definition& definition = cases::definition_named("points_33");
  for (const double value : {nan, infinity, -infinity, 1e300, -1e300, 3e38, 1e-45, 0.0, -0.0}) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      testing::Generator random("voxelization/special");
      clouds::Cloud cloud = clouds::clustered(random, definition.setting);
      cloud[4 * 5 + axis] = value;
      for (const mluOpDataType_t dtype : testing::floating_dtypes) {
        expect_reference(definition.setting,
                         cases::make_inputs(definition.setting, cloud, dtype),
                         std::to_string(value) + " at " + std::to_string(axis));
      }
    }
  }
}

TEST(VoxelizationSpecial, EachNumberOfTheGridInTurn) {
  const cases::Definition& definition = cases::definition_named("points_33");
  testing::Generator random("voxelization/special");
  const clouds::Cloud cloud = clouds::anywhere(random, definition.setting);
  for (const double value : {nan, infinity, -infinity, 3e38, -3e38, 1e-45, 0.0, -1.0}) {
    for (std::size_t i = 0; i < 9; ++i) {
      reference::Setting setting = definition.setting;
      (i < 3 ? setting.voxel_size[i] : setting.range[i - 3]) = static_cast<float>(value);
      for (const mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE}) {
        expect_reference(setting, cases::make_inputs(setting, cloud, dtype),
                         std::to_string(value) + " as " + std::to_string(i));
      }
    }
  }
}

TEST(VoxelizationSpecial, EveryRoundingMode) {
  const cases::Definition& definition = cases::definition_named("faces_075");
  const cases::Inputs inputs = cases::make_inputs(definition, MLUOP_DTYPE_FLOAT);
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    std::fesetround(mode);
    expect_reference(definition.setting, inputs, "mode " + std::to_string(mode));
    std::fesetround(FE_TONEAREST);
  }
}

/// Other columns are copied as they are: signalling NaN, negative zero, subnormals.
TEST(VoxelizationSpecial, CopiesEveryBit) {
  const std::vector<std::uint32_t> patterns{0x7F800001u, 0xFFC12345u, 0x80000000u, 1u, 0xFF800000u};
  const auto F = static_cast<std::int64_t>(3 + patterns.size());
  const reference::Setting setting{40, F, {1, 1, 1}, {0, 0, 0, 40, 1, 1}, 2, 40};
  cases::Inputs inputs = cases::make_inputs(
      setting, clouds::Cloud(static_cast<std::size_t>(40 * F)), MLUOP_DTYPE_FLOAT);
  auto* const points = static_cast<float*>(inputs.points.data());
  for (std::int64_t i = 0; i < 40; ++i) {
    points[i * F] = static_cast<float>(i) + 0.5f;
    std::memcpy(points + i * F + 3, patterns.data(), 4 * patterns.size());
  }
  for (const std::string& level : Handle().levels()) {
    Handle handle;
    handle.isa(level);
    auto outputs = cases::make_outputs(setting, MLUOP_DTYPE_FLOAT);
    ASSERT_EQ(cases::run_hard(handle, setting, inputs, outputs), MLUOP_STATUS_SUCCESS);
    const auto* const voxels = static_cast<const float*>(outputs[0].data());
    for (std::int64_t v = 0; v < 40; ++v) {
      EXPECT_EQ(std::memcmp(voxels + 2 * v * F, points + v * F, static_cast<std::size_t>(4 * F)), 0)
          << level << ' ' << v;
    }
  }
}

}  // namespace
}  // namespace mluop::voxelization
