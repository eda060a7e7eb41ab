// Files from end to end: all operators, text and binary, all kinds of verdict.
#include "casefile/run.hpp"

#include <gtest/gtest.h>

#include <set>

#include "casefile/reader.hpp"
#include "casefile/test_files.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::casefile {
namespace {

namespace fs = std::filesystem;

CaseVerdict run(const fs::path& path) {
  const auto call = read_call(path);
  const testing::Handle handle;
  return run_case(*call, handle);
}

CaseVerdict run_text(const std::string& text) { return run(write_file("case.prototxt", text)); }

std::string explained(const CaseVerdict& verdict) {
  std::string text = verdict.problem;
  for (const OutputVerdict& output : verdict.outputs) {
    text += "\n" + output.output + ": " + output.verdict.reason;
  }
  return text;
}

/// The only output of carafe_text().
const OutputVerdict& only(const CaseVerdict& verdict) {
  EXPECT_EQ(verdict.outputs.size(), 1u) << explained(verdict);
  return verdict.outputs.front();
}

TEST(RunCase, EveryGoodFilePasses) {
  std::set<std::string> ops;
  for (const fs::path& path : good_files()) {
    const auto call = read_call(path);
    ops.insert(call->file().op);
    const testing::Handle handle;
    const CaseVerdict verdict = run_case(*call, handle);
    EXPECT_TRUE(verdict.pass()) << path << explained(verdict);
    EXPECT_EQ(verdict.outputs.size(), call->file().outputs.size()) << path;
    for (const OutputVerdict& output : verdict.outputs) EXPECT_TRUE(output.compared) << path;
  }
  for (const testing::Suite& suite : testing::suites()) {
    EXPECT_EQ(ops.contains(suite.name_in_files()), suite.has_case_files()) << suite.op;
  }
}

TEST(RunCase, TheBinaryFormGivesTheSameVerdict) {
  for (const fs::path& path : good_files()) {
    const CaseVerdict text = run(path);
    const CaseVerdict binary = run(write_file("case.pb", binary_of(content_of(path))));
    EXPECT_TRUE(binary.pass()) << path << explained(binary);
    ASSERT_EQ(binary.outputs.size(), text.outputs.size()) << path;
    for (std::size_t i = 0; i < text.outputs.size(); ++i) {
      const auto &a = text.outputs[i].verdict.measures, &b = binary.outputs[i].verdict.measures;
      ASSERT_EQ(a.size(), b.size()) << path;
      for (std::size_t m = 0; m < a.size(); ++m) {
        EXPECT_EQ(a[m].error, b[m].error) << path;
        EXPECT_EQ(a[m].threshold, b[m].threshold) << path;
      }
    }
  }
}

TEST(RunCase, HoldsResultsToStoredValues) {
  const std::string gpu = "device: GPU test_param { error_func: DIFF3 error_threshold: 1e-6 }";
  const auto with = [&](const char* stored) {
    return run_text(
        carafe_text("DTYPE_FLOAT", "value_f: [1, 2, 3, 4]", "value_f: [2, 3]", stored, gpu));
  };
  EXPECT_TRUE(with("value_f: [2, 4, 9, 12]").pass());
  const CaseVerdict wrong = with("value_f: [2, 4, 9, 13]");
  EXPECT_FALSE(wrong.pass());
  EXPECT_NE(only(wrong).verdict.reason.find("at position 3: got 12, expected 13"),
            std::string::npos)
      << only(wrong).verdict.reason;
}

TEST(RunCase, TestParamNamesTheBaselineWhereTheFileDoesNot) {
  const std::string stored = "value_f: [0, 0, 0, 0]";
  const auto with = [&](const std::string& fields) {
    return run_text(
        carafe_text("DTYPE_FLOAT", "value_f: [1, 2, 3, 4]", "value_f: [2, 3]", stored, fields));
  };
  const std::string gpu =
      "test_param { error_func: DIFF1 error_threshold: 1e-3 baseline_device: GPU }";
  EXPECT_FALSE(with(gpu).pass());
  EXPECT_TRUE(with("device: CPU " + gpu).pass());
  EXPECT_TRUE(with("test_param { error_func: DIFF1 error_threshold: 1e-3 }").pass());
}

TEST(RunCase, StoredPairsMayStandInAnotherOrderButNotBeOthers) {
  const fs::path path = fs::path(MLUOPS_GOOD_CASES) / "get_indice_pairs/stored_baseline.prototxt";
  const std::string text = content_of(path);
  EXPECT_TRUE(run_text(text).pass());
  EXPECT_FALSE(run_text(exchanged(text, "value_i: [3, 3, 2]", "value_i: [3, 2, 2]")).pass());
  EXPECT_FALSE(run_text(exchanged(text, "[2, 1, 0, 4, 3, 1,", "[2, 1, 0, 3, 4, 1,")).pass());
}

TEST(RunCase, AnOutputMayBeLeftOut) {
  const CaseVerdict verdict =
      run_text(carafe_text("DTYPE_FLOAT", "value_f: [1, 2, 3, 4]", "value_f: [2, 3]",
                           "value_f: [0, 0, 0, 0] threshold_use: 0",
                           "device: GPU evaluation_criterion: DIFF1 evaluation_threshold: 0"));
  EXPECT_TRUE(verdict.pass());
  EXPECT_FALSE(only(verdict).compared);
}

TEST(RunCase, WithoutThresholdsTheOperatorsOwnDecide) {
  const CaseVerdict verdict =
      run_text(carafe_text("DTYPE_FLOAT", "value_f: [1, 2, 3, 4]", "value_f: [2, 3]", "", ""));
  EXPECT_TRUE(verdict.pass()) << explained(verdict);
  EXPECT_TRUE(verdict.own_criteria);
  EXPECT_EQ(only(verdict).verdict.measures.size(), 5u);  // two static, two dynamic, diff4
  EXPECT_FALSE(run_text(carafe_text()).own_criteria);
}

TEST(RunCase, ShowsWhyTheOperatorRefuses) {
  const CaseVerdict verdict =
      run_text(exchanged(carafe_text(), "kernel_size: 1", "kernel_size: 2"));
  EXPECT_FALSE(verdict.pass());
  EXPECT_EQ(verdict.problem.find("MLUOP_STATUS_BAD_PARAM: mluOpSetCarafeDescriptor: kernel_size"),
            0u)
      << verdict.problem;
  EXPECT_TRUE(verdict.outputs.empty());
}

TEST(RunCase, NullTensorsReachTheOperatorAsNull) {
  const CaseVerdict verdict =
      run_text(exchanged(carafe_text(), "id: \"mask\"", "id: \"mask_NULL\""));
  EXPECT_EQ(verdict.problem.find("MLUOP_STATUS_BAD_PARAM: mluOpCarafeForward: mask_desc"), 0u)
      << verdict.problem;
}

TEST(RunCase, StridesReachTheOperator) {
  const std::string shape = "shape { dims: [1, 1, 2, 1] }";
  const CaseVerdict dense = run_text(
      exchanged(carafe_text(), shape, "shape { dims: [1, 1, 2, 1] dim_stride: [2, 2, 1, 1] }"));
  EXPECT_TRUE(dense.pass()) << explained(dense);
  const CaseVerdict apart =
      run_text(exchanged(carafe_text("DTYPE_FLOAT", "value_f: [1, 2, 3, 4]", "value_f: [2, 0, 3]"),
                         shape, "shape { dims: [1, 1, 2, 1] dim_stride: [3, 3, 2, 1] }"));
  EXPECT_EQ(apart.problem.find("MLUOP_STATUS_BAD_PARAM: mluOpCarafeForward: mask must be contig"),
            0u)
      << apart.problem;
}

TEST(RunCase, BadIndicesAreRefusedBeforeTheReferenceSeesThem) {
  const fs::path good = MLUOPS_GOOD_CASES;
  const std::string conv = content_of(good / "indice_convolution_forward/small.prototxt");
  const CaseVerdict beyond = run_text(exchanged(conv, "value_i: [0, 2,", "value_i: [0, 4000000,"));
  EXPECT_EQ(beyond.problem.find("MLUOP_STATUS_BAD_PARAM: mluOpIndiceConvolutionForward"), 0u)
      << beyond.problem;
  const std::string pool = content_of(good / "roiaware_pool3d_backward/average.prototxt");
  const CaseVerdict count = run_text(exchanged(pool, "value_i: [0, 0,", "value_i: [4000000, 0,"));
  EXPECT_EQ(count.problem.find("MLUOP_STATUS_BAD_PARAM: mluOpRoiAwarePool3dBackward"), 0u)
      << count.problem;
  const std::string pairs = content_of(good / "get_indice_pairs/sub_m.prototxt");
  const CaseVerdict site = run_text(exchanged(pairs, "value_i: [0, 0,", "value_i: [7, 0,"));
  EXPECT_EQ(site.problem.find("MLUOP_STATUS_BAD_PARAM: mluOpGetIndicePairs"), 0u) << site.problem;
}

TEST(RunCase, EmptyTensorsLeaveOutputsAlone) {
  const CaseVerdict verdict =
      run(fs::path(MLUOPS_GOOD_CASES) / "carafe_forward/no_elements.prototxt");
  EXPECT_TRUE(verdict.pass());
  EXPECT_TRUE(only(verdict).verdict.measures.empty());
}

}  // namespace
}  // namespace mluop::casefile
