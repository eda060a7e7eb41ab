// Lines of the log for calls of operators: every operator has them, whether the call succeeds or fails.
#include "core/status/call_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "core/design/design.hpp"
#include "core/status/log.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/suite.hpp"

namespace mluop {
namespace {

using testing::Handle;
using testing::Suite;

/// Keeps the lines of one level.
class CallLogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    mluOpCpuSetLogCallback(
        [](mluOpCpuLogLevel_t level, const char* line, void* user) {
          auto& self = *static_cast<CallLogTest*>(user);
          if (level == MLUOP_CPU_LOG_INFO) self.calls.emplace_back(line);
          if (level == MLUOP_CPU_LOG_DEBUG) self.plans.emplace_back(line);
        },
        this);
    mluOpCpuSetLogLevel(MLUOP_CPU_LOG_INFO);
  }
  void TearDown() override {
    mluOpCpuSetLogCallback(nullptr, nullptr);
    set_log_level(std::nullopt);
  }
  void forget() {
    calls.clear();
    plans.clear();
  }

  std::vector<std::string> calls, plans;
};

/// An edge case that does some work.
std::unique_ptr<testing::Call> small_call(const Suite& suite) {
  for (const testing::Case& test_case : suite.cases) {
    if (test_case.kind == testing::Case::Kind::network) continue;
    auto call = test_case.make(suite.dtypes_of(test_case).front());
    const double bytes = call->cost().bytes_written;
    if (bytes > 0 && bytes < 1e6) return call;
  }
  throw std::logic_error("no small case of " + suite.op);
}

