// mluop accept: is every operator accurate, reproducible, strict and fast enough? Writes the report.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "commands/commands.hpp"
#include "measure/examine.hpp"
#include "output/results.hpp"
#include "output/text_file.hpp"
#include "report/numbers.hpp"
#include "report/writers.hpp"

namespace mluop::cli {

namespace {

using report::OperatorResult;
using report::Report;
using report::Speed;
using report::SpeedMode;
using testing::Case;

std::vector<Job> jobs_for(const AcceptOptions& options) {
  std::vector<Job> jobs;
  for (const Job& job : jobs_of(options.selection)) {
    if (!options.quick || job.dtype == principal_dtype(job.suite)) jobs.push_back(job);
  }
  if (jobs.empty()) throw UsageError("no case is left of this selection");
  return jobs;
}

/// The files of the report: opened before the run, written after it.
class ReportFiles {
 public:
  explicit ReportFiles(const AcceptOptions& options)
      : folder_(made(options.out)),
        html_(folder_ / "report.html"),
        markdown_(folder_ / "report.md"),
        json_(folder_ / "report.json"),
        json_copy_(options.json) {}

  void write(const Report& report) {
    html_.write(report::html(report));
    markdown_.write(report::markdown(report));
    const std::string json = report::json(report);
    json_.write(json);
    json_copy_.write(json);
  }
  std::string page() const { return std::filesystem::absolute(folder_ / "report.html").string(); }

 private:
  static std::filesystem::path made(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      throw UsageError(fmt::format("cannot make '{}': {}", folder.string(), error.message()));
    }
    return folder;
  }

  std::filesystem::path folder_;
  TextFile html_, markdown_, json_, json_copy_;
};

std::string summary(const Report& report) {
  Table table({{"operator", Align::left},
               {"cases"},
               {"failed"},
               {"worst error"},
               {"bits", Align::left},
               {"bad calls refused"},
               {"timed"},
               {"below standard"},
               {"slow"},
               {"verdict", Align::left}});
  for (const OperatorResult& result : report.operators) {
    table.add({result.op, std::to_string(result.cases.size()),
               std::to_string(result.failed_cases()), report::error_text(result.worst_share()),
               result.same_bits() ? "equal" : "differ",
               fmt::format("{} of {}", result.refused(), result.bad_calls.size()),
               std::to_string(result.timings.size()), std::to_string(result.below_standard()),
               std::to_string(result.count(Speed::slow)), result.verdict()});
  }
  return table.text();
}

constexpr const char* legend = R"(
worst error: as a share of the accepted error; bits: compared between 1, 2, 3 and 7 threads
below standard: timed cases under 60 % of the machine's limit on network shapes, 30 % on others; the
report gives a reason for each. slow: of them, those without a reason at this instruction set, or more
than a fifth below the efficiency that was measured with the reason

)";

void print(const Report& report, const std::string& page) {
  fmt::print("{}{}", summary(report), legend);
  for (const OperatorResult& result : report.operators) {
    for (const std::string& problem : result.problems()) fmt::print("FAILED {}\n", problem);
    for (const std::string& doubt : result.doubts()) fmt::print("NOT JUDGED {}\n", doubt);
  }
  if (report.speed != SpeedMode::never) {
    fmt::print("machine {} while cases were timed: {}\n",
               report.disturbance.busy() ? "busy" : "quiet", report.disturbance.text());
  }
  fmt::print("{} of {} operators accepted\nverdict: {}\nreport: {}\n", report.accepted_operators(),
             report.operators.size(), report.verdict(), page);
}

/// The results of every operator of the jobs. Bad calls change environment variables, so they run while
/// nothing else does.
std::vector<OperatorResult> examine(const std::vector<Job>& jobs, bool quick, SpeedMode mode) {
  Progress progress(2 * jobs.size());
  progress.phase("checking");
  auto judged = judge(jobs, quick, progress);
  progress.phase("timing");
  std::vector<OperatorResult> operators;
  Limits limits = limits_for(testing::Handle());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    progress.step(job.name());
    if (!judged[i]) continue;
    if (operators.empty() || operators.back().op != job.suite.op) {
      operators.push_back(
          {.op = job.suite.op, .cases = {}, .bad_calls = job.suite.bad_calls(), .timings = {}});
    }
    const bool right = judged[i]->problem.empty();
    operators.back().cases.push_back(std::move(*judged[i]));
    if (!right) continue;
    if (auto timing = time_case(job, limits, quick, mode)) {
      operators.back().timings.push_back(std::move(*timing));
    }
  }
  if (operators.empty()) throw UsageError("all cases of this selection are too large for --quick");
  return operators;
}

/// Random problems of the operators of the report, in all dtypes of the selection, with one and two threads.
std::vector<SweepRow> random_problems(const AcceptOptions& options) {
  const std::vector<const testing::Suite*> suites = suites_of(options.selection);
  constexpr std::uint64_t seed = 1;
  Progress progress(suites.size() * static_cast<std::size_t>(options.sweep));
  progress.phase("sweeping");
  Limits limits = limits_for(testing::Handle());
  std::vector<SweepRow> rows;
  for (const testing::Suite* suite : suites) {
    const SweepChoice choice{seed, wanted_of(suite->dtypes, options.selection), sweep_threads()};
    for (int number = 0; number < options.sweep; ++number) {
      const SweepProblem problem = drawn_problem(*suite, number, choice);
      progress.step(problem.name());
      rows.push_back(time_problem(problem, seed, limits));
    }
  }
  return rows;
}

}  // namespace

bool accept(const AcceptOptions& options) {
  const std::vector<Job> jobs = jobs_for(options);
  ReportFiles files(options);
  const testing::Handle handle;
  Report report{.host = this_host(),
                .machine = this_machine(handle),
                .limits = measure_limits(handle, {1, handle.threads()}),
                .date = fmt::format("{:%Y-%m-%d %H:%M}", fmt::gmtime(std::time(nullptr))),
                .quick = options.quick,
                .speed = report::speed_mode(options.speed),
                .disturbance = {},
                .operators = {}};
  report.operators = examine(jobs, options.quick, report.speed);
  if (options.sweep > 0) report.sweep = random_problems(options);
  report.disturbance = report.disturbance_of_timings();
  files.write(report);
  print(report, files.page());
  return report.accepted();
}

}  // namespace mluop::cli
