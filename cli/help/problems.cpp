#include "help/problems.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command_line.hpp"
#include "testing/suite/nearest_name.hpp"

namespace mluop::cli {

namespace {

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

/// Of a command: "--op", "--case", …
std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// Of several, the first option: the others may be its values.
std::string unexpected_argument(const CLI::App& app, const CLI::App& command) {
  const std::vector<std::string> all = app.remaining(true);
  const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
  const auto option = std::ranges::find_if(all, is_option);
  const std::string& word = option != all.end() ? *option : all.front();
  return fmt::format("unexpected argument '{}'{}", word,
                     testing::suggestion_for(word, options_of(command)));
}

}  // namespace

std::string command_problem(const CLI::App& app, const std::string& given) {
  const std::vector<std::string> known = names_of(commands_of(app));
  if (given.starts_with('-') || std::ranges::find(known, given) != known.end()) return "";
  const std::string what =
      given.empty() ? "no command given" : fmt::format("unknown command '{}'", given);
  return fmt::format("{}{} (see mluop --help)", what, testing::hint_for(given, known));
}

std::string parse_problem(const CLI::App& app, const CLI::ParseError& error) {
  const auto parsed = app.get_subcommands();
  const CLI::App& command = parsed.empty() ? app : *parsed.front();
  const bool unexpected = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  return fmt::format("{} (see mluop {}--help)",
                     unexpected ? unexpected_argument(app, command) : error.what(),
                     parsed.empty() ? "" : command.get_name() + " ");
}

}  // namespace mluop::cli
