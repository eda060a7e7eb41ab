// What is wrong with a command line, in one sentence that says what to do.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace mluop::cli {

/// "" if `given`, the first argument, is a command or an option.
std::string command_problem(const CLI::App& app, const std::string& given);

/// Of arguments that could not be parsed.
std::string parse_problem(const CLI::App& app, const CLI::ParseError& error);

}  // namespace mluop::cli
