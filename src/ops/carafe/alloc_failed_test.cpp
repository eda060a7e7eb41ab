// Running out of memory: a status and a sentence, nothing written, and a handle that works again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "ops/carafe/calls.hpp"
#include "testing/failing_calls.hpp"
#include "testing/sanitized.hpp"
#include "testing/scarce_memory.hpp"

namespace mluop::carafe {
namespace {

/// Rows of half are widened into scratch of each thread, together more than the process may have.
template <class Data>
void expect_out_of_memory(const char* sentence) {
  if (testing::sanitized) GTEST_SKIP() << "a sanitizer needs its address space";
  if (testing::virtual_bytes() == 0) GTEST_SKIP() << "needs /proc/self/statm";
  const cases::Definition definition{
      .name = "scarce",
      .kind = testing::Case::Kind::edge,
      .shape = {.N = 1, .H = 38, .W = 38, .C = 256, .k = 5, .G = 1, .s = 2}};
  Data call{definition, MLUOP_DTYPE_HALF}, untroubled{definition, MLUOP_DTYPE_HALF};
  testing::Handle handle;
  handle.threads(512);
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
  handle.threads(2);
  ASSERT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  ASSERT_EQ(untroubled.run(testing::Handle{}), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  for (std::size_t i = 0; i < call.outputs().size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(call.outputs()[i].raw(), untroubled.outputs()[i].raw()));
  }
}

TEST(CarafeOutOfMemory, ForwardReportsItAndLeavesTheHandleUsable) {
  expect_out_of_memory<ForwardData>("mluOpCarafeForward: out of memory");
}

TEST(CarafeOutOfMemory, BackwardReportsItAndLeavesTheHandleUsable) {
  expect_out_of_memory<BackwardData>("mluOpCarafeBackward: out of memory");
}

}  // namespace
}  // namespace mluop::carafe
