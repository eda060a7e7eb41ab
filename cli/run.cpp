// mluop run: test-case files of MLU-OPS, executed and judged.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "casefile/reader.hpp"
#include "casefile/run.hpp"
#include "commands.hpp"
#include "results.hpp"

namespace mluop::cli {

namespace {

namespace fs = std::filesystem;
using casefile::CaseVerdict;
using casefile::OutputVerdict;
using testing::Measure;
using testing::Measured;

constexpr Measure measures[] = {Measure::diff1, Measure::diff2, Measure::diff3, Measure::diff3_2,
                                Measure::diff4};

/// The case files below a directory, sorted, so that those of an operator stand together.
std::vector<fs::path> files_below(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file() && casefile::is_case_file(entry.path())) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> files_of(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    std::error_code none;  // whatever it is, reading it says why it cannot be read
    if (!fs::is_directory(path, none)) {
      files.emplace_back(path);
      continue;
    }
    const std::vector<fs::path> below = files_below(path);
    if (below.empty()) {
      throw UsageError(fmt::format("{}: holds no case files (*.prototxt, *.pb)", path));
    }
    files.insert(files.end(), below.begin(), below.end());
  }
  return files;
}

std::vector<Table::Column> columns() {
  std::vector<Table::Column> list{
      {"file", Align::left}, {"output", Align::left}, {"dtype", Align::left}};
  for (const Measure measure : measures) {
    list.push_back({testing::name_of(measure)});
    list.push_back({"threshold"});
  }
  list.push_back({"verdict", Align::left});
  return list;
}

/// Of several thresholds for a measure, as the operator's own may name, the one that decides.
const Measured* find(const OutputVerdict& output, Measure wanted) {
  const Measured* strictest = nullptr;
  for (const Measured& one : output.verdict.measures) {
    if (one.measure != wanted) continue;
    if (strictest == nullptr || one.threshold < strictest->threshold) strictest = &one;
  }
  return strictest;
}

const char* word_for(const OutputVerdict& output) {
  if (!output.compared) return "not compared";
  if (!output.verdict.pass) return "FAILED";
  return output.verdict.measures.empty() ? "passed, empty" : "passed";
}

void add_row(OperatorTables& tables, const std::string& op, const std::string& file,
             const OutputVerdict& output) {
  std::vector<std::string> cells{file, output.output, output.compared ? name_of(output.dtype) : ""};
  for (const Measure measure : measures) {
    const Measured* one = find(output, measure);
    cells.push_back(one != nullptr ? fmt::format("{:.2e}", one->error) : "");
    cells.push_back(one != nullptr ? fmt::format("{:.2g}", one->threshold) : "");
  }
  cells.emplace_back(word_for(output));
  tables.add(op, std::move(cells));
}

JsonObject json_of(const std::string& op, const fs::path& file, const OutputVerdict& output) {
  JsonObject object;
  object.add("file", file.string()).add("op", op).add("output", output.output);
  for (const Measure measure : measures) {
    const Measured* one = find(output, measure);
    if (one == nullptr) continue;
    object.add(testing::name_of(measure), one->error)
        .add(fmt::format("{}_threshold", testing::name_of(measure)), one->threshold);
  }
  object.add("compared", output.compared)
      .add("passed", !output.compared || output.verdict.pass)
      .add("problem", output.verdict.reason);
  return object;
}

/// Everything that a run collects.
struct Results {
  OperatorTables& tables;
  JsonFile& json;
  std::vector<std::string> unreadable, failed;
  std::size_t passed = 0, by_own_criteria = 0;

  void add(const std::string& op, const fs::path& path, const CaseVerdict& verdict) {
    const std::string name = path.filename().string();
    by_own_criteria += verdict.own_criteria && verdict.problem.empty() ? 1 : 0;
    passed += verdict.pass() ? 1 : 0;
    if (!verdict.problem.empty()) {
      failed.push_back(fmt::format("{}: {}", path.string(), verdict.problem));
      tables.add(op, {name, "", "", "", "", "", "", "", "", "", "", "", "", "FAILED"});
      json.add(JsonObject()
                   .add("file", path.string())
                   .add("op", op)
                   .add("passed", false)
                   .add("problem", verdict.problem));
    }
    for (const OutputVerdict& output : verdict.outputs) {
      add_row(tables, op, name, output);
      json.add(json_of(op, path, output));
      if (output.compared && !output.verdict.pass) {
        failed.push_back(
            fmt::format("{}: {}: {}", path.string(), output.output, output.verdict.reason));
      }
    }
  }
};

void execute(const fs::path& path, Results& results) {
  try {
    const std::unique_ptr<testing::FileCall> call = casefile::read_call(path);
    const testing::Handle handle;
    results.add(call->file().op, path, casefile::run_case(*call, handle));
  } catch (const casefile::FileError& error) {
    results.unreadable.emplace_back(error.what());
  }
}

}  // namespace

bool run_files(const RunOptions& options) {
  const std::vector<fs::path> files = files_of(options.paths);
  JsonFile json(options.json);
  Progress progress(files.size());
  OperatorTables tables(columns(), progress);
  Results results{tables, json, {}, {}};
  for (const fs::path& path : files) {
    progress.step(path.string());
    execute(path, results);
  }
  tables.finish();
  progress.clear();
  json.finish();
  for (const std::string& problem : results.failed) fmt::print("FAILED {}\n", problem);
  if (results.by_own_criteria > 0) {
    fmt::print("{} of the files name no thresholds and were judged by the operator's own.\n",
               results.by_own_criteria);
  }
  const std::size_t read = files.size() - results.unreadable.size();
  if (read > 0) {
    fmt::print("{} cases passed, {} failed\n", results.passed, read - results.passed);
  }
  if (!results.unreadable.empty()) throw UnreadableFiles(std::move(results.unreadable));
  return results.failed.empty();
}

}  // namespace mluop::cli
