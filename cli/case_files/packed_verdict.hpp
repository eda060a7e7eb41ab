// Serialises verdicts for the pipe between parent and child process.
#pragma once

#include <string>
#include <string_view>

#include "casefile/run.hpp"

namespace mluop::cli {

std::string packed(const std::string& text);
std::string packed(const casefile::CaseVerdict& verdict);

/// Removes one value from the front of `bytes`; false if `bytes` is too short.
bool unpack(std::string_view& bytes, std::string& text);
bool unpack(std::string_view& bytes, casefile::CaseVerdict& verdict);

}  // namespace mluop::cli
