// A process that is short of memory until the end of a scope.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <stdexcept>

namespace mluop::testing {

/// The address space of this process; 0 where the system does not tell.
inline std::size_t virtual_bytes() {
  std::size_t pages = 0;
  std::ifstream{"/proc/self/statm"} >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Leaves the process `spare` bytes more than it has, until the end of the scope.
class ScarceMemory {
 public:
  explicit ScarceMemory(std::size_t spare) {
    if (getrlimit(RLIMIT_AS, &former_) != 0) throw std::runtime_error("getrlimit failed");
    rlimit scarce = former_;
    scarce.rlim_cur = virtual_bytes() + spare;
    if (setrlimit(RLIMIT_AS, &scarce) != 0) throw std::runtime_error("setrlimit failed");
  }
  ~ScarceMemory() { setrlimit(RLIMIT_AS, &former_); }
  ScarceMemory(const ScarceMemory&) = delete;
  ScarceMemory& operator=(const ScarceMemory&) = delete;

 private:
  rlimit former_;
};

}  // namespace mluop::testing
