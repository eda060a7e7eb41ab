// Settings of the recorder: API functions, variables, selection of operators.
#include "recorder/settings.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "recorder/capture.hpp"
#include "testing/faults/failing_calls.hpp"
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

TEST(RecorderMode, OfAnUnknownValueIsWhatItWas) {
  set_mode(std::nullopt);
  const ReadEnvironment known("MLUOP_GEN_CASE", "1");
  const ScopedEnvironment unknown("MLUOP_GEN_CASE", "often");
  mluOpHandle_t handle = nullptr;
  EXPECT_EQ(mluOpCreate(&handle), MLUOP_STATUS_BAD_PARAM);
  EXPECT_EQ(current_mode, Mode::shapes);
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

TEST(RecorderEnvironment, IsCheckedWhenAHandleIsCreated) {
  struct Row {
    const char *name, *value, *sentence;
  };
  const Row rows[] = {
      {"MLUOP_GEN_CASE", "4", R"(mluOpCreate: MLUOP_GEN_CASE must be one of 0, 1, 2, 3, got "4")"},
      {"MLUOP_GEN_CASE_DUMP_DATA", "hex",
       R"(mluOpCreate: MLUOP_GEN_CASE_DUMP_DATA must be one of 0, 1, 2, got "hex")"},
      {"MLUOP_GEN_CASE_DUMP_DATA_OUTPUT", "3",
       R"(mluOpCreate: MLUOP_GEN_CASE_DUMP_DATA_OUTPUT must be one of 0, 1, 2, got "3")"},
      {"MLUOP_GEN_CASE_DUMP_DATA_FILE", "2",
       R"(mluOpCreate: MLUOP_GEN_CASE_DUMP_DATA_FILE must be one of 0, 1, got "2")"},
      {"MLUOP_GEN_CASE_DUMP_INTERNAL", "yes",
       R"(mluOpCreate: MLUOP_GEN_CASE_DUMP_INTERNAL must be one of 0, 1, got "yes")"},
  };
  for (const Row& row : rows) {
    const ScopedEnvironment variable(row.name, row.value);
    mluOpHandle_t handle = nullptr;
    expect_failures({{row.sentence, [&] { return mluOpCreate(&handle); }}});
  }
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
