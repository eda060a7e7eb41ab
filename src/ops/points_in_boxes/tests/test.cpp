// Every case of points in boxes, and that results depend on nothing but the arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/points_in_boxes/kit/cases.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/suite/everywhere.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::points_in_boxes {
namespace {

using cases::Tensors;
using testing::Handle;
using testing::HostTensor;
using testing::sanitized;

constexpr const char* ops[] = {"points_in_boxes", "points_in_boxes_part", "points_in_boxes_all"};

struct OneCase {
  std::string op, name;
};

/// All but the largest, which have a test of their own; a sanitizer learns nothing from more of the same
/// pairs.
std::vector<OneCase> affordable_cases() {
  std::vector<OneCase> all;
  for (const cases::Definition& definition : cases::definitions()) {
    if (definition.shape.pairs() > (sanitized ? 100'000 : 2'000'000)) continue;
    for (const Variant* variant : variants) {
      all.push_back({variant->op, definition.name + variant->suffix});
    }
  }
  return all;
}

class PointsInBoxesCase : public ::testing::TestWithParam<OneCase> {};

INSTANTIATE_TEST_SUITE_P(, PointsInBoxesCase, ::testing::ValuesIn(affordable_cases()),
                         [](const auto& test) { return test.param.op + "__" + test.param.name; });

TEST_P(PointsInBoxesCase, IsExactWithEqualBitsEverywhere) {
  const testing::Suite& suite = *testing::find_suite(GetParam().op);
  const testing::Case& test_case =
      *std::ranges::find(suite.cases, GetParam().name, &testing::Case::name);
  for (const mluOpDataType_t dtype : suite.dtypes) {
    SCOPED_TRACE(name_of(dtype));
    testing::expect_everywhere(suite, test_case, dtype);
  }
}

class PointsInBoxes : public ::testing::TestWithParam<const Variant*> {
 protected:
  const Variant& variant() const { return *GetParam(); }

  mluOpStatus_t run(mluOpHandle_t handle, Tensors& tensors) const {
    return variant().run(handle, tensors.points, tensors.boxes, tensors.result);
  }
  std::vector<std::int32_t> result_of(const Tensors& tensors) const {
    const auto values = integers(tensors.result);
    return {values.begin(), values.end()};
  }
};

INSTANTIATE_TEST_SUITE_P(, PointsInBoxes, ::testing::ValuesIn(variants),
                         [](const auto& test) { return test.param->name(); });

/// Levels without fused multiply-add round as those with it: there is none in the formula.
TEST_P(PointsInBoxes, EveryLevelAgreesWithTheReferenceOnLargeCases) {
  if (sanitized) GTEST_SKIP() << "too large for a sanitizer";
  for (const char* name : {"pillar", "parta2", "shuffled"}) {
    const cases::Definition& definition = cases::definition_named(name);
    Tensors tensors = cases::make_tensors(variant(), definition, MLUOP_DTYPE_FLOAT);
    const auto expected = variant().expected(definition.shape, tensors.points, tensors.boxes);
    EXPECT_GT(std::ranges::count_if(expected, [](std::int32_t one) { return one > 0; }), 100);
    int threads = 1;
    for (const std::string& level : Handle().levels()) {
      SCOPED_TRACE(std::string(name) + ' ' + level);
      Handle handle;
      handle.threads(threads++).isa(level);
      tensors.result.poison();
      ASSERT_EQ(run(handle, tensors), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
      EXPECT_TRUE(std::ranges::equal(integers(tensors.result), expected));
      EXPECT_TRUE(tensors.result.intact());
    }
  }
}

TEST_P(PointsInBoxes, LeavesItsInputsAlone) {
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    Tensors tensors = cases::make_tensors(variant(), cases::definition_named("batches_3"), dtype);
    const std::vector<std::byte> points(tensors.points.raw().begin(), tensors.points.raw().end());
    const std::vector<std::byte> boxes(tensors.boxes.raw().begin(), tensors.boxes.raw().end());
    ASSERT_EQ(run(Handle(), tensors), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_TRUE(std::ranges::equal(tensors.points.raw(), points));
    EXPECT_TRUE(std::ranges::equal(tensors.boxes.raw(), boxes));
  }
}

TEST_P(PointsInBoxes, OverwritesWhateverTheResultHeld) {
  for (const char* name : {"three_slabs", "batches_3"}) {
    const cases::Definition& definition = cases::definition_named(name);
    Tensors tensors = cases::make_tensors(variant(), definition, MLUOP_DTYPE_FLOAT);
    const auto expected = variant().expected(definition.shape, tensors.points, tensors.boxes);
    for (const double garbage : {-2.0, -1.0, 0.0, 3.0}) {
      testing::fill(tensors.result, [garbage] { return garbage; });
      ASSERT_EQ(run(Handle(), tensors), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
      EXPECT_EQ(result_of(tensors), expected) << name << " over " << garbage;
    }
  }
}

TEST_P(PointsInBoxes, HandleRemembersNothingOfEarlierProblems) {
  Handle reused;
  for (int round = 0; round < 2; ++round) {
    for (const char* name : {"full", "three_slabs", "apart", "points_1", "many_batches", "far"}) {
      for (const mluOpDataType_t dtype : {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_HALF}) {
        const cases::Definition& definition = cases::definition_named(name);
        Tensors tensors = cases::make_tensors(variant(), definition, dtype);
        ASSERT_EQ(run(reused, tensors), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
        EXPECT_EQ(result_of(tensors),
                  variant().expected(definition.shape, tensors.points, tensors.boxes))
            << name << ' ' << name_of(dtype);
      }
    }
  }
}

/// The elements of a tensor at an offset behind the start of a block.
template <class Element>
struct Shifted {
  Shifted(std::size_t count, std::size_t offset) : begin(offset), block(offset + count) {}
  Shifted(const HostTensor& tensor, std::size_t offset)
      : Shifted(static_cast<std::size_t>(tensor.count()), offset) {
    std::copy_n(static_cast<const Element*>(tensor.data()), tensor.count(), data());
  }
  Element* data() { return block.data() + begin; }

  std::size_t begin;
  std::vector<Element> block;
};

/// Tensors may begin at any element; vectors, cache lines and rows of flags must not rely on more.
TEST_P(PointsInBoxes, UnalignedTensorsGiveTheSame) {
  for (const char* name : {"points_257", "streamed"}) {
    if (sanitized && std::string_view(name) == "streamed") continue;
    const cases::Definition& definition = cases::definition_named(name);
    const Tensors tensors = cases::make_tensors(variant(), definition, MLUOP_DTYPE_FLOAT);
    const auto expected = variant().expected(definition.shape, tensors.points, tensors.boxes);
    for (const std::string& level : Handle().levels()) {
      for (const std::size_t offset : {1, 3, 8, 15}) {
        Handle handle;
        handle.isa(level);
        Shifted<float> points(tensors.points, offset), boxes(tensors.boxes, offset);
        Shifted<std::int32_t> result(expected.size(), offset);
        ASSERT_EQ(variant().call(handle, tensors.points.descriptor(), points.data(),
                                 tensors.boxes.descriptor(), boxes.data(),
                                 tensors.result.descriptor(), result.data()),
                  MLUOP_STATUS_SUCCESS)
            << mluOpCpuGetLastError();
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), result.data()))
            << name << ' ' << level << ' ' << offset;
        EXPECT_TRUE(std::all_of(result.block.begin(),
                                result.block.begin() + static_cast<std::ptrdiff_t>(offset),
                                [](std::int32_t one) { return one == 0; }));
      }
    }
  }
}

TEST(PointsInBoxesSuites, NamesOfOperators) {
  for (const char* op : ops) {
    const testing::Suite* const suite = testing::find_suite(op);
    ASSERT_NE(suite, nullptr) << op;
    EXPECT_EQ(static_cast<bool>(suite->from_file), std::string_view(op) == "points_in_boxes");
  }
}

/// mmcv's loop, which bench times beside ours, gives what ours gives.
TEST(PointsInBoxesPeer, IsTheSameOperator) {
  for (const Variant* variant : {&part_variant, &all_variant, &by_box_variant}) {
    for (const char* name : {"batches_3", "anything", "zoo", "faces"}) {
      const cases::Definition& definition = cases::definition_named(name);
      const auto [B, M, T] = definition.shape;
      const Tensors tensors = cases::make_tensors(*variant, definition, MLUOP_DTYPE_FLOAT);
      const auto expected = variant->expected(definition.shape, tensors.points, tensors.boxes);
      std::vector<std::int32_t> result(expected.size());
      const std::size_t size = result.size() / static_cast<std::size_t>(B);
      for (std::int64_t b = 0; b < B; ++b) {
        const std::span points(static_cast<const float*>(tensors.points.data()) + 3 * b * M,
                               static_cast<std::size_t>(3 * M));
        const std::span boxes(static_cast<const float*>(tensors.boxes.data()) + 7 * b * T,
                              static_cast<std::size_t>(7 * T));
        std::int32_t* const to = &result[static_cast<std::size_t>(b) * size];
        if (variant->flags) {
          reference::mmcv_flags(points, boxes, variant->box_major, to);
        } else {
          reference::mmcv_part(points, boxes, to);
        }
      }
      EXPECT_EQ(result, expected) << variant->name() << ' ' << name;
    }
  }
}

}  // namespace
}  // namespace mluop::points_in_boxes
