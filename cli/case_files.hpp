// The case files that arguments of mluop run stand for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mluop::cli {

struct CaseFiles {
  std::vector<std::filesystem::path> files;  // by name; whether they can be read is not known
  std::vector<std::string> unreadable;       // one line for each directory that cannot be searched
};

/// Files as they are given, and what lies below directories, sorted, so that those of an operator
/// stand together. Throws UsageError for a directory without any.
CaseFiles find_case_files(const std::vector<std::string>& paths);

}  // namespace mluop::cli
