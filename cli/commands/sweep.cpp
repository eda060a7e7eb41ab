// mluop bench --sweep: random problems of every operator, next to the limit of the machine and the plain loop.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "commands/commands.hpp"
#include "measure/machine.hpp"
#include "output/interruption.hpp"
#include "output/json_file.hpp"
#include "output/progress.hpp"
#include "output/text_file.hpp"
#include "report/chart/sweep_chart.hpp"
#include "sweep/distribution.hpp"

namespace mluop::cli {

namespace {

constexpr const char* legend =
    R"(efficiency (eff): limit / best time, of problems of at least 20 µs; p10: a tenth of them is less efficient
limit: time for the arithmetic or the memory traffic, whichever is longer, at the best rate of this machine
bound: what limits the problem; gain: time of the plain loop / best time; slower: share with a gain below 1
number: mluop bench --sweep --op OP --seed SEED --only NUMBER runs that problem alone;
  its shape is what mluop gen OP --shape and mluop bench --sweep --op OP --shape take
bars: no problem slower than the plain loop, and of each kind the tenth percentile at least half of the median
)";

/// Destinations of the rows. An interruption ends the run with the rows that it has.
class SweepOutput {
 public:
  SweepOutput(std::size_t steps, const SweepOptions& options, const std::string& json)
      : options_(options), progress_(steps), file_(json), picture_(options.picture) {}

  void step(const SweepProblem& problem) {
    const auto lock = interruption_.held();
    progress_.step(problem.name());
  }
  void add(const SweepRow& row) {
    const auto lock = interruption_.held();
    rows_.push_back(row);
    all_.push_back(row);
    file_.add(json_of(row));
  }
  void fail(const SweepProblem& problem, const std::string& what) {
    const auto lock = interruption_.held();
    ++failed_;
    progress_.clear();
    fmt::print(stderr, "FAILED {}: {}\n", problem.name(), what);
  }
  /// The rows so far are those of an operator.
  void finish_operator() {
    const auto lock = interruption_.held();
    print_operator();
  }
  bool finish() {
    const auto lock = interruption_.held();
    write_files();
    if (!alone()) fmt::print("{}", legend);
    return failed_ == 0 && (met_ || !options_.require);
  }

 private:
  bool alone() const { return options_.only || !options_.shape.empty(); }
  void print_operator() {
    progress_.clear();
    if (rows_.empty()) return;
    if (alone()) {
      fmt::print("{}\n{}", rows_.front().op, problems_text(rows_));
    } else {
      fmt::print("{}\n", sweep_text(rows_.front().op, rows_));
    }
    met_ = met_ && verdict_of(rows_).met();
    std::fflush(stdout);
    rows_.clear();
  }
  void write_files() {
    file_.finish();
    if (!options_.picture.empty()) picture_.write(report::sweep_picture(all_));
  }
  /// An earlier file is not replaced by one without rows.
  void interrupt() {
    print_operator();
    fmt::print(stderr, "mluop: interrupted; rows measured: {}\n", all_.size());
    if (!all_.empty()) write_files();
  }

  const SweepOptions& options_;
  Progress progress_;
  JsonFile file_;
  TextFile picture_;
  std::vector<SweepRow> rows_, all_;  // of the present operator; of all
  std::size_t failed_ = 0;
  bool met_ = true;
  Interruption interruption_{[this] { interrupt(); }};
};

/// The problems of one operator.
std::vector<SweepProblem> problems_of(const testing::Suite& suite, const BenchOptions& options) {
  const SweepOptions& sweep = options.sweep;
  const SweepChoice choice{sweep.seed, wanted_of(suite.dtypes, options.selection),
                           options.threads.empty() ? sweep_threads() : options.threads};
  std::vector<SweepProblem> problems;
  if (!sweep.shape.empty()) {
    for (const mluOpDataType_t dtype : choice.dtypes) {
      for (const int threads : choice.threads) {
        problems.push_back(
            {suite, -1, testing::Sizes(suite.sized.keys, sweep.shape), dtype, threads});
      }
    }
    return problems;
  }
  const int first = sweep.only.value_or(0), last = sweep.only.value_or(sweep.count - 1);
  for (int number = first; number <= last; ++number) {
    problems.push_back(drawn_problem(suite, number, choice));
  }
  return problems;
}

void check(const BenchOptions& options) {
  if (!options.selection.cases.empty() &&
      options.selection.cases != std::vector<std::string>{"network"}) {
    throw UsageError("--sweep draws its problems; --case does not belong to it");
  }
  const bool ways = !options.ways.designs.empty() || !options.ways.isas.empty();
  if (ways || !options.compare.empty()) {
    throw UsageError(
        "--sweep times the library's choice; --impl, --isa and --compare do not belong to it");
  }
  if (!options.sweep.shape.empty() && options.selection.ops.size() != 1) {
    throw UsageError("--shape needs one operator: --op OP");
  }
}

}  // namespace

bool sweep(const BenchOptions& options) try {
  check(options);
  std::vector<std::vector<SweepProblem>> operators;
  std::size_t steps = 0;
  for (const testing::Suite* suite : suites_of(options.selection)) {
    if (suite->sized.sweep == nullptr) continue;
    operators.push_back(problems_of(*suite, options));
    steps += operators.back().size();
  }
  SweepOutput output(steps, options.sweep, options.json);
  const testing::Handle handle;
  Limits limits = limits_for(handle);
  for (const auto& problems : operators) {
    for (const SweepProblem& problem : problems) {
      output.step(problem);
      try {
        output.add(time_problem(problem, options.sweep.seed, limits));
      } catch (const std::runtime_error& failure) {
        output.fail(problem, failure.what());
      }
    }
    output.finish_operator();
  }
  return output.finish();
} catch (const std::invalid_argument& problem) {
  throw UsageError(problem.what());
}

}  // namespace mluop::cli
