// Recorded calls whose n-th allocation fails, for every n: the call succeeds or returns an error, and leaves
// a complete case or none.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

#include "casefile/reader.hpp"
#include "core/status/status.hpp"
#include "recorder/recorded.hpp"
#include "recorder/recorder_fixture.hpp"
#include "testing/faults/failing_allocations.hpp"
#include "testing/faults/read_environment.hpp"
#include "testing/faults/scoped_environment.hpp"

namespace mluop::recorder {
namespace {

using testing::FailingAllocations;
using testing::ReadEnvironment;

struct Way {
  const char *name, *mode, *data, *outputs, *beside;
};

class ScarceRecording : public RecorderTest, public ::testing::WithParamInterface<Way> {
 protected:
  void SetUp() override {
    RecorderTest::SetUp();
    mluOpSetGenCaseMode(std::stoi(GetParam().mode));
    handle.threads(1);
    // The callback of the fixture allocates.
    mluOpCpuSetLogCallback(
        [](mluOpCpuLogLevel_t, const char* line, void*) {
          std::snprintf(last_line, sizeof(last_line), "%s", line);
          ++line_count;
        },
        nullptr);
  }

  /// Calls see(status) after a call whose first, second, … allocation failed, until no allocation fails.
  template <class See>
  void for_each_failure(FailingAllocations::Later later, See see) {
    PixelCall call;
    bool whole_call = false;
    for (long n = 0; !whole_call; ++n) {
      SCOPED_TRACE(n);
      ASSERT_LT(n, 5000);
      handle.get()->scratch = {};
      line_count = 0;
      ::testing::internal::CaptureStdout();
      mluOpStatus_t status{};
      {
        const FailingAllocations scarce(n, later);
        status = call.run(handle);
        whole_call = scarce.failures() == 0;
      }
      ::testing::internal::GetCapturedStdout();
      if (status == MLUOP_STATUS_SUCCESS) {
        EXPECT_EQ(call.output.get(0), 2 * call.input.get(0));
      } else {
        ASSERT_EQ(status, MLUOP_STATUS_ALLOC_FAILED) << mluOpCpuGetLastError();
      }
      see(status);
    }
  }

  /// Removes all files; returns whether there was a case.
  bool take_whole_case() {
    bool found = false;
    for (const auto& file : files()) {
      if (file.extension() != ".prototxt") continue;
      EXPECT_FALSE(found) << "more than one case";
      found = true;
      EXPECT_NO_THROW(casefile::read_call(file)) << contents_of(file);
    }
    if (!found) {
      EXPECT_TRUE(files().empty()) << files().front();
    }
    std::filesystem::remove_all(root / "gen_case");
    return found;
  }

  static inline char last_line[1000];
  static inline int line_count;
  testing::Handle handle;

