// Calls with recording on and off: the files they write, and error handling.
#include <fnmatch.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <set>
#include <thread>

#include "recorder/recorder_fixture.hpp"
#include "testing/faults/read_environment.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::recorder {
namespace {

using testing::Handle;
using testing::ReadEnvironment;

class Recording : public RecorderTest {
 protected:
  void run(PixelCall call = PixelCall{}) {
    ASSERT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(call.output.get(0), 2 * call.input.get(0));
  }
  void SetUp() override {
    RecorderTest::SetUp();
    handle.threads(1);  // the calls are tiny
  }
  Handle handle;
};

TEST_F(Recording, OffLeavesNoFile) {
  mluOpSetGenCaseMode(0);
  run();
  EXPECT_TRUE(files().empty());
}

TEST_F(Recording, LeavesAFilePerCallWhoseNameSaysWhichAndWhen) {
  mluOpSetGenCaseMode(1);
  for (int i = 0; i < 3; ++i) run();
  ASSERT_EQ(files().size(), 3u);
  const char* const name =
      "rotated_feature_align_forward_????????_??_??_??_??????_tid*_device0.prototxt";
  for (const auto& file : files()) {
    EXPECT_EQ(file.parent_path(), root / "gen_case/rotated_feature_align_forward");
    EXPECT_EQ(fnmatch(name, file.filename().c_str(), 0), 0) << file;
  }
}

TEST_F(Recording, IsSwitchedOnByTheVariables) {
  const ReadEnvironment mode("MLUOP_GEN_CASE", "1");
  const ReadEnvironment directory("MLUOP_GEN_CASE_DIR", (root / "of{deviceid}").c_str());
  set_mode(std::nullopt);
  set_directory(std::nullopt);
  run();
  ASSERT_EQ(files().size(), 1u);
  EXPECT_EQ(files().front().parent_path(), root / "of0/gen_case/rotated_feature_align_forward");
}

TEST_F(Recording, ObeysTheSelectionOfOperators) {
  mluOpSetGenCaseMode(1);
  {
    const ReadEnvironment names("MLUOP_GEN_CASE_OP_NAME", "carafe_forward");
    run();
    EXPECT_TRUE(files().empty());
  }
  const ReadEnvironment names("MLUOP_GEN_CASE_OP_NAME", "+rotated_feature_align_forward");
  run();
  EXPECT_NE(only_case().find(R"(value_h: ["3f400000"])"), std::string::npos);
}

TEST_F(Recording, DataIsWhatTheModeAndTheVariablesSay) {
  struct Row {
    int mode;
    const char* dump;
    int random, values;
    const char* text;
  };
  const Row rows[] = {
      {1, "0", 2, 0, "lower_bound: -100"},
      {2, "0", 1, 1, R"(value_h: ["00000000", "00000000", "3f800000", "3f800000", "00000000"])"},
      {2, "1", 0, 2, "value_f: [0.75]"},
      {2, "2", 0, 2, R"(value_h: ["3f400000"])"},
      {1, "2", 0, 2, R"(value_h: ["3f400000"])"},
  };
  const auto occurrences = [](const std::string& text, const std::string& what) {
    int count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
      ++count;
    }
    return count;
  };
  for (const Row& row : rows) {
    mluOpSetGenCaseMode(row.mode);
    const ReadEnvironment dump("MLUOP_GEN_CASE_DUMP_DATA", row.dump);
    run();
    const std::string text = only_case();
    EXPECT_EQ(occurrences(text, "random_data {"), row.random) << text;
    EXPECT_EQ(occurrences(text, "value_"), row.values) << text;
    EXPECT_NE(text.find(row.text), std::string::npos) << text;
    std::filesystem::remove_all(root / "gen_case");
  }
}

TEST_F(Recording, ResultsAreWrittenAfterTheRun) {
  mluOpSetGenCaseMode(1);
  const ReadEnvironment outputs("MLUOP_GEN_CASE_DUMP_DATA_OUTPUT", "1");
  run();
  const std::string text = only_case();
  const auto output = text.find("output {"), value = text.find("value_f: [1.5]");
  EXPECT_LT(output, value);
  EXPECT_LT(value, text.find("rotated_feature_align_forward_param {"));
  EXPECT_TRUE(text.ends_with("baseline_device: CPU\n}\n")) << text;
}

TEST_F(Recording, LargeDataGoesToFilesBeside) {
  mluOpSetGenCaseMode(2);
  const ReadEnvironment dump("MLUOP_GEN_CASE_DUMP_DATA", "2");
  const ReadEnvironment beside("MLUOP_GEN_CASE_DUMP_DATA_FILE", "1");
  const ReadEnvironment outputs("MLUOP_GEN_CASE_DUMP_DATA_OUTPUT", "2");
  PixelCall call(MLUOP_DTYPE_DOUBLE);
  ASSERT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS);
  const auto all = files();
  ASSERT_EQ(all.size(), 4u);
  const std::string text = contents_of(all[0]), stem = all[0].stem().string();
  const testing::HostTensor* const tensors[] = {&call.input, &call.boxes, &call.output};
  const char* const suffixes[] = {"_data0_input", "_data1_input", "_data2_output"};
  for (int i = 0; i < 3; ++i) {
    const auto raw = tensors[i]->raw();
    EXPECT_EQ(contents_of(all[0].parent_path() / (stem + suffixes[i])),
              std::string(reinterpret_cast<const char*>(raw.data()), raw.size()));
    EXPECT_NE(text.find("path: \"" + stem + suffixes[i] + '"'), std::string::npos) << text;
  }
  EXPECT_EQ(text.find("value_"), std::string::npos) << text;
}

