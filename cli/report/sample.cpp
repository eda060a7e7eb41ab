#include "report/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "selection.hpp"

namespace mluop::cli::report {

namespace {

using testing::Measure;

/// Evenly spread numbers in [0, 1), the same in every run.
double spread(std::size_t i) {
  constexpr double golden_ratio = 0.6180339887498949;
  return std::fmod(golden_ratio * static_cast<double>(i + 1), 1.0);
}

CaseResult case_of(const Job& job, std::size_t i) {
  Judgement judgement{.output = "output", .verdict = {}, .static_count = 2};
  const double error = i % 3 == 0 ? 0 : std::pow(10, -9 + 2.9 * spread(i));
  judgement.verdict.measures = {{Measure::diff1, error, 1e-5, true},
                                {Measure::diff2, error / 2, 1e-5, true},
                                {Measure::diff1, error, 1e-6, true},
                                {Measure::diff2, error / 2, 1e-6, true},
                                {Measure::diff4, -1, 0.75, true}};
  return {.name = job.test_case.name,
          .shape = job.test_case.shape,
          .dtype = cli::name_of(job.dtype),
          .network = job.test_case.kind == testing::Case::Kind::network,
          .judgements = {judgement},
          .same_bits = true,
          .problem = ""};
}

/// The time of a case on a machine of 500 GFLOP/s and 50 GB/s.
TimedResult timing_of(const Job& job, std::size_t i, double efficiency) {
  const double intensity = i % 5 == 0 ? 0 : std::pow(10, -1.5 + 3.5 * spread(i)), bytes = 1e7;
  const double compute = intensity * bytes / 5e11, memory = bytes / 5e10;
  TimedResult timed{};
  timed.row.op = job.suite.op, timed.row.case_name = job.test_case.name;
  timed.row.dtype = cli::name_of(job.dtype), timed.row.impl = "general", timed.row.isa = "avx512";
  timed.row.threads = 2;
  timed.row.limit = {.seconds = std::max(compute, memory),
                     .memory_bound = memory > compute,
                     .compute_seconds = compute,
                     .memory_seconds = memory};
  timed.row.ms_best = timed.row.limit_ms() / efficiency, timed.row.ms = 1.1 * timed.row.ms_best;
  timed.row.cost = {
      .flops = intensity * bytes, .bytes_read = bytes / 2, .bytes_written = bytes / 2};
  timed.row.workspace_bytes = 100000 * i, timed.row.max_rss_bytes = 1 << 28;
  timed.shape = job.test_case.shape, timed.network = true;
  timed.scaling = {{1, (1.5 + 0.5 * spread(i)) * timed.row.ms_best}, {2, timed.row.ms_best}};
  if (!timed.meets_standard()) {
    timed.reason = fmt::format(
        "{} thousand rows of 64 bytes are gathered at random, and the limit counts each of them "
        "once at the bandwidth of sequential reads. AVX-512: 0.20 to 0.30; AVX2: 0.15 to 0.25.",
        10 * (i / 3 + 1));
    timed.floor = efficiency;
  }
  return timed;
}

/// The first operator shows what can be wrong: each verdict on speed in turn.
void spoil(OperatorResult& result) {
  result.cases[1].problem = "output: diff1 is 2.0e-04, at most 1.0e-05 is accepted";
  result.cases[1].judgements[0].verdict.pass = false;
  for (auto& measured : result.cases[1].judgements[0].verdict.measures) {
    if (measured.measure == Measure::diff1) measured.error = 2e-4, measured.pass = false;
  }
  result.bad_calls[0].problem = "SUCCESS instead of MLUOP_STATUS_BAD_PARAM";
  for (std::size_t i = 0; i < result.timings.size(); ++i) {
    TimedResult& timed = result.timings[i];
    timed.row.ms_best = timed.row.limit_ms() / 0.25, timed.floor = 0.25, timed.reason = "A reason.";
    if (i % 5 == 1) timed.reason = "", timed.floor = {};
    if (i % 5 == 2) timed.floor = 0.5, timed.busy_tries = timed.tries;
    if (i % 5 == 3) timed.floor = {};
    if (i % 5 == 4) timed.row.ms_best = timed.row.limit_ms() / 0.9;
  }
}

/// The second operator is faster than FMA, and slower with two threads than with one.
void speed_up(OperatorResult& result) {
  for (TimedResult& timed : result.timings) {
    timed.row.impl = "amx", timed.row.cost.flops = 200 * timed.row.bytes();
    timed.row.ms_best = 1e3 * timed.row.cost.flops / 7e11;
    timed.row.limit.seconds = timed.row.cost.flops / 5e11, timed.floor = {};
    timed.scaling = {{1, 0.8 * timed.row.ms_best}, {2, timed.row.ms_best}};
  }
}

Report empty_report() {
  return {
      .host = {.commit = "0123456789ab",
               .os = "Debian GNU/Linux 12 (bookworm)",
               .kernel = "Linux 6.1.0, x86_64",
               .memory_bytes = 16.0 * (1 << 30),
               .caches = {{1, "data", 48 << 10},
                          {1, "instruction", 32 << 10},
                          {2, "unified", 1 << 20}},
               .load = {0.52, 0.4, 0.31}},
      .machine = {.library = "0.1.0",
                  .interface = "MLU-OPS 1.11.1",
                  .compiler = "GCC 12.2.0",
                  .cpu = "A CPU of two cores",
                  .cores = 2,
                  .isa_detected = "avx512",
                  .isa = "avx512",
                  .threads = 2,
                  .card_limits = false},
      .limits = {.peaks = {{1, 2.5e11, 1.25e11}, {2, 5e11, 2.5e11}},
                 .rates = {{2, 512 << 10, {4e11, 4e11, 4e11}}, {2, 256 << 20, {5e10, 5e10, 5e10}}}},
      .date = "2026-11-16 12:00",
      .quick = false,
      .disturbance = {.seconds = 60, .cpu_share = 0.7, .steal = 0.02, .switches = 250},
      .operators = {}};
}

}  // namespace

Report full_size_sample() {
  Report report = empty_report();
  std::size_t i = 0, timed = 0;
  for (const Job& job : jobs_of({})) {
    if (report.operators.empty() || report.operators.back().op != job.suite.op) {
      report.operators.push_back(
          {.op = job.suite.op,
           .cases = {},
           .bad_calls = std::vector<testing::BadCallOutcome>(200, {"a row", ""}),
           .timings = {}});
    }
    OperatorResult& result = report.operators.back();
    result.cases.push_back(case_of(job, i++));
    if (result.cases.back().network && job.dtype == principal_dtype(job.suite)) {
      const double efficiency = 0.15 + 0.7 * spread(timed);
      result.timings.push_back(timing_of(job, timed++, efficiency));
    }
  }
  spoil(report.operators[0]);
  speed_up(report.operators[1]);
  return report;
}

std::size_t count(std::string_view text, std::string_view piece) {
  std::size_t found = 0;
  for (std::size_t i = text.find(piece); i != text.npos; i = text.find(piece, i + 1)) ++found;
  return found;
}

}  // namespace mluop::cli::report