 private:
  ReadEnvironment data_{"MLUOP_GEN_CASE_DUMP_DATA", GetParam().data};
  ReadEnvironment outputs_{"MLUOP_GEN_CASE_DUMP_DATA_OUTPUT", GetParam().outputs};
  ReadEnvironment beside_{"MLUOP_GEN_CASE_DUMP_DATA_FILE", GetParam().beside};
};

TEST_P(ScarceRecording, LeavesAWholeCaseOrNothing) {
  const bool files_wanted = std::string_view{GetParam().mode} != "3";
  for (const auto later : {FailingAllocations::Later::succeed, FailingAllocations::Later::fail}) {
    int recorded = 0, skipped = 0, refused = 0;
    for_each_failure(later, [&](mluOpStatus_t status) {
      const bool found = take_whole_case();
      if (status == MLUOP_STATUS_ALLOC_FAILED) {
        EXPECT_FALSE(found);
        ++refused;
        return;
      }
      EXPECT_TRUE(found || !files_wanted || line_count == 1) << "skipped without a word";
      if (line_count > 0) {
        EXPECT_NE(std::strstr(last_line, " is not recorded: out of memory"), nullptr) << last_line;
      }
      ++(found ? recorded : skipped);
    });
    EXPECT_EQ(recorded > 0, files_wanted);
    EXPECT_GT(skipped, 10);
    EXPECT_GT(refused, 0);
  }
}

/// A failed allocation of the recorder does not fail the call.
TEST_P(ScarceRecording, RefusesNoCallThatRunsUnrecorded) {
  const auto refusals = [&] {
    int count = 0;
    for_each_failure(FailingAllocations::Later::succeed, [&](mluOpStatus_t status) {
      if (status == MLUOP_STATUS_ALLOC_FAILED) ++count;
    });
    return count;
  };
  const int recorded = refusals();
  mluOpSetGenCaseMode(0);
  EXPECT_EQ(recorded, refusals());
}

constexpr Way ways[] = {{"shapes", "1", "0", "0", "0"},       {"data", "2", "0", "0", "0"},
                        {"screen", "3", "0", "0", "0"},       {"decimals", "2", "1", "1", "0"},
                        {"bits", "2", "2", "2", "0"},         {"beside", "2", "2", "2", "1"},
                        {"shapes_beside", "1", "0", "1", "1"}};
INSTANTIATE_TEST_SUITE_P(Ways, ScarceRecording, ::testing::ValuesIn(ways),
                         [](const auto& way) { return std::string{way.param.name}; });

/// A call that needs no memory succeeds, whatever its lambdas capture.
TEST(ScarceRecorded, TheHookItselfNeedsNoMemory) {
  set_mode(Mode::shapes);
  const std::array<int, 64> held{7};
  int result = 0;
  Status status = MLUOP_STATUS_INTERNAL_ERROR;
  {
    const FailingAllocations scarce(0, FailingAllocations::Later::fail);
    status = guarded("f", [&] {
      return recorded(
          [held] {
            if (held[0] == 7) throw std::bad_alloc{};
            return Description{};
          },
          [held, &result] {
            result = held[0];
            return MLUOP_STATUS_SUCCESS;
          });
    });
  }
  EXPECT_EQ(status, MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(result, 7);
  set_mode(std::nullopt);
}

/// Repeats `call` until no allocation fails; before that it must return an error and change nothing.
template <class Call, class Check>
void expect_all_or_nothing(Call call, Check unchanged) {
  for (long n = 0;; ++n) {
    mluOpStatus_t status{};
    long failures = 0;
    {
      const FailingAllocations scarce(n);
      status = call();
      failures = scarce.failures();
    }
    if (failures == 0) {
      EXPECT_EQ(status, MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
      EXPECT_GT(n, 0) << "nothing was allocated";
      return;
    }
    EXPECT_EQ(status, MLUOP_STATUS_ALLOC_FAILED) << n;
    unchanged();
  }
}

const std::string long_path(300, 'p');

TEST(ScarceSettings, AHandleReadsAllVariablesOrNone) {
  set_mode(std::nullopt);
  set_directory(std::nullopt);
  const testing::ScopedEnvironment mode("MLUOP_GEN_CASE", "1");
  const testing::ScopedEnvironment path("MLUOP_GEN_CASE_DIR", long_path.c_str());
  mluOpHandle_t handle = nullptr;
  expect_all_or_nothing([&] { return mluOpCreate(&handle); },
                        [&] {
                          EXPECT_EQ(handle, nullptr);
                          EXPECT_EQ(current_mode, Mode::off);
                          EXPECT_EQ(directory(), "");
                        });
  EXPECT_EQ(current_mode, Mode::shapes);
  EXPECT_EQ(directory(), long_path);
  EXPECT_EQ(mluOpDestroy(handle), MLUOP_STATUS_SUCCESS);
}

TEST(ScarceSettings, ADirectoryIsSetOrNot) {
  set_directory("former");
  expect_all_or_nothing([&] { return mluOpSetGenCaseDirectory(long_path.c_str()); },
                        [] { EXPECT_EQ(directory(), "former"); });
  EXPECT_EQ(directory(), long_path);
  set_directory(std::nullopt);
}

}  // namespace
}  // namespace mluop::recorder
