// Handle: setters reach the library and failures become exceptions with the library's sentence.
#include "testing/data/handle.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>

namespace mluop::testing {
namespace {

const std::string op = "rotated_feature_align_forward";

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no exception";
}

TEST(Handle, SetsWhatItSays) {
  Handle handle;
  const std::string slowest = handle.available_implementations(op).back().name;
  handle.threads(3).limits(MLUOP_CPU_LIMITS_MLU).implementation(op, slowest);
  EXPECT_EQ(handle.threads(), 3);
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  ASSERT_EQ(mluOpCpuGetLimits(handle, &limits), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(limits, MLUOP_CPU_LIMITS_MLU);
  EXPECT_EQ(handle.available_implementations(op).back().chosen, 1);
  EXPECT_EQ(handle.isa("generic").isa(), "generic");
  EXPECT_EQ(handle.levels(), std::vector<std::string>{"generic"});
  handle.implementation(op, "");
  EXPECT_EQ(handle.available_implementations(op).front().chosen, 1);
}

TEST(Handle, ListsOnlyWhatCanBeForcedAsAvailable) {
  Handle handle;
  const auto available = handle.available_implementations(op);
  ASSERT_FALSE(available.empty());
  EXPECT_LE(available.size(), handle.implementations(op).size());
  for (const auto& implementation : available) {
    EXPECT_NO_THROW(handle.implementation(op, implementation.name));
  }
}

TEST(Handle, ThrowsTheSentenceOfTheLibrary) {
  Handle handle;
  const std::string threads = message_of([&] { handle.threads(0); });
  EXPECT_TRUE(threads.starts_with("mluOpCpuSetThreads returned MLUOP_STATUS_BAD_PARAM: "))
      << threads;
  EXPECT_NE(threads.find("got 0"), std::string::npos) << threads;
  EXPECT_NE(message_of([&] { handle.implementation(op, "abacus"); }).find("abacus"),
            std::string::npos);
  EXPECT_NE(
      message_of([&] { handle.implementations("no_such_operator"); }).find("no_such_operator"),
      std::string::npos);
}

}  // namespace
}  // namespace mluop::testing
