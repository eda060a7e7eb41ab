// mluop run: test-case files of MLU-OPS, executed and judged.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "case_files/case_files.hpp"
#include "case_files/child_process.hpp"
#include "case_files/packed_verdict.hpp"
#include "casefile/reader.hpp"
#include "casefile/run.hpp"
#include "commands/commands.hpp"
#include "output/json_file.hpp"
#include "output/results.hpp"

namespace mluop::cli {

namespace {

namespace fs = std::filesystem;
using casefile::CaseVerdict;
using casefile::OutputVerdict;
using testing::Measure;
using testing::Measured;

constexpr Measure measures[] = {Measure::diff1, Measure::diff2, Measure::diff3, Measure::diff3_2,
                                Measure::diff4};

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

/// The strictest threshold of a measure; the operator's own criteria may have several.
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

Json json_of(const std::string& op, const fs::path& file, const OutputVerdict& output) {
  Json object{{"file", file.string()}, {"op", op}, {"output", output.output}};
  for (const Measure measure : measures) {
    const Measured* one = find(output, measure);
    if (one == nullptr) continue;
    const std::string name = testing::name_of(measure);
    object[name] = one->error;
    object[name + "_threshold"] = one->threshold;
  }
  object["compared"] = output.compared;
  object["passed"] = !output.compared || output.verdict.pass;
  object["problem"] = output.verdict.reason;
  return object;
}

/// The results of a run.
struct Results {
  OperatorTables& tables;
  JsonFile& json;
  std::vector<std::string> unreadable, failed;
  std::size_t read = 0, passed = 0, by_own_criteria = 0;

  void add(const std::string& op, const fs::path& path, const CaseVerdict& verdict) {
    const std::string name = path.filename().string();
    ++read;
    by_own_criteria += verdict.own_criteria && verdict.problem.empty() ? 1 : 0;
    passed += verdict.pass() ? 1 : 0;
    if (!verdict.problem.empty()) {
      failed.push_back(fmt::format("{}: {}", path.string(), verdict.problem));
      tables.add(op.empty() ? "(not read)" : op,
                 {name, "", "", "", "", "", "", "", "", "", "", "", "", "FAILED"});
      json.add(
          {{"file", path.string()}, {"op", op}, {"passed", false}, {"problem", verdict.problem}});
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

  void print_summary() const {
    for (const std::string& problem : failed) fmt::print("FAILED {}\n", problem);
    if (by_own_criteria > 0) {
      fmt::print("{} of the files name no thresholds and were judged by the operator's own.\n",
                 by_own_criteria);
    }
    if (read > 0) fmt::print("{} cases passed, {} failed\n", passed, read - passed);
  }
};

/// Runs in the child process. Sends why the file cannot be read or, if it can, "", its operator and the
/// verdict.
void send_verdict(const fs::path& path, const RunOptions& options, const testing::Handle& handle,
                  const Send& send) {
  try {
    const std::unique_ptr<testing::FileCall> call =
        casefile::read_call(path, {.allow_outside = options.allow_outside});
    send(packed("") + packed(call->file().op));
    send(packed(casefile::run_case(*call, handle)));
  } catch (const casefile::FileError& error) {
    send(packed(error.what()));
  }
}

/// Runs each case in a child process, so that a case that hangs, crashes or exhausts memory does not affect
/// the others. The parent calls no operator, so it has no worker threads when it forks. Returns the operator,
/// "" of a file that could not be read.
std::string execute(const fs::path& path, const RunOptions& options, const testing::Handle& handle,
                    Results& results) {
  const ChildEnd end =
      run_in_child([&](const Send& send) { send_verdict(path, options, handle, send); },
                   std::chrono::seconds(options.timeout));
  std::string_view sent = end.sent;
  std::string unreadable, op;
  if (unpack(sent, unreadable) && !unreadable.empty()) {
    results.unreadable.push_back(unreadable);
    return "";
  }
  CaseVerdict verdict;
  unpack(sent, op);
  if (!unpack(sent, verdict)) verdict = {.problem = end.problem};
  results.add(op, path, verdict);
  return op;
}

}  // namespace

bool run_files(const RunOptions& options) {
  CaseFiles found = find_case_files(options.paths);
  const testing::Handle handle;  // created once, so that a wrong environment is reported once
  JsonFile json(options.json);
  Progress progress(found.files.size());
  OperatorTables tables(columns(), progress);
  Results results{tables, json, std::move(found.unreadable), {}};
  for (const fs::path& path : found.files) {
    progress.step_file(path.string());
    const std::string op = execute(path, options, handle, results);
    if (!op.empty()) progress.enter(op);
  }
  tables.finish();
  progress.clear();
  json.finish();
  results.print_summary();
  if (!results.unreadable.empty()) throw UnreadableFiles(std::move(results.unreadable));
  return results.failed.empty();
}

}  // namespace mluop::cli
