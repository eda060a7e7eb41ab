// The three forms of a report say the same and escape what they quote.
#include "report/writers.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "report/chart/charts.hpp"
#include "report/numbers.hpp"
#include "report/sample.hpp"

namespace mluop::cli::report {
namespace {

using testing::Measure;

TimedResult timed_with(double ms_best, bool network, const std::string& reason) {
  TimedResult timed{};
  timed.row.op = "carafe_backward", timed.row.case_name = "fpn_p3", timed.row.dtype = "float";
  timed.row.impl = "avx2", timed.row.threads = 2;
  timed.row.ms = 1.25 * ms_best, timed.row.ms_best = ms_best;
  timed.row.limit = {
      .seconds = 1e-3, .memory_bound = false, .compute_seconds = 1e-3, .memory_seconds = 5e-4};
  timed.row.cost = {.flops = 1e8, .bytes_read = 1e6, .bytes_written = 1e6};
  timed.row.max_rss_bytes = 1 << 20;
  timed.shape = "[2,3] | <x>";
  timed.network = network;
  timed.reason = reason;
  timed.scaling = {{1, 1.75 * ms_best}, {2, ms_best}};
  return timed;
}

Report sample() {
  Judgement judgement{.output = "output", .verdict = {}, .static_count = 1};
  judgement.verdict.measures = {{Measure::diff1, 2.5e-7, 1e-5, true},
                                {Measure::diff1, 2.5e-7, 1e-6, true},
                                {Measure::diff4, -1, 0.75, true}};
  CaseResult one{.name = "fpn_p3",
                 .shape = "[2,3]",
                 .dtype = "float",
                 .network = true,
                 .judgements = {judgement},
                 .same_bits = true,
                 .problem = ""};
  return {.host = {.commit = "0123456789ab",
                   .os = "Some <OS> 12",
                   .kernel = "Linux 6.1.0, x86_64",
                   .memory_bytes = 16.0 * (1 << 30),
                   .caches = {{1, "data", 48 << 10}, {2, "unified", 1 << 20}},
                   .load = {0.5, 0.25, 0.125}},
          .machine = {.library = "0.1.0",
                      .interface = "MLU-OPS 1.11.1",
                      .compiler = "GCC 12",
                      .cpu = "Made <by> A & B",
                      .cores = 2,
                      .isa_detected = "avx2",
                      .isa = "avx2",
                      .threads = 2,
                      .card_limits = false},
          .limits = {.peaks = {{1, 5e10, 2.5e10}, {2, 1e11, 5e10}},
                     .rates = {{2, 512 << 10, {1e11, 8e10, 9e10}},
                               {2, 256 << 20, {2e10, 1.5e10, 1e10}}}},
          .date = "2026-11-16 12:00",
          .quick = false,
          .disturbance = {},
          .operators = {{.op = "carafe_backward",
                         .cases = {one},
                         .bad_calls = {{"a row", ""}},
                         .timings = {timed_with(1.2345, true, "")}}}};
}

TEST(Report, VerdictsFollowTheStandard) {
  EXPECT_STREQ(timed_with(1.5, true, "").verdict(), "met");
  EXPECT_STREQ(timed_with(2.0, true, "").verdict(), "slow");
  EXPECT_STREQ(timed_with(2.0, true, "Because.").verdict(), "no floor");
  EXPECT_STREQ(timed_with(2.0, false, "").verdict(), "met");
  EXPECT_STREQ(timed_with(4.0, false, "").verdict(), "slow");
}

TimedResult with_floor(double ms_best, double floor) {
  TimedResult timed = timed_with(ms_best, true, "Because.");
  timed.floor = floor;
  return timed;
}

TEST(Report, ACaseMoreThanAFifthBelowItsFloorIsSlow) {
  EXPECT_EQ(with_floor(2.0, 0.6).speed(), Speed::explained);
  EXPECT_EQ(with_floor(2.0, 0.6249).speed(), Speed::explained);  // 0.50 against 0.4999
  EXPECT_EQ(with_floor(2.0, 0.63).speed(), Speed::slow);
  EXPECT_EQ(with_floor(1.5, 0.9).speed(), Speed::met) << "the standard is enough";
  EXPECT_EQ(with_floor(2.0, 0.9).required(), 0.6) << "a floor asks for no more than the standard";
}

TEST(Report, ABusyMachineIsNoProofOfSlowness) {
  Report report = sample();
  TimedResult& timed = report.operators[0].timings[0];
  timed = with_floor(9, 0.5);
  timed.tries = 5, timed.busy_tries = 4;
  EXPECT_EQ(timed.speed(), Speed::slow) << "one quiet try is enough";
  timed.busy_tries = 5;
  EXPECT_EQ(timed.speed(), Speed::not_judged);
  EXPECT_TRUE(report.accepted());
  EXPECT_EQ(report.verdict(), "accurate; speed not judged: the machine was busy");
  EXPECT_EQ(report.operators[0].verdict(), report.verdict());
  ASSERT_EQ(report.operators[0].doubts().size(), 1u);
  EXPECT_TRUE(report.operators[0].doubts()[0].ends_with("(5 tries, the machine was busy)"));
  timed.busy_counts = true;
  EXPECT_EQ(timed.speed(), Speed::slow);
  EXPECT_FALSE(report.accepted());
  timed = with_floor(2, 0.5), timed.busy_tries = 1;
  EXPECT_EQ(timed.speed(), Speed::explained) << "good on a busy machine is good";
}

TEST(Report, LevelsWithoutAFloorAreNamed) {
  Report report = sample();
  TimedResult& timed = report.operators[0].timings[0];
  timed = timed_with(9, true, "Because.");
  timed.row.isa = report.machine.isa = "amx";
  EXPECT_EQ(report.operators[0].verdict(), "accepted; speed at amx not judged: no floor measured");
  EXPECT_TRUE(report.verdict().starts_with("accepted; speed at amx not judged"));
}

TEST(Report, AnythingWrongMakesAnOperatorNotAccepted) {
  EXPECT_TRUE(sample().accepted());
  Report inaccurate = sample(), lenient = sample(), slow = sample();
  inaccurate.operators[0].cases[0].problem = "output: diff1";
  lenient.operators[0].bad_calls[0].problem = "SUCCESS instead of BAD_PARAM";
  slow.operators[0].timings[0] = timed_with(9, true, "");
  for (const Report& report : {inaccurate, lenient, slow}) {
    EXPECT_FALSE(report.accepted());
    ASSERT_EQ(report.operators[0].problems().size(), 1u);
    EXPECT_NE(html(report).find("not accepted"), std::string::npos);
    EXPECT_NE(markdown(report).find("NOT ACCEPTED"), std::string::npos);
    EXPECT_NE(json(report).find("\"accepted\": false"), std::string::npos);
  }
  EXPECT_NE(slow.operators[0].problems()[0].find("efficiency 0.11 is below the standard of 0.60"),
            std::string::npos);
}

TEST(Report, BitsOfAFailedCallAreNotSaidToDiffer) {
  Report report = sample();
  CaseResult& failed = report.operators[0].cases[0];
  failed.problem = "MLUOP_STATUS_ALLOC_FAILED", failed.same_bits = std::nullopt;
  EXPECT_TRUE(report.operators[0].same_bits());
  EXPECT_NE(html(report).find("<td>not compared</td>"), std::string::npos);
  EXPECT_EQ(html(report).find("<td>differ</td>"), std::string::npos);
  EXPECT_NE(json(report).find("\"same_bits\": null"), std::string::npos);
  failed.same_bits = false;
  EXPECT_FALSE(report.operators[0].same_bits());
  EXPECT_NE(html(report).find("<td>differ</td>"), std::string::npos);
}

/// Every number of a JSON text.
std::set<double> numbers_of(const std::string& json) {
  std::set<double> numbers;
  const auto values = nlohmann::json::parse(json).flatten();
  for (const auto& value : values) {
    if (value.is_number()) numbers.insert(value.get<double>());
  }
  return numbers;
}

TEST(Report, NumbersAreTheSameEverywhere) {
  const Report report = sample();
  const std::string page = html(report), text = markdown(report);
  const std::set<double> data = numbers_of(json(report));
  for (const char* number : {"1.234", "1.543", "1.000", "0.81", "0.41", "2.5e-07", "1.0e-06"}) {
    EXPECT_NE(page.find(std::string(">") + number + "<"), std::string::npos) << number;
    EXPECT_NE(text.find(std::string("| ") + number + " |"), std::string::npos) << number;
    EXPECT_TRUE(data.contains(std::stod(number))) << number;
  }
  EXPECT_NE(page.find(">1.0e-05<"), std::string::npos)
      << "the static bound, which is not the closest";
}

TEST(Report, QuotedTextIsEscaped) {
  const std::string page = html(sample());
  EXPECT_NE(page.find("Made &lt;by&gt; A &amp; B"), std::string::npos);
  EXPECT_EQ(page.find("<by>"), std::string::npos);
  EXPECT_EQ(page.find("<x>"), std::string::npos);
  EXPECT_NE(markdown(sample()).find("[2,3] \\| <x>"), std::string::npos);
}

TEST(Report, ChartsHoldEveryTimedCase) {
  Report report = sample();
  report.operators[0].timings.push_back(timed_with(3, false, ""));
  const std::string chart = roofline(report, 640, 400, Room::numbers);
  EXPECT_EQ(count(chart, "class=\"mark"), 2u);
  EXPECT_EQ(count(chart, "class=\"number\""), 2u);
  EXPECT_EQ(count(roofline(report, 320, 300, Room::little), "class=\"number\""), 0u);
  EXPECT_EQ(count(html(report), "class=\"bar\""), 4u);  // two efficiencies, two gains
  // A quarter of what is accepted: the last decade but none above the line.
  const std::string histogram = error_histogram(report.operators[0]);
  EXPECT_EQ(count(histogram, "<rect"), 1u);
  EXPECT_EQ(count(histogram, "fill slow"), 0u);
}

TEST(Report, MarksThatTouchShareALabel) {
  Report report = sample();
  for (int i = 0; i < 3; ++i) report.operators[0].timings.push_back(timed_with(1.2345, true, ""));
  const std::string chart = roofline(report, 640, 400, Room::numbers);
  EXPECT_EQ(count(chart, "class=\"mark"), 4u);
  EXPECT_EQ(count(chart, ">1\u20134</text>"), 1u);
}

TEST(Report, MarksAboveTheRoofAreExplained) {
  Report report = sample();
  EXPECT_EQ(html(report).find("Above the FMA peak"), std::string::npos);
  Measurement& row = report.operators[0].timings[0].row;
  row.cost.flops = 2e11 * row.ms_best * 1e-3;  // twice the peak
  EXPECT_NE(html(report).find("Above the FMA peak without matrix units: carafe_<wbr>backward 1."),
            std::string::npos);
  row.impl = "amx";
  EXPECT_NE(html(report).find("Above the FMA peak: carafe_<wbr>backward 1. These calls use matrix"),
            std::string::npos);
}

TEST(Report, LossesAreMarkedAndGainsAreNot) {
  Report report = sample();
  const auto scaled = [&](double one_thread) {
    Scaling& first = report.operators[0].timings[0].scaling[0];
    first.ms_best = one_thread * report.operators[0].timings[0].row.ms_best;
    const std::string page = html(report);
    return page.substr(page.find("<section id=\"scaling\""));
  };
  EXPECT_NE(scaled(0.8).find("<dd class=\"number slow\">loss 0.80&#215;</dd>"), std::string::npos);
  EXPECT_NE(scaled(0.8).find("class=\"fill slow\" width=\"40\""), std::string::npos);
  EXPECT_NE(scaled(0.8).find("class=\"limit\" x1=\"50\""), std::string::npos) << "one thread";
  EXPECT_NE(scaled(0.97).find("<dd class=\"number\">0.97&#215;</dd>"), std::string::npos)
      << "noise";
  EXPECT_NE(scaled(1.9).find("<dd class=\"number\">1.90&#215;</dd>"), std::string::npos);
}

TEST(Report, VerdictsOnSpeedHaveColours) {
  Report report = sample();
  auto& timings = report.operators[0].timings;
  timings.assign(5, timed_with(2.0, true, "Because."));
  timings[0] = timed_with(1.2, true, "");
  timings[1].floor = 0.5;
  timings[2].floor = 0.9;
  timings[3].floor = 0.9, timings[3].busy_tries = timings[3].tries;
  const std::string page = html(report);
  for (const char* text :
       {"<td class=\"met\">met</td>", "<td class=\"explained\">below, explained</td>",
        "<td class=\"slow\">slow</td>", "<td class=\"unjudged\">not judged</td>",
        "<td class=\"unjudged\">no floor</td>", "class=\"fill met\"", "class=\"fill explained\"",
        "class=\"fill slow\"", "class=\"fill unjudged\"", "class=\"floor\"", "<h3>What failed</h3>",
        "<h3>Not judged: the machine was busy</h3>"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
}

TEST(Report, ALongListOfFailuresIsCutInMarkdown) {
  Report report = sample();
  report.operators[0].bad_calls.assign(1000, {"a row", "SUCCESS instead of BAD_PARAM"});
  const std::string text = markdown(report);
  EXPECT_EQ(count(text, "SUCCESS instead of BAD_PARAM"), 40u);
  EXPECT_NE(text.find("- and 960 more, see report.json"), std::string::npos);
}

TEST(Report, ABusyMachineIsNamed) {
  Report report = sample();
  EXPECT_EQ(html(report).find("While cases were timed"), std::string::npos) << "nothing was timed";
  report.disturbance = {.seconds = 10, .cpu_share = 0.99};
  EXPECT_NE(html(report).find("the machine was quiet: " + report.disturbance.text()),
            std::string::npos);
  EXPECT_NE(markdown(report).find("the machine was quiet: " + report.disturbance.text()),
            std::string::npos);
  report.disturbance.cpu_share = 0.5;
  EXPECT_NE(html(report).find("busy</strong>: " + report.disturbance.text()), std::string::npos);
  EXPECT_NE(markdown(report).find("**busy**: " + report.disturbance.text()), std::string::npos);
}

TEST(Report, TheTopHasTheFactsThatAreKnown) {
  Report report = sample();
  for (const char* text :
       {"0123456789ab", "16.0 GB", "L1 data 48 KB, L2 1 MB", "0.50, 0.25, 0.12"}) {
    EXPECT_NE(html(report).find(text), std::string::npos) << text;
    EXPECT_NE(markdown(report).find(text), std::string::npos) << text;
  }
  EXPECT_NE(html(report).find("Some &lt;OS&gt; 12, Linux 6.1.0"), std::string::npos);
  report.host = {};
  for (const char* text : {"<dt>commit</dt>", "<dt>memory</dt>", "<dt>caches</dt>", "<dt>load"}) {
    EXPECT_EQ(html(report).find(text), std::string::npos) << text;
  }
  EXPECT_EQ(markdown(report).find("commit"), std::string::npos);
  EXPECT_EQ(markdown(report).find("Load average"), std::string::npos);
}

TEST(Report, NumbersHaveFewDigits) {
  EXPECT_EQ(milliseconds_text(0.001824), "0.00182");
  EXPECT_EQ(milliseconds_text(12.3456), "12.346");
  EXPECT_EQ(milliseconds_text(1234.56), "1234.6");
  EXPECT_EQ(efficiency_text(0.6149), "0.61");
  EXPECT_EQ(efficiency_text(0.00421), "0.0042");
  EXPECT_EQ(error_text(0), "0");
  EXPECT_EQ(error_text(1.26e-7), "1.3e-07");
  EXPECT_EQ(grouped(1234567), "1\u202f234\u202f567");
  EXPECT_EQ(grouped(12), "12");
  EXPECT_EQ(percent_text(0), "0");
  EXPECT_EQ(percent_text(0.55), "55 %");
  EXPECT_EQ(percent_text(0.0251), "2.5 %");
  EXPECT_EQ(percent_text(0.00012), "0.012 %");
  EXPECT_EQ(percent_text(1e-7), "< 0.01 %");
  EXPECT_EQ(percent_text(1.5), "150 %");
  EXPECT_EQ(percent_text(1e300), "> 1000 %");
}

}  // namespace
}  // namespace mluop::cli::report
