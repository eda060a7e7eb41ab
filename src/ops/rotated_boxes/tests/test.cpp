// Every case of rotated boxes, and that results depend on nothing but the arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/rotated_boxes/kit/cases.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/suite/everywhere.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::rotated_boxes {
namespace {

using testing::Handle;
using testing::sanitized;

struct OneCase {
  std::string op, name;
};

/// All but the largest, which have tests of their own.
std::vector<OneCase> affordable_cases() {
  std::vector<OneCase> all;
  for (const auto& definition : cases::iou_definitions()) {
    if (definition.pairs.count() > (sanitized ? 20'000 : 100'000)) continue;
    all.push_back({"box_iou_rotated", definition.name});
  }
  for (const auto& definition : cases::nms_definitions()) {
    if (definition.count > (sanitized ? 400 : 4000)) continue;
    all.push_back({"nms_rotated", definition.name});
  }
  return all;
}

class RotatedBoxesCase : public ::testing::TestWithParam<OneCase> {};

INSTANTIATE_TEST_SUITE_P(, RotatedBoxesCase, ::testing::ValuesIn(affordable_cases()),
                         [](const auto& test) { return test.param.op + "__" + test.param.name; });

TEST_P(RotatedBoxesCase, IsExactWithEqualBitsEverywhere) {
  const testing::Suite& suite = *testing::find_suite(GetParam().op);
  const testing::Case& test_case =
      *std::ranges::find(suite.cases, GetParam().name, &testing::Case::name);
  for (const mluOpDataType_t dtype : suite.dtypes) {
    SCOPED_TRACE(name_of(dtype));
    testing::expect_everywhere(suite, test_case, dtype);
  }
}

std::vector<double> reference_of(const reference::Pairs& pairs, const cases::IouTensors& tensors,
                                 std::int64_t begin, std::int64_t count) {
  return reference::ious(pairs, {tensors.first.values(), tensors.second.values()},
                         tensors.first.dtype(), begin, count);
}

/// Without fused multiply-adds every level gives the same numbers; here those of float.
TEST(BoxIouRotated, LargeCasesAreExactAtEveryLevel) {
  if (sanitized) GTEST_SKIP() << "too large for a sanitizer";
  for (const char* name : {"r3det_stage1", "r3det_refine", "streamed", "aligned"}) {
    const cases::IouDefinition& definition = cases::iou_named(name);
    cases::IouTensors tensors = cases::make_tensors(definition, MLUOP_DTYPE_FLOAT);
    constexpr std::int64_t pieces = 16, size = 20'011;
    const std::int64_t count = definition.pairs.count();
    std::vector<std::vector<double>> expected;
    const auto begin_of = [&](std::int64_t i) { return (count - size) / (pieces - 1) * i; };
    for (std::int64_t i = 0; i < pieces; ++i) {
      expected.push_back(reference_of(definition.pairs, tensors, begin_of(i), size));
    }
    int threads = 1;
    for (const std::string& level : Handle().levels()) {
      SCOPED_TRACE(std::string(name) + ' ' + level);
      Handle handle;
      handle.threads(threads++).isa(level);
      tensors.ious.poison();
      ASSERT_EQ(cases::run(handle, definition.pairs, tensors.first, tensors.second, tensors.ious),
                MLUOP_STATUS_SUCCESS)
          << mluOpCpuGetLastError();
      EXPECT_TRUE(tensors.ious.intact());
      for (std::int64_t i = 0; i < pieces; ++i) {
        EXPECT_EQ(tensors.ious.values(begin_of(i), size), expected[static_cast<std::size_t>(i)])
            << i;
      }
    }
  }
}

TEST(NmsRotated, LargeCasesAreExactAtEveryLevel) {
  if (sanitized) GTEST_SKIP() << "too large for a sanitizer";
  for (const char* name : {"r3det", "spread"}) {
    const cases::NmsDefinition& definition = cases::nms_named(name);
    cases::NmsTensors tensors = cases::make_tensors(definition, MLUOP_DTYPE_FLOAT);
    const reference::Kept expected =
        reference::nms(tensors.boxes.values(), definition.fields, tensors.scores.values(),
                       definition.threshold, MLUOP_DTYPE_FLOAT);
    EXPECT_GT(expected.count, definition.count / 40);
    EXPECT_LT(expected.count, definition.count);
    int threads = 1;
    for (const std::string& level : Handle().levels()) {
      SCOPED_TRACE(std::string(name) + ' ' + level);
      Handle handle;
      handle.threads(threads++).isa(level);
      tensors.output.poison();
      ASSERT_EQ(cases::run(handle, definition.threshold, tensors.boxes, tensors.scores,
                           tensors.output, tensors.count),
                MLUOP_STATUS_SUCCESS)
          << mluOpCpuGetLastError();
      EXPECT_EQ(tensors.count.get(0), expected.count);
      EXPECT_TRUE(std::ranges::equal(tensors.output.values(), expected.output));
    }
  }
}

TEST(BoxIouRotated, LeavesItsInputsAlone) {
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    const cases::IouDefinition& definition = cases::iou_named("nan");
    cases::IouTensors tensors = cases::make_tensors(definition, dtype);
    const std::vector<std::byte> first(tensors.first.raw().begin(), tensors.first.raw().end());
    const std::vector<std::byte> second(tensors.second.raw().begin(), tensors.second.raw().end());
    ASSERT_EQ(cases::run(Handle(), definition.pairs, tensors.first, tensors.second, tensors.ious),
              MLUOP_STATUS_SUCCESS);
    EXPECT_TRUE(std::ranges::equal(tensors.first.raw(), first));
    EXPECT_TRUE(std::ranges::equal(tensors.second.raw(), second));
  }
}

