// The system that a report was made on. Whatever the system does not tell is empty.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mluop::cli {

struct Cache {
  int level;
  std::string kind;  // "data", "instruction", "unified"
  double bytes;
};

struct Host {
  std::string commit;         // of the sources: "0123456789ab", perhaps " with changes"
  std::string os;             // "Debian GNU/Linux 12 (bookworm)"
  std::string kernel;         // "Linux 6.1.0, x86_64"
  double memory_bytes;        // 0: unknown
  std::vector<Cache> caches;  // of the first core
  std::vector<double> load;   // average of the last 1, 5 and 15 minutes
};
/// Reads the files below `root`, which is "/" except in tests.
Host this_host(const std::filesystem::path& root = "/");

/// The commit that this program was built from; "" outside a repository. Written by cmake/commit.cmake.
std::string_view commit();

/// "L1 data 48 KB, L2 1 MB".
std::string caches_text(const Host& host);
/// "15.6 GB".
std::string memory_text(const Host& host);
/// "0.52, 0.40, 0.31".
std::string load_text(const Host& host);

}  // namespace mluop::cli
