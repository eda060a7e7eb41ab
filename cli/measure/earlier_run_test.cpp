// Ratios to an earlier run, and rejection of other files.
#include "measure/earlier_run.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace mluop::cli {
namespace {

Measurement row_with(int threads, double ms_best) {
  Measurement row{};
  row.op = "carafe_forward", row.case_name = "fpn_p3", row.dtype = "float", row.impl = "general";
  row.isa = "avx2";
  row.threads = threads;
  row.ms = row.ms_best = ms_best;
  row.limit = {
      .seconds = 1e-3, .memory_bound = true, .compute_seconds = 5e-4, .memory_seconds = 1e-3};
  return row;
}

TEST(EarlierRun, RatiosAreOfTheSameRowOnly) {
  const EarlierRun earlier(json_text(Json::array({row_with(2, 4.0).json()})));
  EXPECT_EQ(earlier.ratio(row_with(2, 3.0)), 0.75);
  EXPECT_EQ(earlier.ratio(row_with(1, 3.0)), std::nullopt);
  EXPECT_EQ(EarlierRun().ratio(row_with(2, 3.0)), std::nullopt);
}

TEST(EarlierRun, TheTwoEfficienciesAreThoseOfTheStandard) {
  const Measurement row = row_with(2, 4.0);
  EXPECT_EQ(row.io_efficiency(), 0.25);
  EXPECT_EQ(row.compute_efficiency(), 0.125);
  EXPECT_EQ(row.efficiency(), 0.25);
}

TEST(EarlierRun, OtherTextsAreRefused) {
  const std::pair<const char*, const char*> rows[] = {
      {"{}", "an array of rows is expected"},
      {"[{\"op\": \"x\"}]", "row 1 has no usable \"case\""},
      {"[[]]", "row 1 has no usable \"op\""},
      {R"([{"op": "x", "case": "y", "dtype": "float", "threads": "2"}])",
       "row 1 has no usable \"threads\""},
      {R"([{"op": "x", "case": "y", "dtype": "float", "threads": 2, "isa": "avx2", "impl": "x", "ms_best": 0}])",
       "row 1 has no usable \"ms_best\""},
      {"", "line 1, column 1: syntax error"},
      {"[\n", "line 2, column 1: syntax error"},
      {"[1] 2", "line 1, column 5: syntax error"},
      {"[1e999]", "number overflow"}};
  for (const auto& [text, sentence] : rows) {
    SCOPED_TRACE(text);
    try {
      const EarlierRun run{std::string_view(text)};
      ADD_FAILURE() << "was read";
    } catch (const BadRows& error) {
      EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace mluop::cli
