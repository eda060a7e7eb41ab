// mluop bench: verifies and times the cases of a selection.
#include <fmt/format.h>

#include "commands.hpp"
#include "earlier_run.hpp"
#include "measurement.hpp"
#include "results.hpp"
#include "trial.hpp"

namespace mluop::cli {

namespace {

std::vector<Table::Column> columns() {
  return {{"case", Align::left},
          {"dtype", Align::left},
          {"threads"},
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

constexpr const char* legend =
    "ms: median; limit: the least this machine needs for the arithmetic or the memory traffic of "
    "the\n"
    "call, at the best rate it kept up for as long as the call takes (up to 20 ms), around each "
    "row;\n"
    "efficiency = limit / best ms, the larger of that of IO and of compute, which is what binds;\n"
    "MB: bytes read and written; peer ms: the same done in the usual way, on one thread, where "
    "there "
    "is\n"
    "one; gain = peer ms / best ms; to earlier: best ms / best ms of the run compared with.\n";

/// Where the rows of a run go.
struct Output {
  Progress progress;
  OperatorTables tables{columns(), progress};
  EarlierRun earlier;
  JsonFile file;
  std::size_t failed = 0;
};

/// One row. Its handle is its own, so that its scratch is too.
void run_row(const Job& job, Trial& trial, int threads, const std::string& impl, Limits& limits,
             Output& output) {
  testing::Handle handle;
  handle.threads(threads).implementation(job.suite.op, impl);
  if (const std::string problem = trial.verify(handle); !problem.empty()) {
    output.progress.clear();
    fmt::print(stderr, "FAILED {}, {} threads, {}: {}\n", job.name(), threads, impl, problem);
    ++output.failed;
    return;
  }
  const Measurement row = measure(job, trial.call(), handle, limits);
  output.tables.add(job.suite.op, cells_of(row, output.earlier));
  output.file.add(row.json());
}

/// Without a choice of dtypes, float and half, or what an operator has that does not know float.
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
  const std::vector<Job> jobs = jobs_for(options);
  const testing::Handle handle;
  check_implementations(handle, jobs, options.impls);
  const std::vector<int> thread_counts =
      options.threads.empty() ? std::vector{handle.threads()} : options.threads;
  const bool compares = !options.compare.empty();
  Output output{.progress = Progress(jobs.size()),
                .earlier = compares ? EarlierRun::from_file(options.compare) : EarlierRun(),
                .file = JsonFile(options.json)};

  Limits limits;
  for (const Job& job : jobs) {
    output.progress.step(job.name());
    Trial trial(job);
    for (const int threads : thread_counts) {
      for (const std::string& impl : select_implementations(handle, job.suite.op, options.impls)) {
        run_row(job, trial, threads, impl, limits, output);
      }
    }
  }
  output.tables.finish();
  output.file.finish();
  fmt::print("{}", legend);
  return output.failed == 0;
}

}  // namespace mluop::cli
