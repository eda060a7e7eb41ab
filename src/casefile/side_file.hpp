// Files that a case file names as the data of a tensor.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "casefile/place.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::casefile {

/// Where side files may be.
struct SideFiles {
  std::filesystem::path directory;  // of the case file; "" is the current one
  bool allow_outside = false;       // of that directory
};

/// The elements of `target` from the file that field `path` names; throws CaseError.
std::vector<std::byte> read_side_file(const std::string& path, const SideFiles& files,
                                      const Place& place, const testing::HostTensor& target);

/// A path relative to a directory, with links and ".." resolved; nothing if it is outside the directory.
/// Throws std::system_error for a loop of links or a missing directory.
std::optional<std::filesystem::path> resolved_below(const std::filesystem::path& directory,
                                                    const std::filesystem::path& path);

}  // namespace mluop::casefile
