// Recording during fork and thread cancellation.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <thread>

#include "recorder/recorder_fixture.hpp"
#include "testing/faults/forked.hpp"
#include "testing/faults/read_environment.hpp"

namespace mluop::recorder {
namespace {

using testing::Handle;
using testing::ReadEnvironment;

/// Side files and results, for the maximum number of write steps.
class RecorderEnds : public RecorderTest {
 protected:
  void SetUp() override {
    RecorderTest::SetUp();
    mluOpSetGenCaseMode(2);
  }

  /// Checks that every case and side file is complete and that there are no other files; returns their number.
  std::size_t expect_whole_cases() const {
    std::size_t cases = 0, others = 0;
    for (const auto& file : files()) {
      if (file.extension() != ".prototxt") {
        ++others;
        continue;
      }
      ++cases;
      EXPECT_TRUE(contents_of(file).ends_with("baseline_device: CPU\n}\n")) << file;
      auto stem = file;
      stem.replace_extension();
      EXPECT_EQ(contents_of(stem.string() + "_data0_input").size(), sizeof(float));
      EXPECT_EQ(contents_of(stem.string() + "_data1_input").size(), 5 * sizeof(float));
      EXPECT_EQ(contents_of(stem.string() + "_data2_output").size(), sizeof(float));
    }
    EXPECT_EQ(others, 3 * cases);
    return cases;
  }

 private:
  ReadEnvironment data_{"MLUOP_GEN_CASE_DUMP_DATA", "2"};
  ReadEnvironment outputs_{"MLUOP_GEN_CASE_DUMP_DATA_OUTPUT", "2"};
  ReadEnvironment beside_{"MLUOP_GEN_CASE_DUMP_DATA_FILE", "1"};
};

TEST_F(RecorderEnds, AChildRecordsWhateverTheOtherThreadsDo) {
  if (testing::no_fork_beside_threads != nullptr) GTEST_SKIP() << testing::no_fork_beside_threads;
  const auto record = [] {
    Handle handle;
    handle.threads(1);
    return PixelCall{}.run(handle) == MLUOP_STATUS_SUCCESS ? 0 : 1;
  };
  EXPECT_EQ(testing::exit_of_children(50, record, record), 0);
  EXPECT_GE(expect_whole_cases(), 50u);
  EXPECT_TRUE(log.lines().empty()) << log.lines().front();
}

/// Long, so that the lock is held for a long time.
TEST_F(RecorderEnds, AChildReadsTheDirectoryWhateverTheOtherThreadsDo) {
  if (testing::no_fork_beside_threads != nullptr) GTEST_SKIP() << testing::no_fork_beside_threads;
  const std::string path(100000, 'p');
  const auto set_and_read = [&] {
    return mluOpSetGenCaseDirectory(path.c_str()) == MLUOP_STATUS_SUCCESS && directory() == path
               ? 0
               : 1;
  };
  EXPECT_EQ(testing::exit_of_children(500, set_and_read, set_and_read), 0);
}

/// A cancelled thread has completed or removed its files.
TEST_F(RecorderEnds, ACancelledThreadLeavesWholeFiles) {
  struct Shared {
    std::atomic<int> calls = 0;
  };
  const auto body = [](void* argument) -> void* {
    Handle handle;
    handle.threads(1);
    PixelCall call;
    for (;;) {
      call.run(handle);
      ++static_cast<Shared*>(argument)->calls;
      pthread_testcancel();
    }
  };
  for (int round = 0; round < 100; ++round) {
    Shared shared;
    pthread_t thread{};
    ASSERT_EQ(pthread_create(&thread, nullptr, body, &shared), 0);
    while (shared.calls < 1) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(37 * (round % 17)));
    ASSERT_EQ(pthread_cancel(thread), 0);
    void* result = nullptr;
    ASSERT_EQ(pthread_join(thread, &result), 0);
    EXPECT_EQ(result, PTHREAD_CANCELED);
  }
  EXPECT_GE(expect_whole_cases(), 100u);
}

TEST_F(RecorderEnds, AThreadCanBeCancelledAfterARecordedCall) {
  Handle handle;
  PixelCall call;
  ASSERT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS);
  int state = -1;
  ASSERT_EQ(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state), 0);
  EXPECT_EQ(state, PTHREAD_CANCEL_ENABLE);
}

}  // namespace
}  // namespace mluop::recorder
