// What may follow on a command line of mluop. The scripts of the shells (completions/) ask for it, so that all of
// them offer what the program has.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace mluop::cli {

struct Candidate {
  std::string word;  // the whole word, with what was typed of it
  std::string description;
};

struct Completion {
  std::vector<Candidate> candidates;
  /// Names of files that the shell adds: "files", "folders", "cases" (case files and folders) or "".
  std::string_view files = "";
  /// Whether more may follow in the same word, so that no space belongs behind it.
  bool open = false;
};

/// Completes the last of `words`, which follow the name of the program; it may be "".
Completion complete(const CLI::App& app, const std::vector<std::string>& words);

/// For the scripts: a line per candidate, "word<tab>description", then ":files", ":open" and the like.
std::string text_of(const Completion& completion);

/// The script of a shell: "bash", "zsh" or "fish".
std::string_view completion_script(std::string_view shell);

}  // namespace mluop::cli
