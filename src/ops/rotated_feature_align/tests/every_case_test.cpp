// Every case of rotated feature align, and that results depend on nothing but the arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/rotated_feature_align/kit/cases.hpp"
#include "ops/rotated_feature_align/kit/direction.hpp"
#include "testing/compare/compare.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/suite/everywhere.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::rotated_feature_align {
namespace {

using testing::Handle;
using testing::HostTensor;
using testing::sanitized;

std::string without_punctuation(std::string name) {
  std::ranges::replace(name, '.', '_');
  return name;
}

class RotatedFeatureAlignCase
    : public ::testing::TestWithParam<std::tuple<const Direction*, const cases::Definition*>> {
 protected:
  const Direction& direction() const { return *std::get<0>(GetParam()); }
  const cases::Definition& definition() const { return *std::get<1>(GetParam()); }
  const testing::Suite& suite() const { return *testing::find_suite(direction().op); }
  const testing::Case& test_case() const {
    return *std::ranges::find(suite().cases, definition().name, &testing::Case::name);
  }
  bool large() const { return definition().shape.elements() > (sanitized ? 100'000 : 1'500'000); }
};

/// The suite's own criteria on one run: enough for dtypes other than float of a large case.
void expect_accurate(const testing::Suite& suite, const testing::Case& test_case,
                     mluOpDataType_t dtype) {
  const auto call = test_case.make(dtype);
  Handle handle;
  ASSERT_EQ(call->run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  const HostTensor& output = call->outputs().front();
  EXPECT_TRUE(output.intact());
  const testing::Verdict verdict =
      testing::evaluate(call->reference().front(), output.values(), dtype, suite.criteria(dtype));
  EXPECT_TRUE(verdict.pass) << verdict.reason;
}

TEST_P(RotatedFeatureAlignCase, IsAccurateWithEqualBitsEverywhere) {
  // More of the same rows would not help a sanitizer.
  if (large() && sanitized) GTEST_SKIP() << "too large for a sanitizer";
  for (mluOpDataType_t dtype : suite().dtypes) {
    SCOPED_TRACE(name_of(dtype));
    if (large() && dtype != MLUOP_DTYPE_FLOAT) {
      expect_accurate(suite(), test_case(), dtype);
    } else {
      testing::expect_everywhere(suite(), test_case(), dtype);
    }
  }
}

std::vector<const cases::Definition*> every_definition() {
  std::vector<const cases::Definition*> all;
  for (const cases::Definition& definition : cases::definitions()) all.push_back(&definition);
  return all;
}

INSTANTIATE_TEST_SUITE_P(, RotatedFeatureAlignCase,
                         ::testing::Combine(::testing::Values(&forward_direction,
                                                              &backward_direction),
                                            ::testing::ValuesIn(every_definition())),
                         [](const auto& test) {
                           return std::get<0>(test.param)->name() + '_' +
                                  without_punctuation(std::get<1>(test.param)->name);
                         });

const cases::Definition& definition_named(std::string_view name) {
  return *std::ranges::find(cases::definitions(), name, &cases::Definition::name);
}

/// A case with tensors of its own, for tests that look at them.
struct Arguments {
  Arguments(const Direction& which, const cases::Definition& definition, mluOpDataType_t dtype)
      : direction(which),
        shape(definition.shape),
        source(cases::make_features(definition, dtype, direction.from)),
        boxes(cases::make_boxes(definition, dtype)),
        result(cases::make_output(definition, dtype, direction.to)) {}

  mluOpStatus_t run(mluOpHandle_t handle) {
    return direction.run(handle, shape, source, boxes, result);
  }

  const Direction& direction;
  reference::Shape shape;
  HostTensor source, boxes, result;
};

std::vector<std::byte> bits_of(const HostTensor& tensor) {
  return {tensor.raw().begin(), tensor.raw().end()};
}

class RotatedFeatureAlign : public ::testing::TestWithParam<const Direction*> {};

INSTANTIATE_TEST_SUITE_P(, RotatedFeatureAlign,
                         ::testing::Values(&forward_direction, &backward_direction),
                         [](const auto& test) { return test.param->name(); });

TEST_P(RotatedFeatureAlign, OverwritesWhateverTheOutputHeld) {
  for (mluOpDataType_t dtype : testing::floating_dtypes) {
    SCOPED_TRACE(name_of(dtype));
    Handle handle;
    Arguments problem(*GetParam(), definition_named("channels_33"), dtype);
    ASSERT_EQ(problem.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    const std::vector<std::byte> expected = bits_of(problem.result);
    for (double garbage : {0.0, -1.0, 6e4, std::numeric_limits<double>::infinity()}) {
      testing::fill(problem.result, [garbage] { return garbage; });
      ASSERT_EQ(problem.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
      EXPECT_EQ(bits_of(problem.result), expected) << "over " << garbage;
      EXPECT_TRUE(problem.result.intact());
    }
  }
}

TEST_P(RotatedFeatureAlign, LeavesItsInputsAlone) {
  for (mluOpDataType_t dtype : testing::floating_dtypes) {
    SCOPED_TRACE(name_of(dtype));
    Handle handle;
    Arguments problem(*GetParam(), definition_named("channels_33"), dtype);
    const std::vector<std::byte> source = bits_of(problem.source), boxes = bits_of(problem.boxes);
    ASSERT_EQ(problem.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(bits_of(problem.source), source);
    EXPECT_EQ(bits_of(problem.boxes), boxes);
    EXPECT_TRUE(problem.source.intact() && problem.boxes.intact());
  }
}

TEST_P(RotatedFeatureAlign, HandleRemembersNothingOfEarlierProblems) {
  const char* const names[] = {"same_cell", "one_pixel", "p1_4x40x30", "all_outside", "width_1"};
  Handle reused;
  for (int round = 0; round < 2; ++round) {
    for (const char* name : names) {
      for (mluOpDataType_t dtype : {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_HALF}) {
        Arguments fresh(*GetParam(), definition_named(name), dtype);
        Arguments again(*GetParam(), definition_named(name), dtype);
        ASSERT_EQ(fresh.run(Handle()), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
        ASSERT_EQ(again.run(reused), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
        EXPECT_EQ(bits_of(again.result), bits_of(fresh.result)) << name << ' ' << name_of(dtype);
      }
    }
  }
}

/// The elements of a tensor, `offset` elements after the start of a block that ends with them.
class Shifted {
 public:
  Shifted(const HostTensor& tensor, std::size_t offset)
      : begin_(offset * tensor.bytes() / static_cast<std::size_t>(tensor.count())),
        block_(begin_ + tensor.bytes()) {
    std::ranges::copy(tensor.raw(), block_.begin() + static_cast<std::ptrdiff_t>(begin_));
  }
  void* data() { return block_.data() + begin_; }
  std::vector<std::byte> bits() const {
    return {block_.begin() + static_cast<std::ptrdiff_t>(begin_), block_.end()};
  }
  /// Nothing was written before the elements.
  bool intact() const {
    return std::all_of(block_.begin(), block_.begin() + static_cast<std::ptrdiff_t>(begin_),
                       [](std::byte b) { return b == std::byte{0}; });
  }

 private:
  std::size_t begin_;
  std::vector<std::byte> block_;
};

void expect_same_bits_at(std::size_t offset, const Arguments& aligned, mluOpHandle_t handle) {
  SCOPED_TRACE(::testing::Message() << "offset " << offset);
  Shifted source(aligned.source, offset), boxes(aligned.boxes, offset);
  Shifted result(aligned.source, offset);  // any contents will do
  ASSERT_EQ(
      aligned.direction.call(handle, aligned.source.descriptor(), source.data(),
                             aligned.boxes.descriptor(), boxes.data(), aligned.shape.spatial_scale,
                             aligned.shape.points, aligned.result.descriptor(), result.data()),
      MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  EXPECT_EQ(result.bits(), bits_of(aligned.result));
  EXPECT_TRUE(result.intact());
}

/// Tensors may begin at any element; vectors and the choice of loops must not rely on more.
TEST_P(RotatedFeatureAlign, UnalignedTensorsGiveTheSameBits) {
  for (const std::int64_t channels : {5, 19, 24, 64, 136}) {
    const cases::Definition definition{"unaligned",
                                       testing::Case::Kind::edge,
                                       {2, 5, 6, channels, 0.5f, 5},
                                       cases::near_pixel(0.5, 4)};
    for (const std::string& level : Handle().levels()) {
      for (const mluOpDataType_t dtype : testing::floating_dtypes) {
        SCOPED_TRACE(::testing::Message() << channels << ' ' << level << ' ' << name_of(dtype));
        Handle handle;
        handle.isa(level);
        Arguments aligned(*GetParam(), definition, dtype);
        ASSERT_EQ(aligned.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
        for (const std::size_t offset : {1, 3, 8}) expect_same_bits_at(offset, aligned, handle);
      }
    }
  }
}

TEST_P(RotatedFeatureAlign, TwoHandlesWorkAtOnce) {
  const char* const names[] = {"same_cell", "p5_4x4x30", "channels_129", "zoo_p5_30x20x100"};
  std::vector<std::vector<std::byte>> expected;
  for (const char* name : names) {
    Arguments problem(*GetParam(), definition_named(name), MLUOP_DTYPE_FLOAT);
    ASSERT_EQ(problem.run(Handle()), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    expected.push_back(bits_of(problem.result));
  }
  // GoogleTest's assertions must not run in two threads at once: each thread counts its failures.
  int failures[2] = {0, 0};
  const auto work = [&](int& failed) {
    Handle handle;
    handle.threads(2);
    for (int round = 0; round < 10; ++round) {
      for (std::size_t i = 0; i < expected.size(); ++i) {
        Arguments problem(*GetParam(), definition_named(names[i]), MLUOP_DTYPE_FLOAT);
        if (problem.run(handle) != MLUOP_STATUS_SUCCESS) ++failed;
        if (bits_of(problem.result) != expected[i]) ++failed;
      }
    }
  };
  std::thread one(work, std::ref(failures[0])), two(work, std::ref(failures[1]));
  one.join();
  two.join();
  EXPECT_EQ(failures[0], 0);
  EXPECT_EQ(failures[1], 0);
}

}  // namespace
}  // namespace mluop::rotated_feature_align
