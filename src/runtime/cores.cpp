// Affinity masks and the quotas of control groups.
#include "runtime/cores.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

#include "runtime/uncancelled.hpp"

namespace mluop {
namespace {

constinit std::atomic<int> widest{0}, pretended{0};

/// The cores in the mask of a thread (0: this one), or those of the machine if there is no telling.
int cores_of(pid_t thread) noexcept {
  cpu_set_t mask;
  const int cores = sched_getaffinity(thread, sizeof(mask), &mask) == 0
                        ? CPU_COUNT(&mask)
                        : static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(cores, 1, most_cores);
}

void remember(int cores) noexcept {
  int known = widest.load(std::memory_order_relaxed);
  while (known < cores && !widest.compare_exchange_weak(known, cores, std::memory_order_relaxed)) {
  }
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == word) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

/// A hierarchy of control groups: where it is mounted, which of its groups is there, and ours.
struct Hierarchy {
  bool unified = false;  // version 2
  std::string mount, mounted_group;

  bool found() const { return !mount.empty(); }
};

/// The one that has CPU quotas, from /proc/self/mountinfo; of two, version 1, as then version 2 has no
/// CPU controller.
Hierarchy cpu_hierarchy(const std::string& root) {
  Hierarchy found;
  std::ifstream mounts{root + "/proc/self/mountinfo"};
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields{line};
    std::string skipped, group, mount, type, options;
    fields >> skipped >> skipped >> skipped >> group >> mount;
    while (fields >> skipped && skipped != "-") {
    }
    fields >> type >> skipped >> options;
    if (type == "cgroup" && has_word(options, "cpu")) return {false, mount, group};
    if (type == "cgroup2") found = {true, mount, group};
  }
  return found;
}

/// The group of this process in that hierarchy: "/a/b", from /proc/self/cgroup.
std::string group_in(const Hierarchy& hierarchy, const std::string& root) {
  std::ifstream groups{root + "/proc/self/cgroup"};
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view controllers{line.data() + first + 1, second - first - 1};
    if (hierarchy.unified ? controllers.empty() : has_word(controllers, "cpu")) {
      return line.substr(second + 1);
    }
  }
  return "/";
}

/// Cores that quota and period allow, both in microseconds; nothing for "max" or -1.
std::optional<int> cores_for(const std::string& quota, const std::string& period) {
  const auto number = [](const std::string& text) {
    std::int64_t value = -1;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  const std::int64_t allowed = number(quota), every = number(period);
  if (allowed <= 0 || every <= 0) return std::nullopt;
  return static_cast<int>(std::clamp<std::int64_t>((allowed - 1) / every + 1, 1, most_cores));
}

std::optional<int> quota_of(const std::string& folder, bool unified) {
  std::string quota, period;
  if (unified) {
    std::ifstream{folder + "/cpu.max"} >> quota >> period;
  } else {
    std::ifstream{folder + "/cpu.cfs_quota_us"} >> quota;
    std::ifstream{folder + "/cpu.cfs_period_us"} >> period;
  }
  return cores_for(quota, period);
}

std::optional<int> lowest_quota(const std::string& root) {
  const Hierarchy hierarchy = cpu_hierarchy(root);
  if (!hierarchy.found()) return std::nullopt;
  std::string group = group_in(hierarchy, root);
  // In a container the mount may show a group below the root of the hierarchy, and only that.
  if (hierarchy.mounted_group != "/") {
    const bool below = group.starts_with(hierarchy.mounted_group);
    group = below ? group.substr(hierarchy.mounted_group.size()) : "";
  }
  std::optional<int> lowest;
  for (;;) {
    const auto quota = quota_of(root + hierarchy.mount + group, hierarchy.unified);
    if (quota && (!lowest || *quota < *lowest)) lowest = quota;
    if (group.empty() || group == "/") return lowest;
    group.resize(group.rfind('/'));
  }
}

}  // namespace

std::optional<int> cpu_quota(const std::string& root) noexcept {
  const Uncancelled uncancelled;
  try {
    return lowest_quota(root);
  } catch (...) {
    return std::nullopt;  // a default is not worth a failed call
  }
}

int available_cores() noexcept {
  const int cores = cores_of(0);
  remember(std::max(cores, cores_of(getpid())));
  return std::min(cores, cpu_quota().value_or(cores));
}

int loop_cores() noexcept {
  if (const int cores = pretended.load(std::memory_order_relaxed); cores != 0) return cores;
  if (const int cores = widest.load(std::memory_order_relaxed); cores != 0) return cores;
  remember(std::max(cores_of(0), cores_of(getpid())));
  return widest.load(std::memory_order_relaxed);
}

void use_every_core() noexcept {
  cpu_set_t own, process;
  if (sched_getaffinity(0, sizeof(own), &own) != 0 ||
      sched_getaffinity(getpid(), sizeof(process), &process) != 0) {
    return;
  }
  CPU_OR(&process, &process, &own);
  if (!CPU_EQUAL(&process, &own)) sched_setaffinity(0, sizeof(process), &process);
}

PretendedCores::PretendedCores(int cores) noexcept : former_(pretended.exchange(cores)) {}
PretendedCores::~PretendedCores() { pretended = former_; }

}  // namespace mluop