TEST_F(CallLogTest, EveryOperatorHasOneLinePerCall) {
  const std::regex line(
      "([a-z0-9_]+)(( [a-z0-9_]+=[a-z0-9]+\\[[0-9,]*\\](:[A-Z]+)?){2,}) design=(\\w+) isa=(\\w+) "
      "threads=([0-9]+) ms=[0-9]+\\.[0-9]{3} status=MLUOP_STATUS_SUCCESS");
  for (const Suite& suite : testing::suites()) {
    SCOPED_TRACE(suite.op);
    Handle handle;
    const auto call = small_call(suite);
    forget();
    ASSERT_EQ(call->run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    ASSERT_EQ(calls.size(), 1u);
    std::smatch found;
    ASSERT_TRUE(std::regex_match(calls[0], found, line)) << calls[0];
    EXPECT_EQ(found[1], suite.op);
    EXPECT_EQ(found[5], handle.used());
    EXPECT_EQ(found[6], handle.isa());
    EXPECT_TRUE(plans.empty()) << "level info has no plans";
  }
}

TEST_F(CallLogTest, DebugAddsThePlan) {
  mluOpCpuSetLogLevel(MLUOP_CPU_LOG_DEBUG);
  const std::regex line(
      "([a-z0-9_]+) plan: design=(\\w+)( passed_over=[\\w:,]+)? handle_threads=([0-9]+)"
      "(( [a-z_]+=[0-9]+)*) loops=([0-9/,+]+)");
  std::string all;
  for (const Suite& suite : testing::suites()) {
    SCOPED_TRACE(suite.op);
    Handle handle;
    const auto call = small_call(suite);
    forget();
    ASSERT_EQ(call->run(handle.threads(2)), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    ASSERT_EQ(plans.size(), 1u);
    std::smatch found;
    ASSERT_TRUE(std::regex_match(plans[0], found, line)) << plans[0];
    EXPECT_EQ(found[1], suite.op);
    EXPECT_EQ(found[2], handle.used());
    EXPECT_EQ(found[4], "2");
    all += plans[0] + '\n';
  }
  for (const char* note : {"scratch_bytes=", "workspace_bytes=", "tile_columns=", "tile_rows="}) {
    EXPECT_NE(all.find(note), std::string::npos) << note << " in\n" << all;
  }
}

/// The rows of the bad calls: each makes a call that fails, and a few valid ones.
TEST_F(CallLogTest, FailedCallsHaveOneToo) {
  for (const Suite& suite : testing::suites()) {
    SCOPED_TRACE(suite.op);
    forget();
    const std::size_t rows = suite.bad_calls().size();
    const std::string status = " status=MLUOP_STATUS_";
    const auto failed = std::count_if(calls.begin(), calls.end(), [&](const std::string& line) {
      return line.find(status) != std::string::npos && !line.ends_with(status + "SUCCESS") &&
             line.starts_with(suite.op + " ");
    });
    // Not in every row: some spoil a descriptor, which its setter refuses, or a query.
    EXPECT_GT(failed, static_cast<std::ptrdiff_t>(rows / 3)) << rows << " rows";
    for (const std::string& line : calls) EXPECT_NE(line.find(" ms="), std::string::npos) << line;
  }
}

/// A map of 1 x 2 x 2 x 1 and its boxes.
class AlignedMap {
 public:
  AlignedMap() {
    mluOpCreateTensorDescriptor(&map_);
    mluOpCreateTensorDescriptor(&box_);
    const int map_dims[] = {1, 2, 2, 1}, box_dims[] = {1, 2, 2, 5};
    mluOpSetTensorDescriptor(map_, MLUOP_LAYOUT_NHWC, MLUOP_DTYPE_FLOAT, 4, map_dims);
    mluOpSetTensorDescriptor(box_, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 4, box_dims);
  }
  ~AlignedMap() {
    mluOpDestroyTensorDescriptor(map_);
    mluOpDestroyTensorDescriptor(box_);
  }
  AlignedMap(const AlignedMap&) = delete;
  AlignedMap& operator=(const AlignedMap&) = delete;

  mluOpStatus_t align(mluOpHandle_t handle, int points) {
    return mluOpRotatedFeatureAlignForward(handle, map_, input_, box_, boxes_, 1.0f, points, map_,
                                           output_);
  }

 private:
  mluOpTensorDescriptor_t map_ = nullptr, box_ = nullptr;
  float input_[4] = {1, 2, 3, 4}, boxes_[20] = {}, output_[4] = {};
};

std::string without_time(std::string line) {
  return std::regex_replace(line, std::regex("ms=[0-9.]+"), "ms=#");
}

const std::string align_tensors =
    "rotated_feature_align_forward input=float[1,2,2,1]:NHWC bboxes=float[1,2,2,5] "
    "output=float[1,2,2,1]:NHWC ";

TEST_F(CallLogTest, NamesShapesDesignAndStatus) {
  AlignedMap map;
  Handle handle;
  forget();
  ASSERT_EQ(map.align(handle.isa("generic"), 1), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(map.align(handle, 2), MLUOP_STATUS_BAD_PARAM);
  ASSERT_EQ(map.align(nullptr, 1), MLUOP_STATUS_BAD_PARAM);
  ASSERT_EQ(calls.size(), 3u) << "neither handles nor descriptors are logged";
  EXPECT_EQ(without_time(calls[0]),
            align_tensors + "design=narrow isa=generic threads=1 ms=# status=MLUOP_STATUS_SUCCESS");
  EXPECT_EQ(without_time(calls[1]), align_tensors + "ms=# status=MLUOP_STATUS_BAD_PARAM");
  EXPECT_EQ(without_time(calls[2]), align_tensors + "ms=# status=MLUOP_STATUS_BAD_PARAM");
}

TEST_F(CallLogTest, TellsWhyDesignsWerePassedOver) {
  const Suite& suite = *testing::find_suite("carafe_backward");
  Handle handle;
  mluOpCpuSetLogLevel(MLUOP_CPU_LOG_DEBUG);
  const auto call = small_call(suite);
  ASSERT_EQ(call->run(handle.isa("generic")), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(plans.size(), 1u);
  EXPECT_NE(
      plans[0].find(
          " passed_over=small_groups:level,avx512_window:level,transposed:level,blocks:level "),
      std::string::npos)
      << plans[0];
  handle.implementation(suite.op, "general");
  forget();
  ASSERT_EQ(call->run(handle), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(plans.size(), 1u);
  EXPECT_NE(plans[0].find(" passed_over=small_groups:forced,"), std::string::npos) << plans[0];
}

TEST_F(CallLogTest, OffThereIsNoPlan) {
  for (const auto level : {MLUOP_CPU_LOG_OFF, MLUOP_CPU_LOG_WARNING}) {
    mluOpCpuSetLogLevel(level);
    guarded("mluOpCarafeForward", [] { EXPECT_EQ(CallLog::current(), nullptr); });
  }
  mluOpCpuSetLogLevel(MLUOP_CPU_LOG_INFO);
  guarded("mluOpCarafeForward", [] {
    EXPECT_NE(CallLog::current(), nullptr);
    std::thread([] { EXPECT_EQ(CallLog::current(), nullptr) << "of another thread"; }).join();
  });
  EXPECT_EQ(CallLog::current(), nullptr);
  EXPECT_EQ(calls.size(), 1u);
}

/// A call that a callback makes has no line, and does not disturb the one that is written.
TEST_F(CallLogTest, CallbacksMayCallOperators) {
  static AlignedMap* map;
  static mluOpHandle_t handle;
  static int lines;
  AlignedMap own;
  const Handle other;
  map = &own, handle = other, lines = 0;
  mluOpCpuSetLogCallback(
      [](mluOpCpuLogLevel_t, const char*, void*) {
        ++lines;
        EXPECT_EQ(map->align(handle, 5), MLUOP_STATUS_SUCCESS);
      },
      nullptr);
  EXPECT_EQ(own.align(handle, 1), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(lines, 1);
  EXPECT_EQ(CallLog::current(), nullptr);
}

TEST(OperatorOfFunction, IgnoresPrefixUnderscoresAndCapitals) {
  const auto name_of = [](const char* function) {
    const OperatorInfo* const op = operator_of_function(function);
    return std::string(op != nullptr ? op->name : "none");
  };
  EXPECT_EQ(name_of("mluOpGetIndicePairs"), "get_indice_pairs");
  EXPECT_EQ(name_of("mluOpRoiAwarePool3dForward"), "roiaware_pool3d_forward");
  EXPECT_EQ(name_of("mluOpCpuIndiceConvolutionBackwardFilter"),
            "indice_convolution_backward_filter");
  EXPECT_EQ(name_of("mluOpPointsInBoxes"), "points_in_boxes");
  EXPECT_EQ(name_of("mluOpCpuPointsInBoxesAll"), "points_in_boxes_all");
  for (const char* other : {"mluOpGetIndicePairsWorkspaceSize", "mluOpCreate", "mluOp", "",
                            "mluOpPointsInBoxesAllOfThem", "mluOpCarafe"}) {
    EXPECT_EQ(name_of(other), "none") << other;
  }
}

TEST(Plan, KeepsTheLargestOfANameAndTheFirstLoops) {
  Plan plan;
  note_plan("scratch", 3);
  note_plan("scratch", 7);
  note_plan("scratch", 5);
  ASSERT_EQ(plan.notes().size(), 1u);
  EXPECT_EQ(plan.notes()[0].value, 7);
  EXPECT_EQ(plan.threads(), 1);
  for (int i = 0; i < 100; ++i) plan.add({i, 1, i % 5});
  EXPECT_EQ(plan.loop_count(), 100u);
  ASSERT_FALSE(plan.loops().empty());
  EXPECT_EQ(plan.loops().back().count, static_cast<std::int64_t>(plan.loops().size()) - 1);
  EXPECT_EQ(plan.threads(), 4);
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (int i = 0; i < 100; ++i) list.push_back("note" + std::to_string(i));
    return list;
  }();
  for (const std::string& name : names) note_plan(name.c_str(), 1);  // beyond its room
  EXPECT_STREQ(plan.notes()[1].name, "note0");
  {
    const Plan inner;
    note_plan("scratch", 100);
    EXPECT_EQ(inner.notes().size(), 1u);
  }
  EXPECT_EQ(Plan::current(), &plan);
  EXPECT_EQ(plan.notes()[0].value, 7);
}

TEST(LineBuffer, LeavesOutWhatDoesNotFit) {
  LineBuffer line;
  line << "a" << std::int64_t{-7} << " " << 1.0 / 3;
  EXPECT_EQ(line.text(), "a-7 0.333");
  line << std::string(5000, 'x') << "end";
  EXPECT_EQ(line.text().size(), 1000u);
  EXPECT_EQ(line.text().back(), 'x');
}

}  // namespace
}  // namespace mluop
