// The kernel's files about memory: meminfo, the cgroups of this process, its address space.
#include "runtime/available_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace mluop {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t unlimited = SIZE_MAX;

/// The number behind a word; nothing if either is missing.
std::optional<std::size_t> number_after(const fs::path& file, std::string_view key) {
  std::ifstream words(file);
  for (std::string word; words >> word;) {
    std::size_t number = 0;
    if (word == key && words >> number) return number;
  }
  return std::nullopt;
}

/// The number that a file consists of; nothing for "max".
std::optional<std::size_t> number_in(const fs::path& file) {
  std::size_t number = 0;
  if (std::ifstream(file) >> number) return number;
  return std::nullopt;
}

std::size_t difference(std::size_t limit, std::size_t used) {
  return limit > used ? limit - used : 0;
}

/// Where a version of cgroups keeps its figures.
struct Files {
  const char *mount, *limit, *usage, *cache;
};
constexpr Files version1{"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                         "total_inactive_file"};
constexpr Files version2{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};

std::size_t left_in(const fs::path& group, const Files& files) {
  const auto limit = number_in(group / files.limit), usage = number_in(group / files.usage);
  if (!limit || !usage) return unlimited;
  // Files that were read count as used, but the kernel drops them when memory runs short.
  const std::size_t cache = number_after(group / "memory.stat", files.cache).value_or(0);
  return difference(*limit, difference(*usage, cache));
}

/// The limits of all groups above count as well. A container may see its own group as the mount
/// itself and yet be told its path outside, so that directories that are missing say nothing.
std::size_t left_up_from(const fs::path& root, const fs::path& group, const Files& files) {
  std::size_t least = unlimited;
  for (fs::path at = group.relative_path();; at = at.parent_path()) {
    least = std::min(least, left_in(root / files.mount / at, files));
    if (at.empty()) return least;
  }
}

/// Lines are "number:controllers:path"; version 2 names no controllers.
std::size_t left_by_cgroups(const fs::path& root) {
  std::size_t least = unlimited;
  std::ifstream lines(root / "proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string controllers = line.substr(first, second - first + 1);
    std::ranges::replace(controllers, ':', ',');  // every name between two commas
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,") {
      least = std::min(least, left_up_from(root, group, version2));
    } else if (controllers.find(",memory,") != std::string::npos) {
      least = std::min(least, left_up_from(root, group, version1));
    }
  }
  return least;
}

}  // namespace

std::size_t physical_memory() noexcept {
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(bytes)
                                : 0;
}

std::size_t virtual_bytes(const fs::path& root) {
  const std::size_t pages = number_in(root / "proc/self/statm").value_or(0);
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t available_memory(const fs::path& root, std::size_t address_space) {
  std::size_t least = left_by_cgroups(root);
  if (const auto kilobytes = number_after(root / "proc/meminfo", "MemAvailable:")) {
    least = std::min(least, *kilobytes << 10);
  }
  if (address_space == unlimited) return least;
  return std::min(least, difference(address_space, virtual_bytes(root)));
}

std::size_t available_memory() {
  rlimit limit{};
  const bool known = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return available_memory("/", known ? limit.rlim_cur : unlimited);
}

}  // namespace mluop
