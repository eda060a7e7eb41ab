// mluop bench: verifies and times the cases of a selection.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "commands/commands.hpp"
#include "measure/earlier_run.hpp"
#include "measure/machine.hpp"
#include "measure/measurement.hpp"
#include "measure/trial.hpp"
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

/// Destinations of the rows.
struct Output {
  Progress progress;
  OperatorTables tables{columns(), progress};
  EarlierRun earlier;
  JsonFile file;
  std::size_t failed = 0;
};

/// Verifies and measures; nothing if the design does not accept the case. The handle is new, so that
/// its scratch is that of this row.
std::optional<Measurement> measured(const Job& job, Trial& trial, int threads,
                                    const testing::Way& way, Limits& limits, Output& output) {
  testing::Handle handle;
  way.apply(handle.threads(threads), job.suite.op);
  if (!trial.accepted_by(handle)) return std::nullopt;
  if (const std::string problem = trial.verify(handle); !problem.empty()) {
    output.progress.clear();
    fmt::print(stderr, "FAILED {}, {} threads, {}: {}\n", job.name(), threads, way.name(), problem);
    ++output.failed;
    return std::nullopt;
  }
  return measure(job, trial.call(), handle, limits);
}

void add_row(const Job& job, const Measurement& row, Output& output) {
  output.tables.add(job.suite.op, cells_of(row, output.earlier));
  output.file.add(row.json());
}

/// One case and number of threads. Without names, a choice that uses matrix units is followed by that of
/// AVX-512.
void run_case(const Job& job, Trial& trial, int threads, const BenchOptions& options,
              Limits& limits, Output& output) {
  const testing::Handle handle;
  for (const testing::Way& way : select_ways(handle, job.suite.op, options.ways)) {
    const auto row = measured(job, trial, threads, way, limits, output);
    if (!row) continue;
    add_row(job, *row, output);
    const bool by_choice = way.design.empty() && options.ways.isas.empty();
    if (!by_choice || !row->impl.starts_with("amx")) continue;
    const auto vectors = measured(job, trial, threads, {"avx512", ""}, limits, output);
    if (vectors) add_row(job, *vectors, output);
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
  const std::vector<Job> jobs = jobs_for(options);
  const testing::Handle handle;
  check_ways(handle, jobs, options.ways);
  const std::vector<int> thread_counts =
      options.threads.empty() ? std::vector{handle.threads()} : options.threads;
  const bool compares = !options.compare.empty();
  Output output{.progress = Progress(jobs.size()),
                .earlier = compares ? EarlierRun::from_file(options.compare) : EarlierRun(),
                .file = JsonFile(options.json)};

  Limits limits = limits_for(handle);
  for (const Job& job : jobs) {
    output.progress.step(job.name());
    Trial trial(job);
    for (const int threads : thread_counts) {
      run_case(job, trial, threads, options, limits, output);
    }
  }
  output.tables.finish();
  output.file.finish();
  fmt::print("{}", legend);
  return output.failed == 0;
}

}  // namespace mluop::cli
