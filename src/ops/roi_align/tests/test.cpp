// Every case of RoI align, with every design, at every level, with several thread counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/roi_align/kit/cases.hpp"
#include "testing/compare/compare.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/suite/everywhere.hpp"

namespace mluop::roi_align {
namespace {

using testing::Handle;

constexpr const char* operators[] = {"roi_align_forward", "roi_align_backward"};

class RoiAlignCase
    : public ::testing::TestWithParam<std::tuple<const char*, const cases::Definition*>> {
 protected:
  const testing::Suite& suite() const { return *testing::find_suite(std::get<0>(GetParam())); }
  const cases::Definition& definition() const { return *std::get<1>(GetParam()); }
  const testing::Case& test_case() const {
    return *std::ranges::find(suite().cases, definition().name, &testing::Case::name);
  }
  bool large() const {
    const cases::Shape& shape = definition().shape;
    return shape.image_elements() + shape.bin_elements() >
           (testing::sanitized ? 100'000 : 1'500'000);
  }
};

/// One run of a large case at the library's own choice: the order of its sums is that of small cases.
void expect_accurate(const testing::Suite& suite, const testing::Case& test_case,
                     mluOpDataType_t dtype) {
  const auto call = test_case.make(dtype);
  Handle handle;
  ASSERT_EQ(call->run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  const auto reference = call->reference();
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const testing::HostTensor& output = call->outputs()[i];
    EXPECT_TRUE(output.intact());
    const testing::Verdict verdict =
        testing::evaluate(reference[i], output.values(), dtype, suite.criteria(dtype));
    EXPECT_TRUE(verdict.pass) << verdict.reason;
  }
}

/// Equal bits of a large case: both levels with fused multiply-adds, 1, 2 and 3 threads.
void expect_equal_bits(const testing::Case& test_case) {
  const auto call = test_case.make(MLUOP_DTYPE_FLOAT);
  std::vector<std::byte> expected;
  for (const std::string& level : Handle().levels()) {
    if (level != "avx512" && level != "avx2") continue;
    for (const int threads : {1, 2, 3}) {
      Handle handle;
      ASSERT_EQ(call->run(handle.isa(level).threads(threads)), MLUOP_STATUS_SUCCESS);
      const auto raw = call->outputs().front().raw();
      if (expected.empty()) expected.assign(raw.begin(), raw.end());
      EXPECT_TRUE(std::ranges::equal(raw, expected)) << level << ' ' << threads;
    }
  }
}

TEST_P(RoiAlignCase, IsAccurateWithEqualBitsEverywhere) {
  if (large() && testing::sanitized) GTEST_SKIP() << "too large for a sanitizer";
  if (large()) {
    expect_accurate(suite(), test_case(), MLUOP_DTYPE_FLOAT);
    return expect_equal_bits(test_case());
  }
  for (const mluOpDataType_t dtype : suite().dtypes_of(test_case())) {
    SCOPED_TRACE(name_of(dtype));
    testing::expect_everywhere(suite(), test_case(), dtype);
  }
}

std::vector<const cases::Definition*> every_definition() {
  std::vector<const cases::Definition*> all;
  for (const cases::Definition& definition : cases::definitions()) all.push_back(&definition);
  return all;
}

INSTANTIATE_TEST_SUITE_P(, RoiAlignCase,
                         ::testing::Combine(::testing::ValuesIn(operators),
                                            ::testing::ValuesIn(every_definition())),
                         [](const auto& test) {
                           return std::get<0>(test.param) + ('_' + std::get<1>(test.param)->name);
                         });

TEST(RoiAlignCases, NamesAreUnique) {
  std::set<std::string> names;
  for (const cases::Definition& definition : cases::definitions()) {
    EXPECT_TRUE(names.insert(definition.name).second) << definition.name;
  }
}

/// Maxima are those of the formula to the bit, and so is where they are.
TEST(RoiAlignMaximum, IsExact) {
  for (const cases::Definition& definition : cases::definitions()) {
    if (!definition.shape.maximum) continue;
    SCOPED_TRACE(definition.name);
    for (const mluOpDataType_t dtype : testing::floating_dtypes) {
      SCOPED_TRACE(name_of(dtype));
      Tensors tensors = cases::make_tensors(definition, dtype, false);
      const Values expected = tensors.forward_reference(definition.shape);
      ASSERT_EQ(tensors.forward(Handle(), definition.shape), MLUOP_STATUS_SUCCESS)
          << mluOpCpuGetLastError();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const testing::Verdict verdict =
            testing::evaluate(testing::rounded_to(dtype, expected[i]), tensors.bins[i].values(),
                              dtype, {{{testing::Measure::diff3, 0}}});
        EXPECT_TRUE(verdict.pass) << tensors.bins[i].name() << ": " << verdict.reason;
      }
    }
  }
}

/// mluOpRoiAlignBackward is the second version with averages.
TEST(RoiAlignBackward, IsTheSecondVersionOfAverages) {
  const cases::Definition& definition = cases::definition_named("channels_33");
  const cases::Shape& shape = definition.shape;
  Tensors tensors = cases::make_tensors(definition, MLUOP_DTYPE_FLOAT, true);
  ASSERT_EQ(tensors.backward(Handle(), shape), MLUOP_STATUS_SUCCESS);
  const std::vector<double> expected = tensors.images.values();
  tensors.images.poison();
  ASSERT_EQ(mluOpRoiAlignBackward(
                Handle(), shape.spatial_scale, shape.sampling_ratio, shape.aligned,
                tensors.bins[0].descriptor(), tensors.bins[0].data(), tensors.boxes.descriptor(),
                tensors.boxes.data(), tensors.images.descriptor(), tensors.images.data()),
            MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  EXPECT_EQ(tensors.images.values(), expected);
}

/// Hundreds of small random problems against the reference, and the loop of mmcv against it, too.
TEST(RoiAlignRandom, SmallProblemsMatchTheReference) {
  for (const char* op : operators) {
    const testing::Suite& suite = *testing::find_suite(op);
    testing::Generator random(std::string("roi_align/random/") + op);
    SCOPED_TRACE(random.describe());
    for (int number = 0; number < 300; ++number) {
      const testing::Case one =
          suite.sized.make(suite.sized.draw(random), static_cast<std::uint64_t>(number));
      const mluOpDataType_t dtype = testing::floating_dtypes[static_cast<std::size_t>(number % 4)];
      SCOPED_TRACE(one.shape + ' ' + name_of(dtype));
      const auto call = one.make(dtype);
      Handle handle;
      handle.threads(static_cast<int>(random.integer(1, 4)));
      ASSERT_EQ(call->run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
      const auto reference = call->reference(), plain = call->plain();
      for (std::size_t i = 0; i < reference.size(); ++i) {
        EXPECT_TRUE(call->outputs()[i].intact());
        const testing::Verdict verdict = testing::evaluate(
            reference[i], call->outputs()[i].values(), dtype, suite.criteria(dtype));
        EXPECT_TRUE(verdict.pass) << verdict.reason;
        const testing::Verdict of_plain =
            testing::evaluate(reference[i], plain[i], dtype, suite.criteria(dtype));
        EXPECT_TRUE(of_plain.pass) << "the plain loop: " << of_plain.reason;
      }
      if (HasFailure()) return;  // one problem at a time
    }
  }
}

}  // namespace
}  // namespace mluop::roi_align
