#include "help/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line.hpp"

namespace mluop::cli {

namespace {

/// "\fB--op\fR \fIOP,...\fR", or "\fIOP\fR" of an argument without a name.
std::string heading_of(const CLI::Option& option) {
  const std::string kind = roff(option.get_type_name());
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back(roff("-" + name));
  for (const std::string& name : option.get_lnames()) names.push_back(roff("--" + name));
  if (names.empty()) return fmt::format("\\fI{}\\fR", kind);
  const std::string bold = fmt::format("\\fB{}\\fR", fmt::join(names, "\\fR, \\fB"));
  const bool has_value = option.get_items_expected_max() > 0;
  return has_value ? fmt::format("{} \\fI{}\\fR", bold, kind) : bold;
}

/// Without --help in a command: each has it.
std::string options_of(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (command.get_parent() != nullptr && option == command.get_help_ptr()) continue;
    text += fmt::format(".TP\n{}\n{}\n", heading_of(*option), roff(option->get_description()));
  }
  return text;
}

/// "mluop gen [OP] [options]".
std::string synopsis_of(const CLI::App& command) {
  std::string text = fmt::format("\\fBmluop {}\\fR", roff(command.get_name()));
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string kind = roff(option->get_type_name());
    text += option->get_required() ? fmt::format(" \\fI{}\\fR", kind)
                                   : fmt::format(" [\\fI{}\\fR]", kind);
  }
  return text + " [\\fIoptions\\fR]";
}

/// Lines as they are.
std::string verbatim(std::string_view text) {
  if (text.empty()) return "";
  return fmt::format(".PP\n.nf\n{}{}.fi\n", roff(text), text.ends_with('\n') ? "" : "\n");
}

std::string section_of(const CLI::App& command) {
  return fmt::format(".SS {}\n{}\n.PP\n{}.\n{}{}", roff(command.get_name()), synopsis_of(command),
                     roff(command.get_description()), options_of(command),
                     verbatim(command.get_footer()));
}

/// What follows "Exit codes: ".
std::string_view after_colon(std::string_view text) { return text.substr(text.find(": ") + 2); }

}  // namespace

std::string roff(std::string_view text) {
  std::string safe;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) safe += "\\&";
    safe += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    line_begins = c == '\n';
  }
  return safe;
}

std::string manual_page(const CLI::App& app) {
  std::string commands;
  for (const CLI::App* command : commands_of(app)) commands += section_of(*command);
  return fmt::format(
      ".TH MLUOP 1 \"\" \"{}\" \"User Commands\"\n"
      ".SH NAME\nmluop \\- lists, tests and times the operators of mluops\\-cpu\n"
      ".SH SYNOPSIS\n\\fBmluop\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n"
      ".SH DESCRIPTION\n{}\n.PP\nLists are separated by commas.\n"
      ".SH OPTIONS\n{}"
      ".SH COMMANDS\n{}"
      ".SH EXAMPLES\n.nf\n{}\n.fi\n"
      ".SH EXIT STATUS\n{}\n"
      ".SH ENVIRONMENT\n{}\n",
      roff(version_text()), roff(app.get_description()), options_of(app), commands,
      roff(fmt::format("{}", fmt::join(examples, "\n"))), roff(after_colon(exit_codes)),
      roff(after_colon(environment)));
}

}  // namespace mluop::cli
