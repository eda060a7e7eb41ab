// Searches directories. Links to directories are not followed, because they may form cycles.
#include "case_files/case_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <system_error>

#include "casefile/reader.hpp"
#include "selection.hpp"

namespace mluop::cli {
namespace {

namespace fs = std::filesystem;

/// Accepts every file with the suffix of a case file; if it is not one, the reader reports why.
void search(const fs::path& directory, CaseFiles& found) {
  std::error_code error, none;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    if (casefile::is_case_file(at->path())) {
      found.files.push_back(at->path());
    } else if (fs::is_directory(at->symlink_status(none))) {
      search(at->path(), found);
    }
  }
  if (error) {
    found.unreadable.push_back(
        fmt::format("{}: cannot be searched: {}", directory.string(), error.message()));
  }
}

CaseFiles files_below(const fs::path& directory) {
  CaseFiles found;
  search(directory, found);
  if (found.files.empty() && found.unreadable.empty()) {
    throw UsageError(fmt::format("{}: holds no case files (*.prototxt, *.pb)", directory.string()));
  }
  std::ranges::sort(found.files);
  return found;
}

}  // namespace

CaseFiles find_case_files(const std::vector<std::string>& paths) {
  CaseFiles all;
  for (const std::string& path : paths) {
    std::error_code none;  // ignored: the reader reports what is wrong with the path
    if (!fs::is_directory(path, none)) {
      all.files.emplace_back(path);
      continue;
    }
    CaseFiles below = files_below(path);
    std::ranges::move(below.files, std::back_inserter(all.files));
    std::ranges::move(below.unreadable, std::back_inserter(all.unreadable));
  }
  return all;
}

}  // namespace mluop::cli
