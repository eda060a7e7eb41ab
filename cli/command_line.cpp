#include "command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mlu_op.h"
#include "mlu_op_cpu.h"

namespace mluop::cli {

namespace {

/// A list of names or numbers that are separated by commas. The kind is what help shows and completion offers.
template <class T>
CLI::Option* add_list_option(CLI::App& command, const char* name, std::vector<T>& values,
                             const char* kind, const std::string& description) {
  return command.add_option(name, values, description)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name(fmt::format("{},...", kind));
}

/// One of these words.
void add_choice(CLI::App& command, const char* name, std::string& value,
                const std::vector<std::string>& words, const std::string& description) {
  command.add_option(name, value, description)
      ->check(CLI::IsMember(words).description(""))
      ->type_name(fmt::format("{}", fmt::join(words, "|")));
}

void add_selection(CLI::App& command, Selection& selection, const char* default_cases,
                   const char* default_dtypes) {
  add_list_option(command, "--op", selection.ops, "OP", "Operators to run (default: all)");
  add_list_option(
      command, "--case", selection.cases, "CASE",
      fmt::format("Cases by name, or the groups network, edge, all (default: {})", default_cases));
  add_list_option(
      command, "--dtype", selection.dtypes, "DTYPE",
      fmt::format("float, half, double, bfloat16, int32, all (default: {})", default_dtypes));
}

void add_threads(CLI::App& command, std::vector<int>& threads) {
  add_list_option(command, "--threads", threads, "N",
                  "Thread counts, 1 to 1024 (default: the cores of this process)")
      ->check(CLI::Range(1, 1024).description(""));
}

void add_json(CLI::App& command, std::string& path, const std::string& description) {
  command
      .add_option("--json", path,
                  description + "; - is standard output, and tables then go to standard error")
      ->type_name("FILE");
}

void add_list(CLI::App& app, ListOptions& options) {
  auto* command = app.add_subcommand(
      "list", "Operators, their dtypes and implementations, and which one this machine uses");
  CLI::Option* const cases = add_list_option(
      *command, "--cases", options.ops, "OP",
      "The named cases: of these operators alone, or of all after the other tables");
  cases->expected(0, 1)->type_name("[OP,...]");
  command->parse_complete_callback([cases, &options] {
    options.cases = cases->count() > 0;
    std::erase(options.ops, "");  // what CLI11 makes of no value
  });
}

void add_accept(CLI::App& app, AcceptOptions& options) {
  auto* command = app.add_subcommand(
      "accept",
      "Judge every operator: error measures, equal bits, bad calls, speed; writes a report");
  add_selection(*command, options.selection, "all", "all");
  command->add_flag("--quick", options.quick,
                    "One dtype per operator, for an answer within a minute");
  add_choice(*command, "--speed", options.speed, {"if-quiet", "always", "never"},
             "if-quiet (default): a slow case fails unless the machine was busy; always: it "
             "fails; never: nothing is timed");
  command
      ->add_option(
          "--sweep", options.sweep,
          "Time this many random problems of each operator, too, for a picture in the report")
      ->check(CLI::Range(1, 100000).description(""))
      ->type_name("N");
  command->add_option("--out", options.out, "Folder of the report (default: mluop-report)")
      ->type_name("DIR");
  add_json(*command, options.json, "Write report.json here, too");
}

void add_sweep(CLI::App& command, SweepOptions& options) {
  CLI::Option* const sweep = command.add_flag("--sweep", options.on,
                                              "Instead of cases random problems of the sizes that "
                                              "people use, next to limit and plain loop");
  const auto only_with_sweep = [sweep](CLI::Option* option) { return option->needs(sweep); };
  only_with_sweep(command.add_option("--n", options.count,
                                     "With --sweep: problems of each operator (default: 500)"))
      ->check(CLI::Range(1, 1000000).description(""))
      ->type_name("N");
  only_with_sweep(
      command.add_option("--seed", options.seed, "With --sweep: of sizes and data (default: 1)"))
      ->type_name("N");
  only_with_sweep(
      command.add_option("--only", options.only, "With --sweep: the problem of this number alone"))
      ->check(CLI::Range(0, 1000000).description(""))
      ->type_name("N");
  only_with_sweep(command.add_option("--shape", options.shape,
                                     "With --sweep: one problem of these sizes; mluop gen --help "
                                     "lists them"))
      ->type_name("NAME=N,...");
  only_with_sweep(command.add_option("--picture", options.picture,
                                     "With --sweep: efficiency over work, as SVG"))
      ->type_name("FILE");
  only_with_sweep(command.add_flag("--require", options.require,
                                   "With --sweep: exit code 1 unless every operator meets the "
                                   "bars"));
}

void add_bench(CLI::App& app, BenchOptions& options) {
  auto* command = app.add_subcommand(
      "bench", "Time cases, after verifying each, next to the machine's limit for the shape");
  add_selection(*command, options.selection, "network", "float,half, or what the operator has");
  add_threads(*command, options.threads);
  add_list_option(
      *command, "--impl", options.ways.designs, "DESIGN",
      "Designs by name, or all: each is timed on the cases that it accepts (default: the "
      "one the library chooses; beside amx also the choice without it)");
  add_list_option(*command, "--isa", options.ways.isas, "ISA",
                  "Instruction sets by name, or all (default: the one of MLUOP_ISA)");
  add_json(*command, options.json, "Also write one JSON object per row");
  command
      ->add_option("--compare", options.compare,
                   "Rows of an earlier run, written by --json, to show the ratio to")
      ->type_name("FILE");
  add_sweep(*command, options.sweep);
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
  add_choice(*command, "--scene", options.family, {"centerpoint", "small"},
             "centerpoint (default) or small, for a quick look");
  add_choice(*command, "--dtype", options.dtype, {"float", "half", "bfloat16"},
             "float (default), half or bfloat16");
  add_threads(*command, options.threads);
  CLI::Option* const train = command->add_flag(
      "--train", options.train,
      "Training steps: each layer next to the machine's limit, and the steps to the sum of limits");
  command->add_option("--steps", options.steps, "Steps of --train (default: 5)")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("N")
      ->needs(train);
  add_json(*command, options.json,
           "With --train, also write one JSON object per call and per step");
  command->get_option("--json")->needs(train);
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
  command->footer("On a machine that others keep busy: scripts/busy 3 mluop threads\n");
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
  add_json(*command, options.json, "Also write one JSON object per output");
  command->footer(
      "docs/case-files.md describes the files. A file that cannot be read is named with "
      "line or field, and\nthe exit code is 2; the other files run all the same.\n");
}

void add_gen(CLI::App& app, GenOptions& options) {
  auto* command = app.add_subcommand(
      "gen", "Write test-case files: of an operator with given sizes, or of a suite of cases");
  command->add_option("operator", options.op, "The operator, for a case of its own")
      ->type_name("OP");
  command->add_option("--shape", options.shape, "Its sizes, see below")->type_name("NAME=N,...");
  add_choice(*command, "--suite", options.suite, {"network", "edge", "random"},
             "Instead of an operator: the named network or edge cases, or random sizes");
  add_selection(*command, options.selection, "those of the suite",
                "float for an operator, all for a suite");
  command->add_option("--count", options.count, "Random cases per operator (default: 10)")
      ->check(CLI::Range(1, 100000).description(""))
      ->type_name("N");
  command->add_option("--seed", options.seed, "Of sizes and data (default: 1)")->type_name("N");
  add_choice(*command, "--data", options.data, {"auto", "all", "shapes"},
             "auto (default): indices, boxes and small tensors; all; shapes");
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

void add_help(CLI::App& app, HelpOptions& options) {
  auto* command =
      app.add_subcommand("help", "The options of a command, or what commands there are");
  command->add_option("command", options.command, "The command")->type_name("COMMAND");
  command->add_flag("--man", options.manual, "The manual page mluop.1 instead, in roff");
}

void add_completion(CLI::App& app, std::string& shell) {
  auto* command = app.add_subcommand("completion",
                                     "The script that completes command lines of mluop in a shell");
  add_choice(*command, "shell", shell, {"bash", "zsh", "fish"}, "The shell");
  command->get_option("shell")->required();
  command->footer(
      "Installed with the program. Without installation, for this shell:\n"
      "  bash: eval \"$(mluop completion bash)\"\n"
      "  zsh:  eval \"$(mluop completion zsh)\", after compinit\n"
      "  fish: mluop completion fish | source\n");
}

/// Prints an option's type name as it is, without the "..." that CLI11 appends.
class Formatter : public CLI::Formatter {
  std::string make_option_opts(const CLI::Option* option) const override {
    return " " + option->get_type_name();
  }
};

/// What is printed below the options of a command, and its examples.
void add_examples(CLI::App& command) {
  std::string lines;
  for (const char* example : examples) {
    const std::string begin = fmt::format("mluop {} ", command.get_name());
    if (std::string_view(example).starts_with(begin)) lines += fmt::format("  {}\n", example);
  }
  const std::string notes = command.get_footer();
  if (lines.empty()) return;
  command.footer(fmt::format("{}{}Examples:\n{}", notes, notes.empty() ? "" : "\n", lines));
}

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
  add_help(app, options.help);
  add_completion(app, options.shell);
}

}  // namespace

std::vector<CLI::App*> commands_of(CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

void describe_program(CLI::App& app, Options& options) {
  app.name("mluop");
  app.description(
      "The MLU-OPS operators on the CPU: what there is, whether it is right, how fast it is.");
  app.formatter(std::make_shared<Formatter>());
  app.set_version_flag("--version", version_text(), "Print the versions and exit");
  app.require_subcommand(1);
  add_commands(app, options);
  // Footers come last: commands inherit that of the program when they are added.
  for (CLI::App* command : commands_of(app)) add_examples(*command);
  app.footer(fmt::format("Lists are separated by commas. Examples:\n  {}\n\n{}\n{}\n",
                         fmt::join(examples, "\n  "), exit_codes, environment));
}

std::string version_text() {
  return fmt::format("mluop {}.{}.{}, with the interface of MLU-OPS {}.{}.{}", MLUOP_CPU_MAJOR,
                     MLUOP_CPU_MINOR, MLUOP_CPU_PATCHLEVEL, MLUOP_MAJOR, MLUOP_MINOR,
                     MLUOP_PATCHLEVEL);
}

}  // namespace mluop::cli
