// The program mluop: parses the command line and maps outcomes to exit codes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>

#include "command_line.hpp"
#include "help/completion.hpp"
#include "help/manual.hpp"
#include "help/problems.hpp"

namespace {

using namespace mluop::cli;

enum ExitCode { passed = 0, failed = 1, unusable = 2 };

bool help(const CLI::App& app, const HelpOptions& options) {
  if (options.manual) {
    fmt::print("{}", manual_page(app));
    return true;
  }
  if (options.command.empty()) {
    // App::help would be that of the command `help`, which has been parsed.
    fmt::print("{}", app.get_formatter()->make_help(&app, "mluop", CLI::AppFormatMode::Normal));
    return true;
  }
  const std::string problem = command_problem(app, options.command);
  if (!problem.empty()) throw UsageError(problem);
  fmt::print("{}", app.get_subcommand(options.command)->help("mluop"));
  return true;
}

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
  if (command == "help") return help(app, options.help);
  if (command == "completion") {
    fmt::print("{}", completion_script(options.shell));
    return true;
  }
  return bench(options.bench);
}

int complain(const std::string& problem) {
  fmt::print(stderr, "mluop: {}\n", problem);
  return unusable;
}

/// `mluop __complete WORD…`, which the scripts of `mluop completion` call: the words are those of a command line
/// that is not complete, so they are not parsed.
int answer_shell(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> words(argv + 2, argv + argc);
  if (words.empty()) words.emplace_back();
  fmt::print("{}", text_of(complete(app, words)));
  return passed;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app;
  Options options;
  describe_program(app, options);
  const std::string first = argc > 1 ? argv[1] : "";
  if (first == "__complete") return answer_shell(app, argc, argv);
  if (const std::string problem = command_problem(app, first); !problem.empty()) {
    return complain(problem);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    return complain(parse_problem(app, error));
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
