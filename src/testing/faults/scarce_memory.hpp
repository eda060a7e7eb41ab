// A process that is short of memory until the end of a scope.
#pragma once

#include <sys/resource.h>

#include <cstddef>
#include <stdexcept>

#include "runtime/available_memory.hpp"

namespace mluop::testing {

using mluop::virtual_bytes;

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
