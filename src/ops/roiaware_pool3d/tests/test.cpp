// Every case of RoI-aware pooling, and that results depend on nothing but the arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/roiaware_pool3d/kit/cases.hpp"
#include "testing/compare/compare.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/suite/everywhere.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::roiaware_pool3d {
namespace {

using testing::Handle;
using testing::HostTensor;
using testing::sanitized;

class RoiAwareCase
    : public ::testing::TestWithParam<std::tuple<const char*, const cases::Definition*>> {
 protected:
  const testing::Suite& suite() const { return *testing::find_suite(std::get<0>(GetParam())); }
  const cases::Definition& definition() const { return *std::get<1>(GetParam()); }
  const testing::Case& test_case() const {
    return *std::ranges::find(suite().cases, definition().name, &testing::Case::name);
  }
};

TEST_P(RoiAwareCase, IsAccurateWithEqualBitsEverywhere) {
  for (mluOpDataType_t dtype : suite().dtypes_of(test_case())) {
    SCOPED_TRACE(name_of(dtype));
    testing::expect_everywhere(suite(), test_case(), dtype);
  }
}

/// All but the network's, which have a test of their own; a sanitizer learns nothing from more of the
/// same voxels.
std::vector<const cases::Definition*> affordable_definitions() {
  std::vector<const cases::Definition*> all;
  for (const cases::Definition& definition : cases::definitions()) {
    const Shape& shape = definition.shape;
    const std::int64_t elements = shape.voxels() * (shape.T + shape.C);
    if (elements < (sanitized ? 300'000 : 5'000'000)) all.push_back(&definition);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(, RoiAwareCase,
                         ::testing::Combine(::testing::Values("roiaware_pool3d_forward",
                                                              "roiaware_pool3d_backward"),
                                            ::testing::ValuesIn(affordable_definitions())),
                         [](const auto& test) {
                           const std::string op = std::get<0>(test.param);
                           return op.substr(op.rfind('_') + 1) + '_' +
                                  std::get<1>(test.param)->name;
                         });

const cases::Definition& definition_named(std::string_view name) {
  return *std::ranges::find(cases::definitions(), name, &cases::Definition::name);
}

bool equal_bits(const HostTensor& one, const HostTensor& other) {
  return std::ranges::equal(one.raw(), other.raw());
}

void expect_passes(const std::vector<double>& expected, const HostTensor& actual) {
  const auto criteria = testing::static_criteria(1e-5, 1e-3, actual.dtype());
  const testing::Verdict verdict =
      testing::evaluate(expected, actual.values(), actual.dtype(), criteria);
  EXPECT_TRUE(verdict.pass) << actual.name() << ": " << verdict.reason;
  EXPECT_TRUE(actual.intact());
}

/// Another instruction set with fused multiply-add than the best one, if there is one.
void use_another(Handle& handle, const char* op) {
  for (const std::string& level : handle.levels()) {
    if (level == "avx2") handle.implementation(op, "avx2");
  }
}

/// The shape of the network, where what the general test would keep does not fit.
class RoiAwareNetwork : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (sanitized) GTEST_SKIP() << "too large for a sanitizer";
  }
  const cases::Definition& definition() const { return definition_named(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(, RoiAwareNetwork,
                         ::testing::Values("parta2_sparse_max", "parta2_sparse_avg",
                                           "parta2_dense_max", "parta2_dense_avg"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(RoiAwareNetwork, ForwardMatchesTheReference) {
  ForwardCall one = cases::make_forward(definition(), MLUOP_DTYPE_FLOAT);
  const Indices expected = one.expected_indices();
  ASSERT_EQ(one.run(Handle().threads(1)), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_TRUE(std::ranges::equal(integers(one.outputs()[0]), expected.argmax));
  EXPECT_TRUE(std::ranges::equal(integers(one.outputs()[1]), expected.lists));
  expect_passes(one.expected_pooled(expected), one.outputs()[2]);
  ForwardCall many = cases::make_forward(definition(), MLUOP_DTYPE_FLOAT);
  Handle handle;
  handle.threads(3);
  use_another(handle, "roiaware_pool3d_forward");
  ASSERT_EQ(many.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(equal_bits(many.outputs()[i], one.outputs()[i])) << one.outputs()[i].name();
  }
}

TEST_P(RoiAwareNetwork, BackwardMatchesTheReference) {
  const Indices indices = cases::indices_of(definition(), MLUOP_DTYPE_FLOAT);
  BackwardCall one = cases::make_backward(definition(), MLUOP_DTYPE_FLOAT, indices);
  BackwardCall many = cases::make_backward(definition(), MLUOP_DTYPE_FLOAT, indices);
  ASSERT_EQ(one.run(Handle()), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  expect_passes(one.expected(indices), one.grad_in());
  Handle handle;
  handle.threads(7);
  use_another(handle, "roiaware_pool3d_backward");
  ASSERT_EQ(many.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_TRUE(equal_bits(many.grad_in(), one.grad_in()));
}

TEST(RoiAware, SparseSceneIsAsSparseAsItsNameSays) {
  const cases::Definition& definition = definition_named("parta2_sparse_avg");
  const Indices indices = cases::indices_of(definition, MLUOP_DTYPE_FLOAT);
  std::int64_t occupied = 0;
  for (std::int64_t voxel = 0; voxel < definition.shape.voxels(); ++voxel) {
    occupied += indices.lists[static_cast<std::size_t>(voxel * definition.shape.T)] > 0 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(occupied) / static_cast<double>(definition.shape.voxels()), 0.12,
              0.02);
}

TEST(RoiAware, FewChannelsOrManyPointsAreListed) {
  const std::pair<const char*, bool> rows[] = {{"border_of_direct_max", true},
                                               {"beyond_direct_max", false},
                                               {"more_points_than_voxels_max", true},
                                               {"more_points_than_voxels_avg", false}};
  for (const auto& [name, listed] : rows) {
    const cases::Definition& definition = definition_named(name);
    BackwardCall call = cases::make_backward(definition, MLUOP_DTYPE_FLOAT,
                                             cases::indices_of(definition, MLUOP_DTYPE_FLOAT));
    Handle handle;
    ASSERT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(handle.used().find("direct") != std::string::npos, listed) << name << handle.used();
  }
}

TEST(RoiAware, NamesOfCasesAreUnique) {
  std::vector<std::string> names;
  for (const cases::Definition& definition : cases::definitions()) names.push_back(definition.name);
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(RoiAware, OutputsOverwriteWhateverWasThere) {
  for (const char* name : {"odd_lists_max", "odd_lists_avg", "streamed_rows_max"}) {
    const cases::Definition& definition = definition_named(name);
    ForwardCall forward = cases::make_forward(definition, MLUOP_DTYPE_FLOAT);
    ForwardCall again = cases::make_forward(definition, MLUOP_DTYPE_FLOAT);
    for (HostTensor& output : again.outputs()) testing::fill(output, [] { return 3; });
    Handle handle;
    ASSERT_EQ(forward.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    ASSERT_EQ(again.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(equal_bits(again.outputs()[i], forward.outputs()[i])) << name;
    }
    const Indices indices = forward.expected_indices();
    BackwardCall backward = cases::make_backward(definition, MLUOP_DTYPE_FLOAT, indices);
    BackwardCall repeated = cases::make_backward(definition, MLUOP_DTYPE_FLOAT, indices);
    testing::fill(repeated.grad_in(), [] { return 3; });
    ASSERT_EQ(backward.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    ASSERT_EQ(repeated.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_TRUE(equal_bits(repeated.grad_in(), backward.grad_in())) << name;
  }
}

}  // namespace
}  // namespace mluop::roiaware_pool3d