TEST(NmsRotated, HandleRemembersNothingOfEarlierProblems) {
  Handle reused;
  for (int round = 0; round < 2; ++round) {
    for (const char* name :
         {"detections", "boxes_1", "special_scores", "negative_threshold", "never"}) {
      for (const mluOpDataType_t dtype : {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_HALF}) {
        const cases::NmsDefinition& definition = cases::nms_named(name);
        cases::NmsTensors tensors = cases::make_tensors(definition, dtype);
        const reference::Kept expected =
            reference::nms(tensors.boxes.values(), definition.fields, tensors.scores.values(),
                           definition.threshold, dtype);
        ASSERT_EQ(cases::run(reused, definition.threshold, tensors.boxes, tensors.scores,
                             tensors.output, tensors.count),
                  MLUOP_STATUS_SUCCESS);
        EXPECT_EQ(tensors.count.get(0), expected.count) << name;
        EXPECT_TRUE(std::ranges::equal(tensors.output.values(), expected.output)) << name;
      }
    }
  }
}

/// mmcv's loops, which bench times beside ours, give what ours give.
TEST(RotatedBoxesPeer, IsTheSameOperator) {
  for (const char* name : {"crowd", "crowd_iof", "aligned_257", "far_and_near", "degenerate"}) {
    const cases::IouDefinition& definition = cases::iou_named(name);
    const cases::IouTensors tensors = cases::make_tensors(definition, MLUOP_DTYPE_FLOAT);
    std::vector<float> result(static_cast<std::size_t>(definition.pairs.count()));
    reference::mmcv_ious(definition.pairs, static_cast<const float*>(tensors.first.data()),
                         static_cast<const float*>(tensors.second.data()), result.data());
    EXPECT_TRUE(std::ranges::equal(
        result, reference_of(definition.pairs, tensors, 0, definition.pairs.count())))
        << name;
  }
  for (const char* name : {"detections", "repeated_scores", "boxes_129"}) {
    const cases::NmsDefinition& definition = cases::nms_named(name);
    const cases::NmsTensors tensors = cases::make_tensors(definition, MLUOP_DTYPE_FLOAT);
    const reference::Kept expected =
        reference::nms(tensors.boxes.values(), definition.fields, tensors.scores.values(),
                       definition.threshold, MLUOP_DTYPE_FLOAT);
    std::vector<std::int32_t> result(static_cast<std::size_t>(definition.count));
    EXPECT_EQ(reference::mmcv_nms(definition.count, definition.fields,
                                  static_cast<const float*>(tensors.boxes.data()),
                                  static_cast<const float*>(tensors.scores.data()),
                                  definition.threshold, result.data()),
              expected.count);
    EXPECT_EQ(result, expected.output) << name;
  }
}

}  // namespace
}  // namespace mluop::rotated_boxes
