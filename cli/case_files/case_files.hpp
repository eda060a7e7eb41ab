// Finds the case files that the arguments of `mluop run` name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mluop::cli {

struct CaseFiles {
  std::vector<std::filesystem::path> files;  // selected by name, not opened yet
  std::vector<std::string> unreadable;       // one line for each directory that cannot be searched
};

/// Files as given; those below a directory sorted by path, so that the files of an operator are
/// consecutive. Throws UsageError for a directory without case files.
CaseFiles find_case_files(const std::vector<std::string>& paths);

}  // namespace mluop::cli
