#include "measure/machine.hpp"

#include <fmt/format.h>

#include <fstream>

#include "core/handle/handle.hpp"
#include "runtime/cores.hpp"
#include "runtime/isa.hpp"

namespace mluop::cli {

namespace {

constexpr double kilobyte = 1 << 10, megabyte = 1 << 20;

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

template <class Get>
std::string version(Get get) {
  int major = 0, minor = 0, patch = 0;
  get(&major, &minor, &patch);
  return fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace

Machine this_machine(const testing::Handle& handle) {
  mluOpCpuLimits_t card = MLUOP_CPU_LIMITS_NONE;
  testing::expect_success(mluOpCpuGetLimits(handle, &card), "mluOpCpuGetLimits");
  return {.library = version(mluOpCpuGetVersion),
          .interface = "MLU-OPS " + version(mluOpGetLibVersion),
          .compiler = compiler(),
          .cpu = cpu_model(),
          .cores = available_cores(),
          .isa_detected = mluop::name_of(detected_isa()),
          .isa = handle.isa(),
          .threads = handle.threads(),
          .card_limits = card == MLUOP_CPU_LIMITS_MLU};
}

Limits limits_for(const testing::Handle& handle) { return Limits(handle.get()->isa); }

MachineLimits measure_limits(const testing::Handle& handle, const std::set<int>& thread_counts) {
  Limits limits = limits_for(handle);
  MachineLimits measured;
  for (const int threads : thread_counts) {
    measured.peaks.push_back({threads, limits.fma_peak(MLUOP_DTYPE_FLOAT, threads),
                              limits.fma_peak(MLUOP_DTYPE_DOUBLE, threads)});
    for (const double footprint :
         {32 * kilobyte, 512 * kilobyte, 4 * megabyte, 32 * megabyte, 256 * megabyte}) {
      measured.rates.push_back({threads,
                                footprint,
                                {.read = limits.read_bandwidth(footprint, threads),
                                 .copy = limits.copy_bandwidth(footprint, threads),
                                 .fill = limits.fill_bandwidth(footprint, threads)}});
    }
  }
  return measured;
}

std::string footprint_text(double bytes) {
  return bytes < megabyte ? fmt::format("{} KB", bytes / kilobyte)
                          : fmt::format("{} MB", bytes / megabyte);
}

}  // namespace mluop::cli
