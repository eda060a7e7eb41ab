// Description of machine and library, for `mluop info` and the report.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "runtime/limits.hpp"
#include "testing/data/handle.hpp"

namespace mluop::cli {

struct Machine {
  std::string library, interface, compiler;
  std::string cpu;
  int cores;  // available to this process
  std::string isa_detected, isa;
  int threads;
  bool card_limits;
};
Machine this_machine(const testing::Handle& handle);

struct Peak {
  int threads;
  double float_flops, double_flops;  // per second
};
struct Rate {
  int threads;
  double footprint;     // bytes, of all threads together
  Bandwidth bandwidth;  // bytes per second
};
/// Peak rates of the machine, measured now.
struct MachineLimits {
  std::vector<Peak> peaks;
  std::vector<Rate> rates;
};
MachineLimits measure_limits(const testing::Handle& handle, const std::set<int>& thread_counts);

/// The limits that cases are compared with: those of the machine with the instruction set of a new handle,
/// which MLUOP_ISA lowers.
Limits limits_for(const testing::Handle& handle);

/// "32 KB", "4 MB".
std::string footprint_text(double bytes);

}  // namespace mluop::cli
