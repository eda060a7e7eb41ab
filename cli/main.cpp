// The program mluop: parses the command line and maps outcomes to exit codes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>

#include "commands.hpp"

namespace {

using namespace mluop::cli;

enum ExitCode { passed = 0, failed = 1, unusable = 2 };

constexpr const char* footer = R"(Lists are separated by commas. Examples:
  mluop list --cases
  mluop accept --quick
  mluop bench --op rotated_feature_align_backward --threads 1,2 --impl all
  mluop bench --case p5_50x50x600 --dtype float --json rows.json
  mluop encoder --threads 1,2
  mluop run case.prototxt zoo/carafe_forward/test_case
  mluop gen carafe_forward --shape n=2,h=10,w=12,c=64 --dtype half --out cases

Exit codes: 0 everything passed, 1 a case failed, 2 the command could not be carried out.
Environment: MLUOP_NUM_THREADS, MLUOP_ISA, MLUOP_LIMITS and MLUOP_LOG_LEVEL act as on any program.)";

/// Shows an option's values as its type name spells them, without CLI11's further "...".
class Help : public CLI::Formatter {
  std::string make_option_opts(const CLI::Option* option) const override {
    return " " + option->get_type_name();
  }
};

void add_selection(CLI::App& command, Selection& selection, const char* default_cases,
                   const char* default_dtypes) {
  command.add_option("--op", selection.ops, "Operators to run (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  command
      .add_option("--case", selection.cases,
                  fmt::format("Cases by name, or the groups network, edge, all (default: {})",
                              default_cases))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  command
      .add_option(
          "--dtype", selection.dtypes,
          fmt::format("float, half, double, bfloat16, int32, all (default: {})", default_dtypes))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
}

void add_threads(CLI::App& command, std::vector<int>& threads) {
  command
      .add_option("--threads", threads,
                  "Thread counts, 1 to 1024 (default: the cores of this process)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 1024).description(""))
      ->type_name("N,...");
}

void add_list(CLI::App& app, ListOptions& options) {
  auto* command = app.add_subcommand(
      "list", "Operators, their dtypes and implementations, and which one this machine uses");
  command->add_flag("--cases", options.cases, "Also the named cases of every operator");
}

void add_accept(CLI::App& app, AcceptOptions& options) {
  auto* command = app.add_subcommand(
      "accept",
      "Judge every operator: error measures, equal bits, bad calls, speed; writes a report");
  add_selection(*command, options.selection, "all", "all");
  command->add_flag("--quick", options.quick,
                    "One dtype per operator, for an answer within a minute");
  command->add_option("--out", options.out, "Folder of the report (default: mluop-report)")
      ->type_name("DIR");
  command->add_option("--json", options.json, "Write report.json here, too")->type_name("FILE");
}

void add_bench(CLI::App& app, BenchOptions& options) {
  auto* command = app.add_subcommand(
      "bench", "Time cases, after verifying each, next to the machine's limit for the shape");
  add_selection(*command, options.selection, "network", "float,half, or what the operator has");
  add_threads(*command, options.threads);
  command
      ->add_option("--impl", options.impls,
                   "Implementations by name, or all (default: the one the library chooses; beside "
                   "amx also the best without it)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  command->add_option("--json", options.json, "Also write one JSON object per row")
      ->type_name("FILE");
  command
      ->add_option("--compare", options.compare,
                   "Rows of an earlier run, written by --json, to show the ratio to")
      ->type_name("FILE");
}

void add_encoder(CLI::App& app, EncoderOptions& options) {
  auto* command = app.add_subcommand(
      "encoder", "Time CenterPoint's sparse encoder, forward and all gradients, call by call");
  command->add_option("--scene", options.family, "centerpoint (default) or small, for a quick look")
      ->check(CLI::IsMember({"centerpoint", "small"}).description(""))
      ->type_name("NAME");
  command->add_option("--dtype", options.dtype, "float (default) or half")
      ->check(CLI::IsMember({"float", "half"}).description(""))
      ->type_name("NAME");
  add_threads(*command, options.threads);
}

void add_threads_command(CLI::App& app, ThreadsOptions& options) {
  auto* command = app.add_subcommand(
      "threads", "Time what threads cost: small loops, sleeping workers, more threads than cores");
  command
      ->add_option("--repeat", options.repeat,
                   "Repetitions of the three calls; the worst is shown (default: 5)")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("N");
  command->add_option("--seconds", options.seconds, "Seconds of each repetition (default: 1)")
      ->check(CLI::Range(0.01, 1000.0).description(""))
      ->type_name("X");
  command->footer("On a machine that others keep busy: scripts/busy 3 mluop threads");
}

void add_run(CLI::App& app, RunOptions& options) {
  auto* command = app.add_subcommand(
      "run", "Execute test-case files of MLU-OPS and judge every output by the file's thresholds");
  command
      ->add_option(
          "paths", options.paths,
          "Case files, .prototxt (text) or .pb (binary), or directories to search for them")
      ->required()
      ->type_name("FILE|DIR...");
  command
      ->add_option("--timeout", options.timeout,
                   "Seconds that a case may take before it counts as failed (default: 600; 0: no "
                   "limit)")
      ->check(CLI::Range(0, 1000000).description(""))
      ->type_name("N");
  command->add_flag("--allow-outside", options.allow_outside,
                    "Also read data (path:) from outside the directory of the case file");
  command->add_option("--json", options.json, "Also write one JSON object per output")
      ->type_name("FILE");
  command->footer(
      "docs/case-files.md describes the files. A file that cannot be read is named with "
      "line or field, and\nthe exit code is 2; the other files run all the same.");
}

void add_gen(CLI::App& app, GenOptions& options) {
  auto* command = app.add_subcommand(
      "gen", "Write test-case files: of an operator with given sizes, or of a suite of cases");
  command->add_option("operator", options.op, "The operator, for a case of its own")
      ->type_name("OP");
  command->add_option("--shape", options.shape, "Its sizes, see below")->type_name("NAME=N,...");
  command
      ->add_option("--suite", options.suite,
                   "Instead of an operator: the named network or edge cases, or random sizes")
      ->check(CLI::IsMember({"network", "edge", "random"}).description(""))
      ->type_name("NAME");
  add_selection(*command, options.selection, "those of the suite",
                "float for an operator, all for a suite");
  command->add_option("--count", options.count, "Random cases per operator (default: 10)")
      ->check(CLI::Range(1, 100000).description(""))
      ->type_name("N");
  command->add_option("--seed", options.seed, "Of sizes and data (default: 1)")->type_name("N");
  command
      ->add_option("--data", options.data,
                   "auto (default): indices, boxes and small tensors; all; shapes")
      ->check(CLI::IsMember({"auto", "all", "shapes"}).description(""))
      ->type_name("NAME");
  command->add_option("--out", options.out, "Where to (default: the current directory)")
      ->type_name("DIR");
  command->footer(sizes_help());
}

void add_scene(CLI::App& app, SceneOptions& options) {
  auto* command = app.add_subcommand(
      "scene", "Write scans of synthetic streets: points and the boxes of the cars, as .npy files");
  command->add_option("--count", options.count, "Scenes (default: 1)")
      ->check(CLI::Range(1, 10000).description(""))
      ->type_name("N");
  command->add_option("--sweeps", options.sweeps, "Turns of the scanner in each (default: 1)")
      ->check(CLI::Range(1, 100).description(""))
      ->type_name("N");
  command->add_option("--seed", options.seed, "Of the streets (default: 1)")->type_name("N");
  command->add_option("--out", options.out, "Where to (default: the current directory)")
      ->type_name("DIR");
}

/// Of every command; the command line fills those of one.
struct Options {
  ListOptions list;
  AcceptOptions accept;
  BenchOptions bench;
  EncoderOptions encoder;
  ThreadsOptions threads;
  RunOptions run;
  GenOptions gen;
  SceneOptions scene;
};

/// What the command line asks for; called after parsing.
bool run(const CLI::App& app, const Options& options) {
  const std::string& command = app.get_subcommands().front()->get_name();
  if (command == "list") return list(options.list);
  if (command == "info") return info();
  if (command == "accept") return accept(options.accept);
  if (command == "encoder") return encoder(options.encoder);
  if (command == "threads") return threads(options.threads);
  if (command == "run") return run_files(options.run);
  if (command == "gen") return gen(options.gen);
  if (command == "scene") return scene(options.scene);
  return bench(options.bench);
}

/// The first argument must be a command or an option; "" if it is.
std::string command_problem(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(command->get_name());
  }
  const std::string given = argc > 1 ? argv[1] : "";
  if (given.starts_with('-') || std::find(known.begin(), known.end(), given) != known.end()) {
    return "";
  }
  return fmt::format(
      "{}; known: {} (see mluop --help)",
      given.empty() ? "no command given" : fmt::format("unknown command '{}'", given),
      fmt::join(known, ", "));
}

int complain(const std::string& problem) {
  fmt::print(stderr, "mluop: {}\n", problem);
  return unusable;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app{
      "The MLU-OPS operators on the CPU: what there is, whether it is right, how fast it is."};
  app.name("mluop");
  app.footer(footer);
  app.formatter(std::make_shared<Help>());
  app.require_subcommand(1);

  Options options;
  add_list(app, options.list);
  app.add_subcommand("info", "Library, machine, and what the machine can do at best, measured now");
  add_accept(app, options.accept);
  add_bench(app, options.bench);
  add_encoder(app, options.encoder);
  add_threads_command(app, options.threads);
  add_run(app, options.run);
  add_gen(app, options.gen);
  add_scene(app, options.scene);

  if (const std::string problem = command_problem(app, argc, argv); !problem.empty()) {
    return complain(problem);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    return complain(fmt::format("{} (see mluop --help)", error.what()));
  }
  // Only gen records, and that on its own account: MLUOP_GEN_CASE is for the programs of users.
  mluOpSetGenCaseMode(0);
  const bool ok = run(app, options);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return complain("cannot write to standard output");
  }
  return ok ? passed : failed;
} catch (const UnreadableFiles& files) {
  for (const std::string& line : files.lines) complain(line);
  return unusable;
} catch (const std::exception& error) {
  return complain(error.what());
}
