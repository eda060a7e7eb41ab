// Every case of voxelization, and that results depend on nothing but the arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/handle/handle.hpp"
#include "core/numbers/dtype.hpp"
#include "ops/voxelization/kit/cases.hpp"
#include "ops/voxelization/kit/peer.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/suite/everywhere.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::voxelization {
namespace {

using cases::Definition;
using cases::Inputs;
using testing::Handle;
using testing::HostTensor;
using testing::sanitized;
using Outputs = std::vector<HostTensor>;

struct OneCase {
  std::string op, name;
};

bool affordable(const Definition& definition) {
  const reference::Setting& setting = definition.setting;
  return setting.N * setting.F + setting.voxel_elements() <= (sanitized ? 40'000 : 200'000);
}

/// All but the largest, which have a test of their own; a sanitizer learns nothing from more of the same.
std::vector<OneCase> affordable_cases() {
  std::vector<OneCase> all;
  for (const Definition& definition : cases::definitions()) {
    if (!affordable(definition)) continue;
    for (const char* op : {"voxelization", "dynamic_voxelize"}) {
      all.push_back({op, definition.name});
    }
  }
  return all;
}

class VoxelizationCase : public ::testing::TestWithParam<OneCase> {};

INSTANTIATE_TEST_SUITE_P(, VoxelizationCase, ::testing::ValuesIn(affordable_cases()),
                         [](const auto& test) { return test.param.op + "__" + test.param.name; });

TEST_P(VoxelizationCase, IsExactWithEqualBitsEverywhere) {
  const testing::Suite& suite = *testing::find_suite(GetParam().op);
  const testing::Case& test_case =
      *std::ranges::find(suite.cases, GetParam().name, &testing::Case::name);
  for (const mluOpDataType_t dtype : suite.dtypes) {
    SCOPED_TRACE(name_of(dtype));
    testing::expect_everywhere(suite, test_case, dtype);
  }
}

void expect_equal(const Outputs& outputs, const std::vector<std::vector<double>>& expected,
                  const std::string& what) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_EQ(outputs[i].values(), expected[i]) << what << ": " << outputs[i].name();
    EXPECT_TRUE(outputs[i].intact()) << what << ": " << outputs[i].name();
  }
}

class VoxelizationLarge : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(, VoxelizationLarge,
                         ::testing::Values("centerpoint_075", "centerpoint_01", "pillar",
                                           "kitti_second", "pointpillars", "shuffled",
                                           "minute_cells_of_street"),
                         [](const auto& test) { return std::string(test.param); });

/// Every level, each with another number of threads.
TEST_P(VoxelizationLarge, AgreesWithTheReferenceAtEveryLevel) {
  if (sanitized) GTEST_SKIP() << "too large for a sanitizer";
  const Definition& definition = cases::definition_named(GetParam());
  const Inputs inputs = cases::make_inputs(definition, MLUOP_DTYPE_FLOAT);
  const auto expected = cases::expected(definition.setting, inputs.points);
  const auto expected_cells = cases::expected_dynamic(definition.setting, inputs.points);
  EXPECT_GT(expected[3].front(), 5000);
  int threads = 1;
  for (const std::string& level : Handle().levels()) {
    SCOPED_TRACE(level);
    Handle handle;
    handle.threads(threads++).isa(level);
    Outputs outputs = cases::make_outputs(definition.setting, MLUOP_DTYPE_FLOAT);
    ASSERT_EQ(cases::run_hard(handle, definition.setting, inputs, outputs), MLUOP_STATUS_SUCCESS)
        << mluOpCpuGetLastError();
    expect_equal(outputs, expected, level);
    HostTensor coors = cases::make_coors(definition.setting);
    ASSERT_EQ(cases::run_dynamic(handle, inputs, coors), MLUOP_STATUS_SUCCESS)
        << mluOpCpuGetLastError();
    EXPECT_EQ(coors.values(), expected_cells.front());
  }
}

TEST(Voxelization, LeavesItsInputsAlone) {
  const Definition& definition = cases::definition_named("points_4097");
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    const Inputs inputs = cases::make_inputs(definition, dtype);
    const Inputs before = cases::make_inputs(definition, dtype);
    Outputs outputs = cases::make_outputs(definition.setting, dtype);
    ASSERT_EQ(cases::run_hard(Handle(), definition.setting, inputs, outputs), MLUOP_STATUS_SUCCESS);
    EXPECT_TRUE(std::ranges::equal(inputs.points.raw(), before.points.raw()));
    EXPECT_TRUE(std::ranges::equal(inputs.voxel_size.raw(), before.voxel_size.raw()));
    EXPECT_TRUE(std::ranges::equal(inputs.coors_range.raw(), before.coors_range.raw()));
  }
}

