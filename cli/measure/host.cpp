#include "measure/host.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include "measure/machine.hpp"

namespace mluop::cli {

namespace {

namespace fs = std::filesystem;

/// The rest of the first line that begins with `key`; "" if there is none.
std::string value_of(const fs::path& path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key)) return line.substr(key.size());
  }
  return "";
}

std::string os_name(const fs::path& root) {
  std::string name = value_of(root / "etc/os-release", "PRETTY_NAME=");
  std::erase(name, '"');
  return name;
}

std::string kernel_name() {
  utsname names;
  if (uname(&names) != 0) return "";
  return fmt::format("{} {}, {}", names.sysname, names.release, names.machine);
}

/// Reads "48K" or "16306652 kB"; 0 for anything else.
double bytes_of(const std::string& text) {
  std::istringstream in(text);
  double value = 0;
  char unit = 0;
  if (!(in >> value >> unit)) return 0;
  switch (std::tolower(static_cast<unsigned char>(unit))) {
    case 'k':
      return value * (1 << 10);
    case 'm':
      return value * (1 << 20);
    default:
      return 0;
  }
}

std::vector<Cache> caches_of(const fs::path& root) {
  std::vector<Cache> caches;
  for (int index = 0;; ++index) {
    const fs::path folder = root / fmt::format("sys/devices/system/cpu/cpu0/cache/index{}", index);
    const std::string level = value_of(folder / "level", "");
    if (level.empty()) return caches;
    std::string kind = value_of(folder / "type", "");
    std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return std::tolower(c); });
    const double bytes = bytes_of(value_of(folder / "size", ""));
    if (bytes > 0) caches.push_back({std::atoi(level.c_str()), kind, bytes});
  }
}

std::vector<double> load_of(const fs::path& root) {
  std::ifstream file(root / "proc/loadavg");
  std::vector<double> load(3);
  return file >> load[0] >> load[1] >> load[2] ? load : std::vector<double>();
}

}  // namespace

Host this_host(const fs::path& root) {
  return {.commit = std::string(commit()),
          .os = os_name(root),
          .kernel = kernel_name(),
          .memory_bytes = bytes_of(value_of(root / "proc/meminfo", "MemTotal:")),
          .caches = caches_of(root),
          .load = load_of(root)};
}

std::string caches_text(const Host& host) {
  std::vector<std::string> texts;
  for (const Cache& cache : host.caches) {
    texts.push_back(fmt::format("L{}{} {}", cache.level,
                                cache.kind == "unified" ? "" : " " + cache.kind,
                                footprint_text(cache.bytes)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string memory_text(const Host& host) {
  return host.memory_bytes > 0 ? fmt::format("{:.1f} GB", host.memory_bytes / (1 << 30)) : "";
}

std::string load_text(const Host& host) {
  return fmt::format("{:.2f}", fmt::join(host.load, ", "));
}

}  // namespace mluop::cli
