// Scratch: no more than the workers need. If it cannot be allocated: status, message, nothing written, and the
// handle still works.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "core/handle/handle.hpp"
#include "ops/carafe/kit/calls.hpp"
#include "testing/faults/failing_calls.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/faults/scarce_memory.hpp"

namespace mluop::carafe {
namespace {

/// The window of a pixel is widened into scratch: 80 MB of weights, more than the process may have.
template <class Data>
void expect_out_of_memory(const char* sentence) {
  if (testing::sanitized) GTEST_SKIP() << "a sanitizer needs its address space";
  if (testing::virtual_bytes() == 0) GTEST_SKIP() << "needs /proc/self/statm";
  const cases::Definition definition{
      .name = "scarce",
      .kind = testing::Case::Kind::edge,
      .shape = {.N = 1, .H = 1, .W = 1, .C = 1, .k = 4501, .G = 1, .s = 1}};
  Data call{definition, MLUOP_DTYPE_HALF}, untroubled{definition, MLUOP_DTYPE_HALF};
  testing::Handle handle;
  handle.threads(1);
  testing::expect_failures({{sentence,
                             [&] {
                               const testing::ScarceMemory scarce{std::size_t{32} << 20};
                               return call.run(handle);
                             },
                             MLUOP_STATUS_ALLOC_FAILED}});
  for (const testing::HostTensor& output : call.outputs()) {
    EXPECT_TRUE(output.poisoned()) << "a call that failed wrote " << output.name();
    EXPECT_TRUE(output.intact());
  }
  ASSERT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  ASSERT_EQ(untroubled.run(testing::Handle{}), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  for (std::size_t i = 0; i < call.outputs().size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(call.outputs()[i].raw(), untroubled.outputs()[i].raw()));
  }
}

/// Two bands of rows: two workers run, however many are allowed.
template <class Data>
std::size_t scratch_with(int threads) {
  const cases::Definition definition{
      .name = "two_bands",
      .kind = testing::Case::Kind::edge,
      .shape = {.N = 1, .H = 16, .W = 16, .C = 64, .k = 5, .G = 1, .s = 2}};
  Data call{definition, MLUOP_DTYPE_HALF};
  testing::Handle handle;
  handle.threads(threads);
  EXPECT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  return handle.get()->scratch.capacity();
}

TEST(CarafeScratch, IsThatOfTheWorkersNotOfTheThreadsAllowed) {
  EXPECT_EQ(scratch_with<ForwardData>(2), 2 * scratch_with<ForwardData>(1));
  EXPECT_EQ(scratch_with<ForwardData>(1024), scratch_with<ForwardData>(2));
  EXPECT_EQ(scratch_with<BackwardData>(2), 2 * scratch_with<BackwardData>(1));
  EXPECT_EQ(scratch_with<BackwardData>(1024), scratch_with<BackwardData>(2));
}

TEST(CarafeOutOfMemory, ForwardReportsItAndLeavesTheHandleUsable) {
  expect_out_of_memory<ForwardData>("mluOpCarafeForward: out of memory");
}

TEST(CarafeOutOfMemory, BackwardReportsItAndLeavesTheHandleUsable) {
  expect_out_of_memory<BackwardData>("mluOpCarafeBackward: out of memory");
}

}  // namespace
}  // namespace mluop::carafe
