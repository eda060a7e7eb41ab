// mluop accept: is every case accurate, reproducible, and how near to the machine's limit is it?
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "commands.hpp"
#include "measurement.hpp"
#include "report.hpp"
#include "trial.hpp"

namespace mluop::cli {

namespace {

using testing::Case;
using testing::Measure;
using testing::Measured;

/// What acceptance found out about one case in one dtype.
struct Finding {
  std::vector<Judgement> judgements;
  bool same_bits = false;
  std::optional<Measurement> timing;
  std::string problem;  // "" when accepted
};

std::string problem_of(const Finding& finding) {
  for (const Judgement& judgement : finding.judgements) {
    if (!judgement.verdict.pass) return judgement.output + ": " + judgement.verdict.reason;
  }
  return finding.same_bits ? "" : "the bits depend on the number of threads";
}

/// Only network cases in one dtype are timed: the others say nothing about speed, or the same.
Finding examine(const Job& job, Limits& limits) {
  const testing::Handle handle;  // of its own, so that the scratch it reports is too
  Trial trial(job);
  Finding finding;
  finding.problem = trial.run(handle);
  if (!finding.problem.empty()) return finding;
  finding.judgements = trial.judge();
  finding.same_bits = trial.same_bits_for_all_threads();
  finding.problem = problem_of(finding);
  const bool timed =
      job.test_case.kind == Case::Kind::network && job.dtype == principal_dtype(job.suite);
  if (timed && finding.problem.empty()) {
    finding.timing = measure(job, trial.call(), handle, limits);
  }
  return finding;
}

const Measured* find(std::span<const Measured> measures, Measure wanted) {
  const auto found = std::find_if(measures.begin(), measures.end(),
                                  [&](const Measured& one) { return one.measure == wanted; });
  return found == measures.end() ? nullptr : &*found;
}

constexpr Measure sized_measures[] = {Measure::diff1, Measure::diff2, Measure::diff3,
                                      Measure::diff3_2};

std::vector<Table::Column> columns() {
  std::vector<Table::Column> list{
      {"case", Align::left}, {"dtype", Align::left}, {"output", Align::left}};
  for (const Measure measure : sized_measures) {
    list.push_back({testing::name_of(measure)});
    list.push_back({"static"});
    list.push_back({"dynamic"});
  }
  list.insert(list.end(), {{"diff4"},
                           {"bits", Align::left},
                           {"best ms"},
                           {"limit ms"},
                           {"efficiency"},
                           {"verdict", Align::left}});
  return list;
}

std::string text_of(double value) { return fmt::format("{:.1e}", value); }

/// One line per output; what belongs to the case stands on the first.
void add_rows(OperatorTables& tables, const Job& job, const Finding& finding) {
  const std::size_t lines = std::max<std::size_t>(1, finding.judgements.size());
  for (std::size_t i = 0; i < lines; ++i) {
    std::vector<std::string> cells(3);
    if (i == 0) cells = {job.test_case.name, name_of(job.dtype), ""};
    const Judgement none{};
    const Judgement& judgement = finding.judgements.empty() ? none : finding.judgements[i];
    if (lines > 1) cells[2] = judgement.output;
    for (const Measure measure : sized_measures) {
      const Measured* fixed = find(judgement.static_measures(), measure);
      const Measured* dynamic = find(judgement.dynamic_measures(), measure);
      const Measured* any = fixed != nullptr ? fixed : dynamic;
      cells.push_back(any != nullptr ? text_of(any->error) : "");
      cells.push_back(fixed != nullptr ? text_of(fixed->threshold) : "");
      cells.push_back(dynamic != nullptr ? text_of(dynamic->threshold) : "");
    }
    const Measured* sides = find(judgement.verdict.measures, Measure::diff4);
    // Negative: too few deviations to tell.
    cells.push_back(sides != nullptr && sides->error >= 0 ? fmt::format("{:.2f}", sides->error)
                                                          : "");
    if (i == 0) {
      cells.push_back(finding.judgements.empty() ? "" : finding.same_bits ? "equal" : "differ");
      const auto& timing = finding.timing;
      cells.push_back(timing ? fmt::format("{:.5f}", timing->ms_best) : "");
      cells.push_back(timing ? fmt::format("{:.5f}", timing->limit_ms()) : "");
      cells.push_back(timing ? fmt::format("{:.2f}", timing->efficiency()) : "");
      cells.push_back(finding.problem.empty() ? "accepted" : "FAILED");
    }
    tables.add(job.suite.op, std::move(cells));
  }
}

JsonObject json_of(const Job& job, const Finding& finding) {
  JsonObject object = finding.timing ? finding.timing->json() : JsonObject{};
  if (!finding.timing) {
    object.add("op", job.suite.op)
        .add("case", job.test_case.name)
        .add("direction", direction_of(job.suite.op))
        .add("dtype", name_of(job.dtype));
  }
  for (const Judgement& judgement : finding.judgements) {
    const std::string prefix = finding.judgements.size() > 1 ? judgement.output + "." : "";
    const auto add = [&](std::span<const Measured> measures, const char* suffix) {
      for (const Measured& one : measures) {
        object.add(prefix + testing::name_of(one.measure) + suffix, one.threshold);
      }
    };
    for (const Measure measure :
         {Measure::diff1, Measure::diff2, Measure::diff3, Measure::diff3_2, Measure::diff4}) {
      if (const Measured* one = find(judgement.verdict.measures, measure)) {
        object.add(prefix + testing::name_of(measure), one->error);
      }
    }
    add(judgement.static_measures(), "_static");
    add(judgement.dynamic_measures(), "_dynamic");
  }
  object.add("same_bits", finding.same_bits)
      .add("accepted", finding.problem.empty())
      .add("problem", finding.problem);
  return object;
}

std::vector<Job> jobs_for(const AcceptOptions& options) {
  std::vector<Job> all = jobs_of(options.selection), jobs;
  const std::vector<std::string>& named = options.selection.cases;
  for (const Job& job : all) {
    const Case& test_case = job.test_case;
    if (test_case.vast && std::ranges::find(named, test_case.name) == named.end()) continue;
    const bool needed =
        test_case.kind == Case::Kind::network || job.dtype == principal_dtype(job.suite);
    if (!options.quick || needed) jobs.push_back(job);
  }
  return jobs;
}

constexpr const char* legend =
    "diff1 to diff4: error measures of the MLU-OPS accuracy standard; static, dynamic: the most "
    "that\n"
    "is accepted; bits: with 1, 2, 3 and 7 threads; efficiency = limit / best ms, network cases in "
    "float, or in what the operator has.\n";

}  // namespace

bool accept(const AcceptOptions& options) {
  const std::vector<Job> jobs = jobs_for(options);
  JsonFile file(options.json);
  Progress progress(jobs.size());
  OperatorTables tables(columns(), progress);
  Limits limits;

  std::vector<std::string> problems;
  for (const Job& job : jobs) {
    progress.step(job.name());
    const Finding finding = examine(job, limits);
    if (!finding.problem.empty()) problems.push_back(job.name() + ": " + finding.problem);
    add_rows(tables, job, finding);
    file.add(json_of(job, finding));
  }
  tables.finish();
  file.finish();
  fmt::print("{}\n", legend);
  for (const std::string& problem : problems) fmt::print("FAILED {}\n", problem);
  fmt::print("{} cases accepted, {} failed\n", jobs.size() - problems.size(), problems.size());
  return problems.empty();
}

}  // namespace mluop::cli
