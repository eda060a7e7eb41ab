// mluop info: the machine, the library, and what the machine can do at best.
#include <fmt/format.h>

#include <fstream>
#include <set>

#include "commands.hpp"
#include "runtime/isa.hpp"
#include "runtime/limits.hpp"
#include "runtime/parallel.hpp"
#include "table.hpp"

namespace mluop::cli {

namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string compiler() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#else
  return "GCC " __VERSION__;
#endif
}

std::string interface_version() {
  int major = 0, minor = 0, patch = 0;
  mluOpGetLibVersion(&major, &minor, &patch);
  return fmt::format("MLU-OPS {}.{}.{}", major, minor, patch);
}

std::string library_version() {
  int major = 0, minor = 0, patch = 0;
  mluOpCpuGetVersion(&major, &minor, &patch);
  return fmt::format("{}.{}.{}", major, minor, patch);
}

std::string giga(double per_second) { return fmt::format("{:.1f}", per_second * 1e-9); }

Table measured_limits(const std::set<int>& thread_counts) {
  constexpr double kilobyte = 1 << 10, megabyte = 1 << 20;
  Limits limits;
  Table table({{"threads"}, {"footprint"}, {"read GB/s"}, {"copy GB/s"}, {"fill GB/s"}});
  for (const int threads : thread_counts) {
    for (const double footprint :
         {32 * kilobyte, 512 * kilobyte, 4 * megabyte, 32 * megabyte, 256 * megabyte}) {
      table.add({std::to_string(threads),
                 footprint < megabyte ? fmt::format("{} KB", footprint / kilobyte)
                                      : fmt::format("{} MB", footprint / megabyte),
                 giga(limits.read_bandwidth(footprint, threads)),
                 giga(limits.copy_bandwidth(footprint, threads)),
                 giga(limits.fill_bandwidth(footprint, threads))});
    }
  }
  return table;
}

Table measured_peaks(const std::set<int>& thread_counts) {
  Limits limits;
  Table table({{"threads"}, {"float FMA GFLOP/s"}, {"double FMA GFLOP/s"}});
  for (const int threads : thread_counts) {
    table.add({std::to_string(threads), giga(limits.fma_peak(MLUOP_DTYPE_FLOAT, threads)),
               giga(limits.fma_peak(MLUOP_DTYPE_DOUBLE, threads))});
  }
  return table;
}

}  // namespace

bool info() {
  const testing::Handle handle;
  const int threads = handle.threads();
  mluOpCpuLimits_t card = MLUOP_CPU_LIMITS_NONE;
  testing::expect_success(mluOpCpuGetLimits(handle, &card), "mluOpCpuGetLimits");

  fmt::print("library          {}\n", library_version());
  fmt::print("interface        {}\n", interface_version());
  fmt::print("compiler         {}\n", compiler());
  fmt::print("cpu              {}\n", cpu_model());
  fmt::print("cores            {} available to this process\n", available_cores());
  fmt::print("instruction set  {} detected, {} in use (MLUOP_ISA)\n",
             mluop::name_of(detected_isa()), handle.isa());
  fmt::print("threads          {} (MLUOP_NUM_THREADS)\n", threads);
  fmt::print("card limits      {} (MLUOP_LIMITS)\n",
             card == MLUOP_CPU_LIMITS_MLU ? "in force" : "lifted");

  const std::set<int> thread_counts{1, threads};
  fmt::print("\nmeasured now, best of several; a footprint is what all threads touch together\n\n");
  fmt::print("{}\n", measured_peaks(thread_counts).text());
  fmt::print("{}", measured_limits(thread_counts).text());
  return true;
}

}  // namespace mluop::cli
