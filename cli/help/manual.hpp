// The manual page mluop.1, made from the help of the program.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace mluop::cli {

/// The page in roff, for the macros of man(7).
std::string manual_page(const CLI::App& app);

/// Text as roff prints it: backslashes, hyphens and lines that would be requests.
std::string roff(std::string_view text);

}  // namespace mluop::cli
