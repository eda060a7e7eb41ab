// Verdicts as bytes, for the pipe between two processes of the same program.
#pragma once

#include <string>
#include <string_view>

#include "casefile/run.hpp"

namespace mluop::cli {

std::string packed(const std::string& text);
std::string packed(const casefile::CaseVerdict& verdict);

/// Takes one off the front of `bytes`; false if they end before it does.
bool unpack(std::string_view& bytes, std::string& text);
bool unpack(std::string_view& bytes, casefile::CaseVerdict& verdict);

}  // namespace mluop::cli
