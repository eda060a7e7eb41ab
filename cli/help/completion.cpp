// Finds the option or argument that a word belongs to, and what it may be.
#include "help/completion.hpp"

#include <fmt/format.h>

#include "command_line.hpp"
#include "help/values.hpp"
#include "report/embedded.hpp"

namespace mluop::cli {

namespace {

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : commands_of(app)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

/// "--op"; "" for an argument that has no name.
std::string long_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? "" : "--" + option.get_lnames().front();
}

const CLI::Option* find_option(const CLI::App& command, const std::string& word) {
  if (!word.starts_with("--")) return nullptr;
  for (const CLI::Option* option : command.get_options()) {
    if (long_name(*option) == word) return option;
  }
  return nullptr;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }
bool needs_value(const CLI::Option& option) { return option.get_items_expected_min() > 0; }

/// The words of a command before the one to complete.
struct Before {
  Before(const CLI::App& command, const std::vector<std::string>& words) {
    for (std::size_t i = 1; i + 1 < words.size(); ++i) read(command, words[i]);
  }

  const CLI::Option* pending = nullptr;  // an option whose value comes next
  std::size_t arguments = 0;             // without a name
  GivenNames given;

 private:
  void read(const CLI::App& command, const std::string& word) {
    const std::size_t equal = word.find('=');
    const bool is_option = word.starts_with('-');
    if (pending != nullptr && !is_option) {
      keep(*pending, word);
      pending = nullptr;
    } else if (is_option && equal != std::string::npos) {
      if (const auto* option = find_option(command, word.substr(0, equal))) {
        keep(*option, word.substr(equal + 1));
      }
    } else if (is_option) {
      const auto* option = find_option(command, word);
      pending = option != nullptr && takes_value(*option) ? option : nullptr;
    } else {
      if (arguments++ == 0) given.argument = word;
    }
  }
  void keep(const CLI::Option& option, const std::string& value) {
    if (long_name(option) == "--op") given.ops = value;
  }
};

void add_options(const CLI::App& command, const std::string& typed, Completion& completion) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = long_name(*option);
    if (name.empty() || !name.starts_with(typed)) continue;
    completion.candidates.push_back({name, option->get_description()});
  }
}

void add_commands(const CLI::App& app, const std::string& typed, Completion& completion) {
  for (const CLI::App* command : commands_of(app)) {
    if (!command->get_name().starts_with(typed)) continue;
    completion.candidates.push_back({command->get_name(), command->get_description()});
  }
}

/// The argument without a name that comes next; null if the command takes no more.
const CLI::Option* next_argument(const CLI::App& command, std::size_t before) {
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional() || !option->get_lnames().empty()) continue;
    const auto most = static_cast<std::size_t>(option->get_items_expected_max());
    if (before < most) return option;
    before -= most;
  }
  return nullptr;
}

/// Whether the list "carafe_forward," or "n=2,h=10," has the item "carafe_forward" or "n=".
bool contains(const std::string& list, const std::string& item) {
  const std::string separated = fmt::format(",{}{}", item, item.ends_with('=') ? "" : ",");
  return ("," + list).find(separated) != std::string::npos;
}

/// Values of an option or argument; `prefix` is what comes before them in the word: "--op=".
void add_values(const CLI::App& app, const CLI::Option& option, const GivenNames& given,
                const std::string& prefix, const std::string& typed, Completion& completion) {
  const std::string& kind = option.get_type_name();
  if (kind == "COMMAND") return add_commands(app, typed, completion);
  completion.files = files_of(kind);
  const Values values = values_of(kind, given);
  completion.open = values.list;
  const std::size_t comma = values.list ? typed.rfind(',') : std::string::npos;
  const std::string former = comma == std::string::npos ? "" : typed.substr(0, comma + 1);
  for (const Candidate& value : values.all) {
    const bool repeated = contains(former, value.word);
    if (repeated || !value.word.starts_with(typed.substr(former.size()))) continue;
    completion.candidates.push_back({prefix + former + value.word, value.description});
  }
}

}  // namespace

Completion complete(const CLI::App& app, const std::vector<std::string>& words) {
  Completion completion;
  const std::string& typed = words.back();
  if (words.size() == 1) {
    if (!typed.starts_with('-')) add_commands(app, typed, completion);
    if (typed.starts_with('-')) add_options(app, typed, completion);
    return completion;
  }
  const CLI::App* const command = find_command(app, words.front());
  if (command == nullptr) return completion;
  const Before before(*command, words);
  const std::size_t equal = typed.find('=');
  if (before.pending != nullptr && (needs_value(*before.pending) || !typed.starts_with('-'))) {
    add_values(app, *before.pending, before.given, "", typed, completion);
  } else if (typed.starts_with("--") && equal != std::string::npos) {
    const auto* option = find_option(*command, typed.substr(0, equal));
    if (option == nullptr || !takes_value(*option)) return completion;
    add_values(app, *option, before.given, typed.substr(0, equal + 1), typed.substr(equal + 1),
               completion);
  } else if (const auto* argument = next_argument(*command, before.arguments);
             argument != nullptr && !typed.starts_with('-')) {
    add_values(app, *argument, before.given, "", typed, completion);
  } else {
    add_options(*command, typed, completion);
  }
  return completion;
}

std::string text_of(const Completion& completion) {
  std::string text;
  for (const Candidate& candidate : completion.candidates) {
    text += fmt::format("{}\t{}\n", candidate.word, candidate.description);
  }
  if (!completion.files.empty()) text += fmt::format(":{}\n", completion.files);
  if (completion.open) text += ":open\n";
  return text;
}

std::string_view completion_script(std::string_view shell) {
  return report::embedded(fmt::format("completions/mluop.{}", shell));
}

}  // namespace mluop::cli
