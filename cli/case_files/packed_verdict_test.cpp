// Verdicts survive packing and unpacking; truncated ones are rejected.
#include "case_files/packed_verdict.hpp"

#include <gtest/gtest.h>

namespace mluop::cli {
namespace {

using casefile::CaseVerdict;
using testing::Measure;

CaseVerdict example() {
  CaseVerdict verdict{.problem = "a problem", .outputs = {}, .own_criteria = true};
  verdict.outputs.push_back({"first",
                             MLUOP_DTYPE_HALF,
                             true,
                             {false, {{Measure::diff1, 0.5, 0.25, false}}, "diff1 exceeds"}});
  verdict.outputs.push_back({"second", MLUOP_DTYPE_INT32, false, {}});
  return verdict;
}

TEST(PackedVerdict, ArrivesAsItWasSent) {
  const std::string bytes = packed("op") + packed(example()) + "rest";
  std::string_view left = bytes;
  std::string text;
  CaseVerdict verdict;
  ASSERT_TRUE(unpack(left, text));
  ASSERT_TRUE(unpack(left, verdict));
  EXPECT_EQ(left, "rest");
  EXPECT_EQ(text, "op");
  EXPECT_EQ(verdict.problem, "a problem");
  EXPECT_TRUE(verdict.own_criteria);
  ASSERT_EQ(verdict.outputs.size(), 2u);
  const casefile::OutputVerdict& first = verdict.outputs[0];
  EXPECT_EQ(first.output, "first");
  EXPECT_EQ(first.dtype, MLUOP_DTYPE_HALF);
  EXPECT_TRUE(first.compared);
  EXPECT_FALSE(first.verdict.pass);
  EXPECT_EQ(first.verdict.reason, "diff1 exceeds");
  ASSERT_EQ(first.verdict.measures.size(), 1u);
  EXPECT_EQ(first.verdict.measures[0].measure, Measure::diff1);
  EXPECT_EQ(first.verdict.measures[0].error, 0.5);
  EXPECT_EQ(first.verdict.measures[0].threshold, 0.25);
  EXPECT_FALSE(first.verdict.measures[0].pass);
  EXPECT_EQ(verdict.outputs[1].output, "second");
  EXPECT_FALSE(verdict.outputs[1].compared);
  EXPECT_TRUE(verdict.outputs[1].verdict.pass);
}

TEST(PackedVerdict, IsRefusedWhenItIsCutShort) {
  const std::string bytes = packed(example());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    std::string_view left = std::string_view(bytes).substr(0, length);
    CaseVerdict verdict;
    EXPECT_FALSE(unpack(left, verdict)) << length;
  }
}

}  // namespace
}  // namespace mluop::cli
