// The program mluop: parses the command line and maps outcomes to exit codes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>

#include "command_line.hpp"

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

/// Prints an option's type name as it is, without the "..." that CLI11 appends.
class Help : public CLI::Formatter {
  std::string make_option_opts(const CLI::Option* option) const override {
    return " " + option->get_type_name();
  }
};

/// Runs the command that was parsed.
bool run(const CLI::App& app, const Options& options) {
  const std::string& command = app.get_subcommands().front()->get_name();
  if (command == "list") return list(options.list);
  if (command == "info") return info();
  if (command == "accept") return accept(options.accept);
  if (command == "bits") return bits(options.bits);
  if (command == "encoder") return encoder(options.encoder);
  if (command == "threads") return threads(options.threads);
  if (command == "run") return run_files(options.run);
  if (command == "gen") return gen(options.gen);
  if (command == "scene") return scene(options.scene);
  return bench(options.bench);
}

/// "" if the first argument is a command or an option, else an error message.
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
  add_commands(app, options);

  if (const std::string problem = command_problem(app, argc, argv); !problem.empty()) {
    return complain(problem);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    return complain(fmt::format("{} (see mluop --help)", error.what()));
  }
  // MLUOP_GEN_CASE is for programs of users: no command but gen records, and gen switches it on itself.
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