TEST_F(Recording, ScreenGetsTheShapesAndNoFileIsMade) {
  mluOpSetGenCaseMode(3);
  ::testing::internal::CaptureStdout();
  run();
  const std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_TRUE(text.starts_with("op_name: \"rotated_feature_align_forward\"\n")) << text;
  EXPECT_EQ(text.find("value_"), std::string::npos) << text;
  EXPECT_TRUE(files().empty());
}

TEST_F(Recording, RefusedCallsLeaveNoFile) {
  mluOpSetGenCaseMode(2);
  PixelCall call;
  call.shape.points = 2;
  EXPECT_EQ(call.run(handle), MLUOP_STATUS_BAD_PARAM);
  EXPECT_TRUE(files().empty());
}

/// Index data is checked during the call: the file exists by then and is removed.
TEST_F(Recording, CallsRefusedForTheirDataLeaveNoFile) {
  const ReadEnvironment beside("MLUOP_GEN_CASE_DUMP_DATA_FILE", "1");
  mluOpSetGenCaseMode(2);
  testing::HostTensor features("features", MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_ARRAY, {2, 1});
  testing::HostTensor filters("filters", MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_NDHWC, {1, 1, 1, 1, 1});
  testing::HostTensor pairs("pairs", MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {1, 2, 2});
  testing::HostTensor out("out", MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_ARRAY, {2, 1});
  features.assign(std::vector<double>{1, 2});
  filters.assign(std::vector<double>{3});
  pairs.assign(std::vector<double>{0, 1, 0, 2});  // row 2 is out of range
  const std::int64_t num[] = {2};
  std::size_t bytes = 0;
  ASSERT_EQ(mluOpGetIndiceConvolutionForwardWorkspaceSize(handle, features.descriptor(),
                                                          filters.descriptor(), pairs.descriptor(),
                                                          out.descriptor(), num, 2, 0, 0, &bytes),
            MLUOP_STATUS_SUCCESS);
  std::vector<std::byte> workspace(bytes + 64);
  const auto run = [&] {
    return mluOpIndiceConvolutionForward(handle, features.descriptor(), features.data(),
                                         filters.descriptor(), filters.data(), pairs.descriptor(),
                                         pairs.data(), num, 2, 0, 0, workspace.data(),
                                         workspace.size(), out.descriptor(), out.data());
  };
  EXPECT_EQ(run(), MLUOP_STATUS_BAD_PARAM);
  EXPECT_TRUE(files().empty());
  pairs.set(3, 1);
  EXPECT_EQ(run(), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(files().size(), 4u) << "the case and three inputs";
}

TEST_F(Recording, ADirectoryThatCannotBeMadeIsAWarning) {
  std::ofstream(root / "file").put('x');
  set_directory((root / "file").string());
  mluOpSetGenCaseMode(1);
  run();
  ASSERT_EQ(log.lines().size(), 1u);
  EXPECT_EQ(log.lines().front(),
            "a call of rotated_feature_align_forward is not recorded: cannot create '" +
                (root / "file/gen_case/rotated_feature_align_forward").string() +
                "': Not a directory");
}

/// Writing fails after the first bytes, as on a full disk.
TEST_F(Recording, AFullDiskIsAWarningAndLeavesNothing) {
  mluOpSetGenCaseMode(2);
  const ReadEnvironment beside("MLUOP_GEN_CASE_DUMP_DATA_FILE", "1");
  rlimit former{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &former), 0);
  const rlimit little{8, former.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  run();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &former), 0);
  ASSERT_EQ(log.lines().size(), 1u);
  EXPECT_NE(log.lines().front().find("is not recorded: cannot write '"), std::string::npos);
  EXPECT_TRUE(files().empty());
}

TEST_F(Recording, ThreadsDoNotCollide) {
  mluOpSetGenCaseMode(2);
  constexpr int threads = 4, calls = 25;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([] {
      Handle own;
      own.threads(1);
      for (int i = 0; i < calls; ++i) {
        PixelCall call;
        EXPECT_EQ(call.run(own), MLUOP_STATUS_SUCCESS);
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  const auto found = files();
  EXPECT_EQ(found.size(), std::size_t{threads * calls});
  std::set<std::string> texts;
  for (const auto& file : found) texts.insert(contents_of(file));
  EXPECT_EQ(texts.size(), 1u) << "every file is whole";
}

/// Every operator writes one file per call; those that MLU-OPS does not have write none.
TEST_F(Recording, EveryOperatorLeavesOneFile) {
  std::size_t count = 0;
  for (const testing::Suite& suite : testing::suites()) {
    const auto edge =
        std::ranges::find(suite.cases, testing::Case::Kind::edge, &testing::Case::kind);
    ASSERT_NE(edge, suite.cases.end());
    const auto call = edge->make(suite.dtypes.front());  // pairs may come from another operator
    mluOpSetGenCaseMode(1);
    ASSERT_EQ(call->run(handle), MLUOP_STATUS_SUCCESS) << suite.op;
    mluOpSetGenCaseMode(0);
    const auto found = files();
    if (suite.has_case_files()) ++count;
    ASSERT_EQ(found.size(), count) << suite.op;
    EXPECT_EQ(std::filesystem::exists(root / "gen_case" / suite.op), suite.has_case_files());
  }
  EXPECT_EQ(count, 13u);
}

}  // namespace
}  // namespace mluop::recorder
