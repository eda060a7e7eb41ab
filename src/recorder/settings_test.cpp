// Settings of the recorder: API functions, variables, selection of operators.
#include "recorder/settings.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "recorder/capture.hpp"
#include "testing/faults/failing_calls.hpp"
#include "testing/faults/logged_warnings.hpp"
#include "testing/faults/read_environment.hpp"

namespace mluop::recorder {
namespace {

using testing::expect_failures;
using testing::ReadEnvironment;
using testing::ScopedEnvironment;

TEST(RecorderSelection, FollowsTheGrammarOfTheVariable) {
  using enum Selection;
  struct Row {
    const char* names;
    const char* op;
    Selection expected;
  };
  const Row rows[] = {
      {"", "a", included},       {"all", "a", included},      {"a;b", "a", included},
      {"a;b", "b", included},    {"a;b", "c", excluded},      {"a", "ab", excluded},
      {"-a;-b", "a", excluded},  {"-a;-b", "b", excluded},    {"-a;-b", "c", included},
      {"+a", "a", with_values},  {"+a", "b", included},       {"+a;b", "b", included},
      {"+a;-b", "b", excluded},  {"+a;-b", "a", with_values}, {" a ; b ;", "b", included},
      {";;", "a", included},     {"-all", "a", excluded},     {"+all", "a", with_values},
      {"b;a;-a", "a", included},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(selection_of(row.names, row.op), row.expected) << row.names << " for " << row.op;
  }
}

TEST(RecorderMode, IsThatOfTheLatestHandleUntilItIsSet) {
  set_mode(std::nullopt);
  for (const auto& [value, expected] : {std::pair{"0", Mode::off}, std::pair{"1", Mode::shapes},
                                        std::pair{"2", Mode::data}, std::pair{"3", Mode::screen}}) {
    const ReadEnvironment variable("MLUOP_GEN_CASE", value);
    EXPECT_EQ(current_mode, expected);
  }
  EXPECT_EQ(current_mode, Mode::off);
  {
    const ScopedEnvironment unread("MLUOP_GEN_CASE", "2");
    EXPECT_EQ(current_mode, Mode::off) << "no handle has been created since";
  }
  mluOpSetGenCaseMode(0);
  const ReadEnvironment variable("MLUOP_GEN_CASE", "2");
  EXPECT_EQ(current_mode, Mode::off) << "a call overrides the variable, before and after";
  set_mode(std::nullopt);
  EXPECT_EQ(current_mode, Mode::data);
}

TEST(RecorderMode, OfAnUnknownValueIsOff) {
  set_mode(std::nullopt);
  const ReadEnvironment known("MLUOP_GEN_CASE", "1");
  EXPECT_EQ(current_mode, Mode::shapes);
  const ReadEnvironment unknown("MLUOP_GEN_CASE", "often");
  EXPECT_EQ(current_mode, Mode::off);
}

TEST(RecorderMode, IsThatOfCapturesWhileThereIsOne) {
  set_mode(Mode::shapes);
  {
    const Capture capture("unused", Order{});
    const ReadEnvironment variable("MLUOP_GEN_CASE", "2");
    EXPECT_EQ(current_mode, Mode::captures) << "whatever a new handle reads";
  }
  EXPECT_EQ(current_mode, Mode::shapes);
  set_mode(std::nullopt);
}

/// As in MLU-OPS: what is not understood counts as unset, and is logged.
TEST(RecorderEnvironment, WarnsWhenAHandleIsCreated) {
  struct Row {
    const char *name, *value, *problem;
  };
  const Row rows[] = {
      {"MLUOP_GEN_CASE", "4", R"(a number from 0 to 3, got "4"; it counts as 0)"},
      {"MLUOP_GEN_CASE", "-1", R"(a number from 0 to 3, got "-1"; it counts as 0)"},
      {"MLUOP_GEN_CASE", "1x", R"(a number from 0 to 3, got "1x"; it counts as 0)"},
      {"MLUOP_GEN_CASE_DUMP_DATA", "hex", R"(a number from 0 to 2, got "hex"; it counts as 0)"},
      {"MLUOP_GEN_CASE_DUMP_DATA_OUTPUT", "3", R"(a number from 0 to 2, got "3"; it counts as 0)"},
      {"MLUOP_GEN_CASE_DUMP_DATA_FILE", "2",
       R"(1, ON, YES or TRUE to be true, got "2"; it counts as false)"},
      {"MLUOP_GEN_CASE_DUMP_INTERNAL", "perhaps",
       R"(1, ON, YES or TRUE to be true, got "perhaps"; it counts as false)"},
  };
  for (const Row& row : rows) {
    const testing::LoggedWarnings log;
    const ReadEnvironment variable(row.name, row.value);
    EXPECT_EQ(log.lines(), std::vector<std::string>{std::string{"mluOpCreate: "} + row.name +
                                                    " must be " + row.problem});
    EXPECT_EQ(current_mode, Mode::off);
    EXPECT_EQ(order_for("a"), Order{});
  }
}

TEST(RecorderEnvironment, AcceptsWhatMluOpsAccepts) {
  const testing::LoggedWarnings log;
  const ReadEnvironment internal("MLUOP_GEN_CASE_DUMP_INTERNAL", "yes");
  const ReadEnvironment file("MLUOP_GEN_CASE_DUMP_DATA_FILE", "On");
  EXPECT_EQ(order_for("a")->inline_bytes, 0u);
  const ReadEnvironment data("MLUOP_GEN_CASE_DUMP_DATA", "+02");
  EXPECT_EQ(order_for("a")->notation, Notation::bits);
  EXPECT_EQ(order_for("a")->kept, Need::nothing);
  const ReadEnvironment empty("MLUOP_GEN_CASE", "");
  EXPECT_EQ(current_mode, Mode::off);
  EXPECT_TRUE(log.lines().empty()) << log.lines()[0];
}

TEST(RecorderOrder, ComesFromTheVariables) {
  mluOpSetGenCaseMode(1);
  EXPECT_EQ(order_for("a")->kept, Need::always);
  EXPECT_EQ(order_for("a")->outputs, std::nullopt);
  EXPECT_EQ(order_for("a")->inline_bytes, Order{}.inline_bytes);
  mluOpSetGenCaseMode(2);
  EXPECT_EQ(order_for("a")->kept, Need::values);
  EXPECT_EQ(order_for("a")->notation, Notation::bits);
  {
    const ReadEnvironment data("MLUOP_GEN_CASE_DUMP_DATA", "1");
    EXPECT_EQ(order_for("a")->kept, Need::nothing);
    EXPECT_EQ(order_for("a")->notation, Notation::text);
  }
  {
    const ReadEnvironment data("MLUOP_GEN_CASE_DUMP_DATA", "2");
    const ReadEnvironment outputs("MLUOP_GEN_CASE_DUMP_DATA_OUTPUT", "1");
    const ReadEnvironment file("MLUOP_GEN_CASE_DUMP_DATA_FILE", "1");
    EXPECT_EQ(order_for("a")->kept, Need::nothing);
    EXPECT_EQ(order_for("a")->notation, Notation::bits);
    EXPECT_EQ(order_for("a")->outputs, Notation::text);
    EXPECT_EQ(order_for("a")->inline_bytes, 0u);
  }
  {
    const ReadEnvironment names("MLUOP_GEN_CASE_OP_NAME", "+a;-b");
    EXPECT_EQ(order_for("a")->kept, Need::nothing);
    EXPECT_EQ(order_for("b"), std::nullopt);
    EXPECT_EQ(order_for("c")->kept, Need::values);
  }
  set_mode(std::nullopt);
}

TEST(RecorderDirectoryVariable, CountsUntilADirectoryIsSet) {
  const ReadEnvironment variable("MLUOP_GEN_CASE_DIR", "from/{pid}");
  set_directory(std::nullopt);
  EXPECT_EQ(directory(), "from/{pid}");
  ASSERT_EQ(mluOpSetGenCaseDirectory("chosen"), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(directory(), "chosen");
  set_directory(std::nullopt);
}

TEST(RecorderMode, IsKeptAndUnknownOnesMeanOff) {
  for (int mode : {1, 2, 3, 0}) {
    mluOpSetGenCaseMode(mode);
    EXPECT_EQ(current_mode, static_cast<Mode>(mode));
  }
  for (int unknown : {4, -1}) {
    mluOpSetGenCaseMode(1);
    mluOpSetGenCaseMode(unknown);
    EXPECT_EQ(current_mode, Mode::off);
  }
  set_mode(std::nullopt);
}

class RecorderDirectory : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mluOpSetGenCaseDirectory("cases/today"), MLUOP_STATUS_SUCCESS);
  }
  void TearDown() override { set_directory(std::nullopt); }

