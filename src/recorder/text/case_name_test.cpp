// Names of recorded cases.
#include "recorder/text/case_name.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>
#include <thread>

#include "testing/faults/scoped_environment.hpp"

namespace mluop::recorder {
namespace {

TEST(CaseName, HasLocalTimeThreadAndDevice) {
  const testing::ScopedEnvironment zone("TZ", "UTC");
  tzset();
  using namespace std::chrono;
  const Moment moment{sys_days{January / 31 / 2026} + 23h + 59min + 58s + 42us};
  EXPECT_EQ(case_name("carafe_forward", moment), "carafe_forward_20260131_23_59_58_000042_tid" +
                                                     std::to_string(syscall(SYS_gettid)) +
                                                     "_device0");
}

TEST(CaseName, DiffersBetweenThreads) {
  const Moment moment{};
  std::string other;
  std::thread([&] { other = case_name("a", moment); }).join();
  EXPECT_NE(case_name("a", moment), other);
}

TEST(CaseFolder, ExpandsProcessAndDevice) {
  const std::string pid = std::to_string(getpid());
  EXPECT_EQ(expanded("{pid}/x{deviceid}/{pid}{other}"), pid + "/x0/" + pid + "{other}");
  EXPECT_EQ(case_folder("cases", "a"), "cases/gen_case/a");
  EXPECT_EQ(case_folder("", "a"), "gen_case/a");
}

}  // namespace
}  // namespace mluop::recorder