TEST(Voxelization, OverwritesWhateverTheOutputsHeld) {
  for (const char* name : {"more_cells_than_voxels", "outside", "room_for_all"}) {
    const Definition& definition = cases::definition_named(name);
    const Inputs inputs = cases::make_inputs(definition, MLUOP_DTYPE_FLOAT);
    const auto expected = cases::expected(definition.setting, inputs.points);
    for (const double garbage : {-1.0, 0.0, 3.0}) {
      Outputs outputs = cases::make_outputs(definition.setting, MLUOP_DTYPE_FLOAT);
      for (HostTensor& output : outputs) testing::fill(output, [garbage] { return garbage; });
      ASSERT_EQ(cases::run_hard(Handle(), definition.setting, inputs, outputs),
                MLUOP_STATUS_SUCCESS);
      expect_equal(outputs, expected, name);
    }
  }
}

TEST(Voxelization, HandleRemembersNothingOfEarlierProblems) {
  Handle reused;
  for (int round = 0; round < 2; ++round) {
    for (const char* name : {"points_9000", "one_cell", "minute_cells", "points_1", "outside"}) {
      for (const mluOpDataType_t dtype : {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_HALF}) {
        const Definition& definition = cases::definition_named(name);
        const Inputs inputs = cases::make_inputs(definition, dtype);
        Outputs outputs = cases::make_outputs(definition.setting, dtype);
        ASSERT_EQ(cases::run_hard(reused, definition.setting, inputs, outputs),
                  MLUOP_STATUS_SUCCESS);
        expect_equal(outputs, cases::expected(definition.setting, inputs.points), name);
      }
    }
  }
}

/// The elements of a tensor at an offset behind the start of a block.
template <class Element>
struct Shifted {
  Shifted(std::int64_t count, std::size_t offset)
      : begin(offset), block(offset + static_cast<std::size_t>(count) + 1, Element{77}) {}
  Element* data() { return block.data() + begin; }
  bool intact() const {
    return std::all_of(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(begin),
                       [](Element one) { return one == Element{77}; }) &&
           block.back() == Element{77};
  }
  std::vector<double> values() const {
    return {block.begin() + static_cast<std::ptrdiff_t>(begin), block.end() - 1};
  }

  std::size_t begin;
  std::vector<Element> block;
};

/// Tensors may begin at any element; vectors and cache lines must not rely on more.
TEST(Voxelization, UnalignedTensorsGiveTheSame) {
  for (const char* name : {"points_257", "features_17", "one_cell"}) {
    const Definition& definition = cases::definition_named(name);
    const reference::Setting& setting = definition.setting;
    const Inputs inputs = cases::make_inputs(definition, MLUOP_DTYPE_FLOAT);
    const Outputs shapes = cases::make_outputs(setting, MLUOP_DTYPE_FLOAT);
    const auto expected = cases::expected(setting, inputs.points);
    for (const std::string& level : Handle().levels()) {
      for (const std::size_t offset : {1, 3, 8, 15}) {
        Handle handle;
        handle.isa(level);
        Shifted<float> points(inputs.points.count(), offset);
        std::memcpy(points.data(), inputs.points.data(), inputs.points.bytes());
        Shifted<float> voxels(shapes[0].count(), offset);
        Shifted<std::int32_t> coors(shapes[1].count(), offset), counts(shapes[2].count(), offset);
        Shifted<std::int32_t> num(1, offset);
        ASSERT_EQ(
            mluOpVoxelization(handle, inputs.points.descriptor(), points.data(),
                              inputs.voxel_size.descriptor(), inputs.voxel_size.data(),
                              inputs.coors_range.descriptor(), inputs.coors_range.data(),
                              static_cast<std::int32_t>(setting.max_points),
                              static_cast<std::int32_t>(setting.max_voxels), 3, true, nullptr, 0,
                              shapes[0].descriptor(), voxels.data(), shapes[1].descriptor(),
                              coors.data(), shapes[2].descriptor(), counts.data(),
                              shapes[3].descriptor(), num.data()),
            MLUOP_STATUS_SUCCESS)
            << mluOpCpuGetLastError();
        EXPECT_EQ(voxels.values(), expected[0]) << name << ' ' << level << ' ' << offset;
        EXPECT_EQ(coors.values(), expected[1]);
        EXPECT_EQ(counts.values(), expected[2]);
        EXPECT_EQ(num.values(), expected[3]);
        EXPECT_TRUE(voxels.intact() && coors.intact() && counts.intact() && num.intact());
      }
    }
  }
}

