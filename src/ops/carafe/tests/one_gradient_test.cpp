// Backward with one gradient left out: the other has the same bits as if both were computed, with less scratch.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/handle/handle.hpp"
#include "core/numbers/dtype.hpp"
#include "ops/carafe/kit/calls.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/faults/scarce_memory.hpp"
#include "testing/suite/run_everywhere.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::carafe {
namespace {

using testing::Handle;
using testing::HostTensor;

/// Number among the outputs of BackwardData.
enum Gradient : std::size_t { grad_input, grad_mask };

mluOpStatus_t run_alone(BackwardData& data, Gradient gradient, mluOpHandle_t handle) {
  return data.run(handle, gradient == grad_input, gradient == grad_mask);
}

/// `both` has run; `alone` is the same call.
void expect_bits_alone(const BackwardData& both, BackwardData& alone, Gradient gradient,
                       mluOpHandle_t handle) {
  for (HostTensor& output : alone.outputs()) output.poison();
  ASSERT_EQ(run_alone(alone, gradient, handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  const HostTensor& output = alone.outputs()[gradient];
  EXPECT_TRUE(std::ranges::equal(output.raw(), both.outputs()[gradient].raw()))
      << output.name() << ": bits differ from those of both gradients";
  EXPECT_TRUE(output.intact()) << output.name() << ": written outside its memory";
}

/// With every implementation and number of threads.
void expect_bits_alone(const cases::Definition& definition, mluOpDataType_t dtype) {
  BackwardData both(definition, dtype), alone(definition, dtype);
  for (const std::string& level : Handle().levels()) {
    Handle single;
    single.threads(1).isa(level);
    ASSERT_EQ(both.run(single), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    for (const int threads : testing::thread_counts) {
      SCOPED_TRACE(definition.name + ' ' + name_of(dtype) + ' ' + level + ", " +
                   std::to_string(threads) + " threads");
      Handle handle;
      handle.threads(threads).isa(level);
      for (const Gradient gradient : {grad_input, grad_mask}) {
        expect_bits_alone(both, alone, gradient, handle);
      }
    }
  }
}

std::int64_t products_of(const reference::Shape& shape) {
  return reference::used_cells(shape) * shape.C;
}

TEST(CarafeOneGradient, HasTheBitsOfBoth) {
  const std::int64_t most = testing::sanitized ? 500'000 : 8'000'000;
  int tested = 0;
  for (const cases::Definition& definition : cases::definitions()) {
    if (products_of(definition.shape) > most) continue;
    ++tested;
    for (const mluOpDataType_t dtype : testing::floating_dtypes) {
      expect_bits_alone(definition, dtype);
    }
  }
  EXPECT_GT(tested, 20);
}

cases::Definition edge(const reference::Shape& shape) {
  return {cases::text_of(shape), testing::Case::Kind::edge, shape};
}

/// Non-temporal stores in every kind of loop, in one tile and in several, and grad_input by blocks of channels.
TEST(CarafeOneGradient, HasTheBitsOfBothInLargeMaps) {
  if (testing::sanitized) GTEST_SKIP() << "too large for a sanitizer";
  expect_bits_alone(edge({1, 128, 128, 256, 1, 1, 1}), MLUOP_DTYPE_FLOAT);
  expect_bits_alone(edge({1, 64, 64, 16, 3, 16, 2}), MLUOP_DTYPE_FLOAT);
  expect_bits_alone(edge({1, 58, 91, 40, 5, 1, 4}), MLUOP_DTYPE_FLOAT);
  expect_bits_alone(edge({1, 58, 67, 32, 5, 2, 4}), MLUOP_DTYPE_HALF);
  expect_bits_alone(edge({1, 76, 76, 16, 9, 1, 3}), MLUOP_DTYPE_BFLOAT16);
  expect_bits_alone(edge({1, 20, 40, 520, 9, 1, 1}), MLUOP_DTYPE_FLOAT);
  expect_bits_alone(edge({1, 20, 40, 520, 9, 1, 1}), MLUOP_DTYPE_HALF);
  expect_bits_alone(edge({1, 20, 60, 128, 5, 1, 2}), MLUOP_DTYPE_DOUBLE);
}

TEST(CarafeOneGradient, IsAccurate) {
  for (const cases::Definition& definition : cases::definitions()) {
    if (products_of(definition.shape) > 500'000) continue;
    for (const mluOpDataType_t dtype : testing::floating_dtypes) {
      SCOPED_TRACE(definition.name + ' ' + name_of(dtype));
      BackwardData data(definition, dtype);
      const Values reference = data.reference(), plain = data.plain();
      for (const Gradient gradient : {grad_input, grad_mask}) {
        ASSERT_EQ(run_alone(data, gradient, Handle()), MLUOP_STATUS_SUCCESS)
            << mluOpCpuGetLastError();
        const testing::Verdict verdict =
            testing::judge(reference[gradient], plain[gradient], data.outputs()[gradient].values(),
                           dtype, testing::static_criteria(testing::OpClass::accumulation, dtype));
        EXPECT_TRUE(verdict.pass) << data.outputs()[gradient].name() << ": " << verdict.reason;
      }
    }
  }
}

/// The missing gradient cannot be written, but memory of an earlier call could be.
TEST(CarafeOneGradient, WritesNothingElse) {
  BackwardData data(edge({1, 9, 11, 24, 3, 2, 2}), MLUOP_DTYPE_FLOAT);
  Handle handle;
  for (const Gradient gradient : {grad_input, grad_mask}) {
    ASSERT_EQ(data.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    HostTensor& other = data.outputs()[1 - gradient];
    other.poison();
    ASSERT_EQ(run_alone(data, gradient, handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_TRUE(other.poisoned()) << other.name();
    for (const HostTensor* input : data.inputs()) EXPECT_TRUE(input->intact());
  }
}

/// The scratch that the first call of a handle takes.
std::size_t scratch_of(BackwardData& data, bool with_grad_input, bool with_grad_mask) {
  Handle handle;
  handle.threads(1);
  EXPECT_EQ(data.run(handle, with_grad_input, with_grad_mask), MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  return handle.get()->scratch.capacity();
}

/// Groups of whole vectors, small ones, padded ones, windows that are transposed, and large windows.
TEST(CarafeOneGradient, TakesNoScratchForTheOther) {
  for (const reference::Shape& shape : {reference::Shape{1, 12, 40, 64, 5, 1, 2},
                                        {1, 12, 40, 32, 5, 2, 2},
                                        {1, 12, 40, 33, 5, 1, 2},
                                        {1, 12, 40, 16, 7, 1, 1},
                                        {1, 12, 40, 64, 11, 1, 1}}) {
    for (const mluOpDataType_t dtype : testing::floating_dtypes) {
      SCOPED_TRACE(cases::text_of(shape) + ' ' + name_of(dtype));
      BackwardData data(edge(shape), dtype);
      const std::size_t both = scratch_of(data, true, true);
      const std::size_t input = scratch_of(data, true, false), mask = scratch_of(data, false, true);
      EXPECT_LT(input, both);
      EXPECT_LT(mask, both);
      EXPECT_GE(input + mask, both) << "both need no more than the one and the other";
    }
  }
}

/// Only grad_input widens the mask, here to 80 MB.
TEST(CarafeOneGradient, OfTheMaskNeedsNoMemoryForThatOfTheInput) {
  if (testing::sanitized) GTEST_SKIP() << "a sanitizer needs its address space";
  if (testing::virtual_bytes() == 0) GTEST_SKIP() << "needs /proc/self/statm";
  BackwardData data(edge({1, 1, 1, 1, 4501, 1, 1}), MLUOP_DTYPE_HALF);
  Handle handle;
  handle.threads(1);
  const testing::ScarceMemory scarce{std::size_t{32} << 20};
  EXPECT_EQ(run_alone(data, grad_mask, handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(run_alone(data, grad_input, handle), MLUOP_STATUS_ALLOC_FAILED);
  EXPECT_STREQ(mluOpCpuGetLastError(), "mluOpCarafeBackward: out of memory");
}

}  // namespace
}  // namespace mluop::carafe
