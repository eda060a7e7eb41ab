#include "command_line.hpp"

#include <fmt/format.h>

namespace mluop::cli {

namespace {

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
  command
      ->add_option("--speed", options.speed,
                   "if-quiet (default): a slow case fails unless the machine was busy; always: it "
                   "fails; never: nothing is timed")
      ->check(CLI::IsMember({"if-quiet", "always", "never"}).description(""))
      ->type_name("MODE");
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
      ->add_option(
          "--impl", options.ways.designs,
          "Designs by name, or all: each is timed on the cases that it accepts (default: the "
          "one the library chooses; beside amx also the choice without it)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  command
      ->add_option("--isa", options.ways.isas,
                   "Instruction sets by name, or all (default: the one of MLUOP_ISA)")
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

void add_bits(CLI::App& app, BitsOptions& options) {
  auto* command = app.add_subcommand(
      "bits",
      "Hash the outputs of cases at every instruction set and design, to compare two builds");
  add_selection(*command, options.selection, "all", "all");
  command
      ->add_option("--compare", options.compare,
                   "What an earlier run printed: show only what differs, exit code 1 if anything "
                   "changed or is missing")
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

}  // namespace

void add_commands(CLI::App& app, Options& options) {
  add_list(app, options.list);
  app.add_subcommand("info", "Library, machine, and what the machine can do at best, measured now");
  add_accept(app, options.accept);
  add_bench(app, options.bench);
  add_bits(app, options.bits);
  add_encoder(app, options.encoder);
  add_threads_command(app, options.threads);
  add_run(app, options.run);
  add_gen(app, options.gen);
  add_scene(app, options.scene);
}

}  // namespace mluop::cli
