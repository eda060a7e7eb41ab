// mluop bench: verifies and times the cases of a selection.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "commands/commands.hpp"
#include "measure/earlier_run.hpp"
#include "measure/machine.hpp"
#include "measure/measurement.hpp"
#include "measure/trial.hpp"
#include "output/interruption.hpp"
#include "output/results.hpp"

namespace mluop::cli {

namespace {

std::vector<Table::Column> columns() {
  return {{"case", Align::left},
          {"dtype", Align::left},
          {"threads"},
          {"isa", Align::left},
          {"impl", Align::left},
          {"ms"},
          {"best ms"},
          {"limit ms"},
          {"efficiency"},
          {"IO"},
          {"compute"},
          {"bound", Align::left},
          {"MB"},
          {"MFLOP"},
          {"workspace KB"},
          {"peer ms"},
          {"gain"},
          {"to earlier"}};
}

std::vector<std::string> cells_of(const Measurement& row, const EarlierRun& earlier) {
  const std::optional<double> ratio = earlier.ratio(row);
  return {row.case_name,
          row.dtype,
          std::to_string(row.threads),
          row.isa,
          row.impl,
          fmt::format("{:.5f}", row.ms),
          fmt::format("{:.5f}", row.ms_best),
          fmt::format("{:.5f}", row.limit_ms()),
          fmt::format("{:.2f}", row.efficiency()),
          fmt::format("{:.2f}", row.io_efficiency()),
          fmt::format("{:.2f}", row.compute_efficiency()),
          row.limit.bound(),
          fmt::format("{:.3f}", row.bytes() * 1e-6),
          fmt::format("{:.3f}", row.cost.flops * 1e-6),
          fmt::format("{:.1f}", static_cast<double>(row.workspace_bytes) * 1e-3),
          row.peer_ms ? fmt::format("{:.5f}", *row.peer_ms) : "",
          row.peer_ms ? fmt::format("{:.1f}", row.gain()) : "",
          ratio ? fmt::format("{:.2f}", *ratio) : ""};
}

constexpr const char* legend = R"(ms: median; best ms: minimum
limit ms: time for the arithmetic or the memory traffic of the call, whichever is longer, at the best
  rate this machine sustains for the duration of the call (up to 20 ms), measured around each row
efficiency: limit ms / best ms; IO, compute: the same for memory traffic and for arithmetic alone
bound: what limits the call, the larger of IO and compute; MB: bytes read and written
peer ms: the usual implementation elsewhere, on one thread, if there is one; gain: peer ms / best ms
to earlier: best ms / best ms of the earlier run
)";

/// Destinations of the rows. An interruption ends the run with the rows that it has.
class Output {
 public:
  Output(std::size_t steps, EarlierRun earlier, const std::string& json)
      : progress_(steps), earlier_(std::move(earlier)), file_(json) {}

  void step(const Job& job) {
    const auto lock = interruption_.held();
    progress_.step(job.name());
  }
  void add(const Job& job, const Measurement& row) {
    const auto lock = interruption_.held();
    ++rows_;
    tables_.add(job.suite.op, cells_of(row, earlier_));
    file_.add(row.json());
  }
  void fail(const std::string& problem) {
    const auto lock = interruption_.held();
    ++failed_;
    progress_.clear();
    fmt::print(stderr, "FAILED {}\n", problem);
  }
  /// Whether nothing failed.
  bool finish() {
    const auto lock = interruption_.held();
    write();
    return failed_ == 0;
  }

 private:
  void write() {
    tables_.finish();
    file_.finish();
    fmt::print("{}", legend);
  }
  /// An earlier file is not replaced by one without rows.
  void interrupt() {
    progress_.clear();
    fmt::print(stderr, "mluop: interrupted; rows measured: {}\n", rows_);
    if (rows_ > 0) write();
  }

  Progress progress_;
  OperatorTables tables_{columns(), progress_};
  EarlierRun earlier_;
  JsonFile file_;
  std::size_t rows_ = 0, failed_ = 0;
  Interruption interruption_{[this] { interrupt(); }};
};

/// Verifies and measures; nothing if the design does not accept the case. The handle is new, so that
/// its scratch is that of this row.
std::optional<Measurement> measured(const Job& job, Trial& trial, int threads,
                                    const testing::Way& way, Limits& limits, Output& output) {
  testing::Handle handle;
  way.apply(handle.threads(threads), job.suite.op);
  if (!trial.accepted_by(handle)) return std::nullopt;
  if (const std::string problem = trial.verify(handle); !problem.empty()) {
    output.fail(fmt::format("{}, {} threads, {}: {}", job.name(), threads, way.name(), problem));
    return std::nullopt;
  }
  return measure(job, trial.call(), handle, limits);
}

/// One case and number of threads. Without names, a choice that uses matrix units is followed by that of
/// AVX-512.
void run_case(const Job& job, Trial& trial, int threads, const BenchOptions& options,
              Limits& limits, Output& output) {
  const testing::Handle handle;
  for (const testing::Way& way : select_ways(handle, job.suite.op, options.ways)) {
    const auto row = measured(job, trial, threads, way, limits, output);
    if (!row) continue;
    output.add(job, *row);
    const bool by_choice = way.design.empty() && options.ways.isas.empty();
    if (!by_choice || !row->impl.starts_with("amx")) continue;
    const auto vectors = measured(job, trial, threads, {"avx512", ""}, limits, output);
    if (vectors) output.add(job, *vectors);
  }
}

/// Without a choice of dtypes: float and half, or the first dtype of an operator without float.
std::vector<Job> jobs_for(const BenchOptions& options) {
  std::vector<Job> all = jobs_of(options.selection), jobs;
  for (const Job& job : all) {
    const bool usual = job.dtype == MLUOP_DTYPE_HALF || job.dtype == principal_dtype(job.suite);
    if (!options.selection.dtypes.empty() || usual) jobs.push_back(job);
  }
  return jobs;
}

}  // namespace

bool bench(const BenchOptions& options) {
  if (options.sweep.on) return sweep(options);
  const std::vector<Job> jobs = jobs_for(options);
  const testing::Handle handle;
  check_ways(handle, jobs, options.ways);
  const std::vector<int> thread_counts =
      options.threads.empty() ? std::vector{handle.threads()} : options.threads;
  const bool compares = !options.compare.empty();
  Output output{jobs.size(), compares ? EarlierRun::from_file(options.compare) : EarlierRun(),
                options.json};

  Limits limits = limits_for(handle);
  for (const Job& job : jobs) {
    output.step(job);
    Trial trial(job);
    for (const int threads : thread_counts) {
      run_case(job, trial, threads, options, limits, output);
    }
  }
  return output.finish();
}

}  // namespace mluop::cli