  char buffer[12] = {};
  std::size_t length = 0;
  mluOpStatus_t status = MLUOP_STATUS_INTERNAL_ERROR;
};

TEST_F(RecorderDirectory, IsCopiedIntoTheBuffer) {
  EXPECT_EQ(mluOpGetGenCaseDirectory(buffer, sizeof(buffer), &length, &status), buffer);
  EXPECT_STREQ(buffer, "cases/today");
  EXPECT_EQ(length, 11u);
  EXPECT_EQ(status, MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(mluOpGetGenCaseDirectory(buffer, sizeof(buffer), nullptr, nullptr), buffer);
}

TEST_F(RecorderDirectory, LengthCanBeAskedForAlone) {
  EXPECT_EQ(mluOpGetGenCaseDirectory(nullptr, 0, &length, &status), nullptr);
  EXPECT_EQ(length, 11u);
  EXPECT_EQ(status, MLUOP_STATUS_SUCCESS);
}

TEST_F(RecorderDirectory, TooLittleRoomIsBadParam) {
  buffer[0] = '#';
  expect_failures({
      {"mluOpGetGenCaseDirectory: bufferSize must be at least 12, got 11",
       [&] {
         EXPECT_EQ(mluOpGetGenCaseDirectory(buffer, 11, &length, &status), nullptr);
         return status;
       }},
      {"mluOpGetGenCaseDirectory: buffer must not be null",
       [&] {
         EXPECT_EQ(mluOpGetGenCaseDirectory(nullptr, 12, &length, &status), nullptr);
         return status;
       }},
  });
  EXPECT_EQ(buffer[0], '#') << "nothing may be written";
  EXPECT_EQ(length, 11u);
}

}  // namespace
}  // namespace mluop::recorder
