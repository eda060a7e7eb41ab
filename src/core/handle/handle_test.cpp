// Handles: the environment they are created in, and that they are independent of each other.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "core/handle/handle.hpp"
#include "core/memory/memory.hpp"
#include "runtime/cores.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/failing_calls.hpp"
#include "testing/faults/logged_warnings.hpp"
#include "testing/faults/read_environment.hpp"
#include "testing/faults/scoped_environment.hpp"

namespace mluop {
namespace {

using testing::expect_failures;
using testing::Handle;
using testing::ScopedEnvironment;

mluOpStatus_t create_and_destroy() {
  mluOpHandle_t handle = nullptr;
  const mluOpStatus_t status = mluOpCreate(&handle);
  EXPECT_EQ(handle != nullptr, status == MLUOP_STATUS_SUCCESS);
  if (handle != nullptr) mluOpDestroy(handle);
  return status;
}

void expect_refused(const char* variable, const char* value, const char* sentence) {
  const ScopedEnvironment environment{variable, value};
  expect_failures({{sentence, create_and_destroy}});
}

class HandleEnvironment : public ::testing::Test {
  // The tests start from an environment that says nothing.
  ScopedEnvironment limits_{"MLUOP_LIMITS", nullptr};
  ScopedEnvironment threads_{"MLUOP_NUM_THREADS", nullptr};
  ScopedEnvironment isa_{"MLUOP_ISA", nullptr};
  ScopedEnvironment level_{"MLUOP_LOG_LEVEL", nullptr};
};

TEST_F(HandleEnvironment, Defaults) {
  const Handle handle;
  EXPECT_FALSE(handle.get()->card_limits());
  EXPECT_EQ(handle.threads(), std::min(available_cores(), 1024));
  EXPECT_EQ(handle.isa(), name_of(detected_isa()));
}

TEST_F(HandleEnvironment, CallsUseNoMoreThreadsThanThereAreCores) {
  const PretendedCores cores{3};
  Handle handle;
  handle.threads(5);
  EXPECT_EQ(handle.threads(), 5) << "the number that was set";
  EXPECT_EQ(handle.get()->threads, 3);
  handle.threads(2);
  EXPECT_EQ(handle.get()->threads, 2);
  const ScopedEnvironment environment{"MLUOP_NUM_THREADS", "9"};
  EXPECT_EQ(Handle{}.get()->threads, 3);
}

TEST_F(HandleEnvironment, EmptyValuesCountAsUnset) {
  const ScopedEnvironment limits{"MLUOP_LIMITS", ""}, threads{"MLUOP_NUM_THREADS", ""},
      isa{"MLUOP_ISA", ""}, level{"MLUOP_LOG_LEVEL", ""};
  EXPECT_EQ(Handle{}.threads(), std::min(available_cores(), 1024));
}

TEST_F(HandleEnvironment, Limits) {
  {
    const ScopedEnvironment environment{"MLUOP_LIMITS", "mlu"};
    EXPECT_TRUE(Handle{}.get()->card_limits());
  }
  {
    const ScopedEnvironment environment{"MLUOP_LIMITS", "none"};
    EXPECT_FALSE(Handle{}.get()->card_limits());
  }
  expect_refused("MLUOP_LIMITS", "MLU",
                 "mluOpCreate: MLUOP_LIMITS must be one of none, mlu, got \"MLU\"");
}

TEST_F(HandleEnvironment, Threads) {
  for (const char* count : {"1", "3", "1024"}) {
    const ScopedEnvironment environment{"MLUOP_NUM_THREADS", count};
    EXPECT_EQ(std::to_string(Handle{}.threads()), count);
  }
  for (const char* count : {"0", "-1", "1025", "two", "2x", " 2", "99999999999999999999"}) {
    const std::string sentence =
        std::string{"mluOpCreate: MLUOP_NUM_THREADS must be a number from 1 to 1024, got \""} +
        count + '"';
    expect_refused("MLUOP_NUM_THREADS", count, sentence.c_str());
  }
}

TEST_F(HandleEnvironment, IsaIsLoweredNeverRaised) {
  for (Isa wanted :
       {Isa::generic, Isa::sse4, Isa::avx2, Isa::avx512, Isa::avx512_bf16, Isa::amx, Isa::neon}) {
    const ScopedEnvironment environment{"MLUOP_ISA", name_of(wanted)};
    const Isa effective = Handle{}.get()->isa;
    EXPECT_TRUE(isa_allows(detected_isa(), effective)) << name_of(wanted);
    if (isa_allows(detected_isa(), wanted)) {
      EXPECT_EQ(effective, wanted);
    }
  }
  expect_refused("MLUOP_ISA", "avx521",
                 "mluOpCreate: MLUOP_ISA must be one of generic, sse4, avx2, avx512, avx512_bf16, "
                 "amx, neon, got "
                 "\"avx521\"");
}

TEST_F(HandleEnvironment, LogLevelIsValidated) {
  for (const char* level : {"off", "error", "warning", "info", "debug", "0", "4"}) {
    EXPECT_NO_THROW((testing::ReadEnvironment{"MLUOP_LOG_LEVEL", level})) << level;
  }
  expect_refused("MLUOP_LOG_LEVEL", "loud",
                 "mluOpCreate: MLUOP_LOG_LEVEL must be one of off, error, warning, info, debug, 0, "
                 "1, 2, 3, 4, got \"loud\"");
}

/// Variables of MLU-OPS are never refused.
TEST_F(HandleEnvironment, SwitchesFollowTheRulesOfMluOps) {
  const auto each_dim = [](const char* value) {
    const ScopedEnvironment environment{"MLUOP_CHECK_DIM_SIZE", value};
    return Handle{}.get()->check_each_dim;
  };
  const testing::LoggedWarnings log;
  for (const char* yes : {"1", "ON", "on", "On", "YES", "yes", "TRUE", "tRuE"}) {
    EXPECT_TRUE(each_dim(yes)) << yes;
  }
  for (const char* no : {static_cast<const char*>(nullptr), "", "0", "OFF", "no", "False"}) {
    EXPECT_FALSE(each_dim(no)) << (no != nullptr ? no : "unset");
  }
  EXPECT_TRUE(log.lines().empty()) << log.lines()[0];
  for (const char* other : {"2", "-1", " 1", "1 ", "y", "enabled", "TRUE!"}) {
    const std::size_t before = log.lines().size();
    EXPECT_FALSE(each_dim(other)) << other;
    ASSERT_EQ(log.lines().size(), before + 1) << other;
    EXPECT_EQ(
        log.lines().back(),
        std::string{"mluOpCreate: MLUOP_CHECK_DIM_SIZE must be 1, ON, YES or TRUE to be true, got "
                    "\""} +
            other + "\"; it counts as false");
  }
}

TEST(Handle, RefusedCreationLeavesTheVariableUntouched) {
  const ScopedEnvironment environment{"MLUOP_ISA", "none"};
  mluOpContext* const before = reinterpret_cast<mluOpContext*>(std::uintptr_t{64});
  mluOpHandle_t handle = before;
  EXPECT_EQ(mluOpCreate(&handle), MLUOP_STATUS_BAD_PARAM);
  EXPECT_EQ(handle, before);
}

TEST(Handle, LastErrorIsPerThread) {
  mluOpSetQueue(nullptr, nullptr);
  std::string fresh = "?", after;
  std::thread{[&] {
    fresh = mluOpCpuGetLastError();
    mluOpDestroy(nullptr);
    after = mluOpCpuGetLastError();
  }}.join();
  EXPECT_EQ(fresh, "");
  EXPECT_EQ(after, "mluOpDestroy: handle must not be null");
  EXPECT_STREQ(mluOpCpuGetLastError(), "mluOpSetQueue: handle must not be null");
}

TEST(Handle, LastErrorOutlivesSuccess) {
  mluOpSetQueue(nullptr, nullptr);
  const Handle handle;
  ASSERT_EQ(mluOpSetQueue(handle, nullptr), MLUOP_STATUS_SUCCESS);
  EXPECT_STREQ(mluOpCpuGetLastError(), "mluOpSetQueue: handle must not be null");
}

TEST(Handle, TwoThreadsWithAHandleEach) {
  const auto work = [](int threads) {
    for (int round = 0; round < 200; ++round) {
      Handle handle;
      handle.threads(threads);
      handle.limits(threads == 1 ? MLUOP_CPU_LIMITS_MLU : MLUOP_CPU_LIMITS_NONE);
      EXPECT_EQ(mluOpCpuSetThreads(handle, -threads), MLUOP_STATUS_BAD_PARAM);
      EXPECT_EQ(mluOpCpuGetLastError(),
                "mluOpCpuSetThreads: threads must be at least 1, got -" + std::to_string(threads));
      std::byte* const scratch = handle.get()->scratch.require(4096);
      scratch[4095] = static_cast<std::byte>(threads);
      EXPECT_EQ(handle.threads(), threads);
      EXPECT_EQ(handle.get()->card_limits(), threads == 1);
      EXPECT_EQ(scratch[4095], static_cast<std::byte>(threads));
    }
  };
  std::thread first{work, 1}, second{work, 2};
  first.join();
  second.join();
}

TEST(Status, ExceptionsBecomeStatuses) {
  expect_failures({
      {"f: out of memory", [] { return guarded("f", [] { throw std::bad_alloc{}; }); },
       MLUOP_STATUS_ALLOC_FAILED},
      {"f: out of memory",
       [] { return guarded("f", [] { std::vector<int>{}.reserve(SIZE_MAX); }); },
       MLUOP_STATUS_ALLOC_FAILED},
      {"f: internal error: broken",
       [] { return guarded("f", [] { throw std::runtime_error{"broken"}; }); },
       MLUOP_STATUS_INTERNAL_ERROR},
      {"f: internal error", [] { return guarded("f", [] { throw 1; }); },
       MLUOP_STATUS_INTERNAL_ERROR},
      {"f: too wide",
       [] { return guarded("f", [] {
              throw Failure{MLUOP_STATUS_NOT_SUPPORTED, "too wide"};
            }); },
       MLUOP_STATUS_NOT_SUPPORTED},
  });
}

TEST(Status, LongSentencesAreCut) {
  EXPECT_EQ(fail(MLUOP_STATUS_BAD_PARAM, std::string(5000, 'x')), MLUOP_STATUS_BAD_PARAM);
  EXPECT_EQ(last_error(), std::string(1000, 'x'));
  fail(MLUOP_STATUS_BAD_PARAM, std::string_view{last_error()}.substr(990));
  EXPECT_EQ(last_error(), std::string(10, 'x'));
}

TEST(Arena, GrowsKeepsAndAligns) {
  Arena arena;
  for (std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{3} << 20}) {
    std::byte* const region = arena.require(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region) % cache_line_bytes, 0u);
    EXPECT_GE(arena.capacity(), bytes);
    region[0] = region[bytes - 1] = std::byte{1};
  }
  std::byte* const large = arena.require(std::size_t{3} << 20);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large) % (std::size_t{2} << 20), 0u);
  EXPECT_EQ(arena.require(10), large) << "a smaller request reuses the block";
  EXPECT_NE(Arena{}.require(0), nullptr);
}

TEST(Arena, RunningOutOfMemoryLeavesTheHandleUsable) {
  const Handle handle;
  handle.get()->scratch.require(1000);
  for (std::size_t bytes : {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX - 63, address_space_bytes + 1}) {
    expect_failures({{"f: out of memory",
                      [&] { return guarded("f", [&] { handle.get()->scratch.require(bytes); }); },
                      MLUOP_STATUS_ALLOC_FAILED}});
    EXPECT_EQ(handle.get()->scratch.capacity(), 0u);
  }
  std::byte* const region = handle.get()->scratch.require(1000);
  region[999] = std::byte{1};
  EXPECT_EQ(handle.get()->scratch.capacity(), 1000u);
}

}  // namespace
}  // namespace mluop