/// mluOpVoxelization puts into voxels what dynamic voxelization says about their points.
TEST(Voxelization, AgreesWithDynamicVoxelization) {
  const Definition& definition = cases::definition_named("room_for_all");
  const Inputs inputs = cases::make_inputs(definition, MLUOP_DTYPE_FLOAT);
  HostTensor cells = cases::make_coors(definition.setting);
  ASSERT_EQ(cases::run_dynamic(Handle(), inputs, cells), MLUOP_STATUS_SUCCESS);
  Outputs outputs = cases::make_outputs(definition.setting, MLUOP_DTYPE_FLOAT);
  ASSERT_EQ(cases::run_hard(Handle(), definition.setting, inputs, outputs), MLUOP_STATUS_SUCCESS);
  std::int64_t inside = 0;
  for (std::int64_t i = 0; i < definition.setting.N; ++i) inside += cells.get(3 * i) >= 0 ? 1 : 0;
  double kept = 0;
  for (const double count : outputs[2].values()) kept += count;
  EXPECT_EQ(static_cast<double>(inside), kept);
  EXPECT_LT(inside, definition.setting.N);
}

/// Without `deterministic` the result is the same.
TEST(Voxelization, IsDeterministicAnyway) {
  const Definition& definition = cases::definition_named("more_cells_than_voxels");
  const Inputs inputs = cases::make_inputs(definition, MLUOP_DTYPE_FLOAT);
  Outputs outputs = cases::make_outputs(definition.setting, MLUOP_DTYPE_FLOAT);
  const Handle handle;
  ASSERT_EQ(mluOpVoxelization(handle, inputs.points.descriptor(), inputs.points.data(),
                              inputs.voxel_size.descriptor(), inputs.voxel_size.data(),
                              inputs.coors_range.descriptor(), inputs.coors_range.data(),
                              static_cast<std::int32_t>(definition.setting.max_points),
                              static_cast<std::int32_t>(definition.setting.max_voxels), 3, false,
                              nullptr, 0, outputs[0].descriptor(), outputs[0].data(),
                              outputs[1].descriptor(), outputs[1].data(), outputs[2].descriptor(),
                              outputs[2].data(), outputs[3].descriptor(), outputs[3].data()),
            MLUOP_STATUS_SUCCESS);
  expect_equal(outputs, cases::expected(definition.setting, inputs.points), "not deterministic");
}

/// Memory follows the points, not the cells: 83 million cells would take 332 MB.
TEST(Voxelization, ScratchFollowsThePoints) {
  const Definition& definition = cases::definition_named("points_9000");
  Definition immense = definition;
  immense.setting.voxel_size = {0.01f, 0.01f, 0.01f};
  immense.setting.range = {-54, -54, -5, 54, 54, 3};
  const Inputs inputs = cases::make_inputs(immense, MLUOP_DTYPE_FLOAT);
  Outputs outputs = cases::make_outputs(immense.setting, MLUOP_DTYPE_FLOAT);
  const Handle handle;
  ASSERT_EQ(cases::run_hard(handle, immense.setting, inputs, outputs), MLUOP_STATUS_SUCCESS);
  EXPECT_LT(handle.get()->scratch.capacity(), 9000u * 120);
}

TEST(VoxelizationSuites, NamesOfOperators) {
  const testing::Suite* const hard = testing::find_suite("voxelization");
  const testing::Suite* const dynamic = testing::find_suite("dynamic_voxelize");
  ASSERT_TRUE(hard != nullptr && dynamic != nullptr);
  EXPECT_TRUE(hard->has_case_files());
  EXPECT_FALSE(dynamic->has_case_files());
}

/// mmcv's loops, which bench times beside ours, give what ours give.
TEST(VoxelizationPeer, IsTheSameOperator) {
  for (const char* name : {"points_4097", "more_cells_than_voxels", "one_cell", "outside",
                           "faces_075"}) {
    const Definition& definition = cases::definition_named(name);
    const reference::Setting& setting = definition.setting;
    const Inputs inputs = cases::make_inputs(definition, MLUOP_DTYPE_FLOAT);
    const auto expected = cases::expected(setting, inputs.points);
    std::vector<float> voxels(expected[0].size());
    std::vector<std::int32_t> coors(expected[1].size()), counts(expected[2].size());
    const auto* const points = static_cast<const float*>(inputs.points.data());
    EXPECT_EQ(reference::mmcv_voxelize(setting, points, voxels.data(), coors.data(), counts.data()),
              expected[3].front())
        << name;
    EXPECT_TRUE(std::ranges::equal(voxels, expected[0])) << name;
    EXPECT_TRUE(std::ranges::equal(coors, expected[1])) << name;
    EXPECT_TRUE(std::ranges::equal(counts, expected[2])) << name;
    std::vector<std::int32_t> cells(static_cast<std::size_t>(3 * setting.N));
    reference::mmcv_dynamic(setting, points, cells.data());
    EXPECT_TRUE(std::ranges::equal(
        cells, cases::expected_dynamic(setting, inputs.points).front()))
        << name;
  }
}

}  // namespace
}  // namespace mluop::voxelization
