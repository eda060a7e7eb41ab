#include "measure/disturbance.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

#include "runtime/cores.hpp"

namespace mluop::cli {

namespace {

/// Seconds on a core and seconds in a run queue, of all threads of this process.
std::pair<double, double> scheduled() {
  double running = 0, waiting = 0;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    double run = 0, wait = 0;  // nanoseconds
    if (std::ifstream(task.path() / "schedstat") >> run >> wait) {
      running += 1e-9 * run;
      waiting += 1e-9 * wait;
    }
  }
  return {running, waiting};
}

struct CoreSeconds {
  double busy = 0, stolen = 0;
};

/// proc(5), the first line, in clock ticks of all cores: user, nice, system, idle, iowait, irq, softirq, steal.
CoreSeconds core_seconds() {
  std::ifstream file("/proc/stat");
  std::string word;
  std::array<double, 8> ticks{};
  file >> word;
  for (double& field : ticks) file >> field;
  if (!file) return {};
  const auto rate = static_cast<double>(sysconf(_SC_CLK_TCK));
  const auto& [user, nice, system, idle, iowait, irq, softirq, steal] = ticks;
  return {.busy = (user + nice + system + irq + softirq) / rate, .stolen = steal / rate};
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// Cores that the process may use, hyperthreads of one core counted once.
std::size_t physical_cores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  std::set<std::string> cores;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    std::string siblings;
    std::ifstream(
        fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu)) >>
        siblings;
    cores.insert(siblings.empty() ? std::to_string(cpu) : siblings);
  }
  return cores.size();
}

}  // namespace

// Between what quiet and busy machines show. Quiet: a CPU share of 0.99 and more, at most some ten switches per
// second. An endless loop on each core: a share of about one half, a hundred switches per second and thread.
bool Disturbance::busy() const {
  constexpr double least_cpu_share = 0.95, most_steal = 0.05, least_peak_ratio = 0.8;
  constexpr double most_switches = 100, most_others = 0.15;
  return others > most_others || cpu_share < least_cpu_share || steal > most_steal ||
         peak_ratio < least_peak_ratio || switches > most_switches;
}

std::string Disturbance::text() const {
  return fmt::format(
      "its threads had a core {:.0f} % of the time, the hypervisor took {:.0f} %, {:.0f} "
      "involuntary context "
      "switches per second, FMA peak of two threads {:.2f} of twice that of one, other programs "
      "took {:.0f} % "
      "of its cores",
      100 * cpu_share, 100 * steal, switches, peak_ratio, 100 * others);
}

Disturbance& Disturbance::operator+=(const Disturbance& other) {
  const double sum = seconds + other.seconds;
  const auto mean = [&](double mine, double its) {
    return sum > 0 ? (mine * seconds + its * other.seconds) / sum : mine;
  };
  cpu_share = mean(cpu_share, other.cpu_share);
  steal = mean(steal, other.steal);
  switches = mean(switches, other.switches);
  others = mean(others, other.others);
  peak_ratio = std::min(peak_ratio, other.peak_ratio);
  seconds = sum;
  return *this;
}

DisturbanceMeter::Counters DisturbanceMeter::now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto [running, waiting] = scheduled();
  const auto [busy, stolen] = core_seconds();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now().time_since_epoch();
  return {.seconds = time.count(),
          .running = running,
          .waiting = waiting,
          .stolen = stolen,
          .busy = busy,
          .own = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
          .switches = static_cast<double>(usage.ru_nivcsw)};
}

Disturbance DisturbanceMeter::read() const {
  const Counters end = now();
  // A thread that ended meanwhile takes its counters with it.
  const auto passed = [&](double Counters::*counter) {
    return std::max(0.0, end.*counter - begin_.*counter);
  };
  Disturbance seen;
  seen.seconds = passed(&Counters::seconds);
  const double running = passed(&Counters::running), waiting = passed(&Counters::waiting);
  if (running + waiting > 0) seen.cpu_share = running / (running + waiting);
  if (seen.seconds > 0) {
    const auto cores = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
    seen.steal = passed(&Counters::stolen) / (cores * seen.seconds);
    seen.switches = passed(&Counters::switches) / seen.seconds;
    // A call uses up to two cores; those that it does not need may be taken. The kernel counts in ticks of 10 ms,
    // so two of them may be an error.
    const double needed = std::min(cores, 2.0);
    const double theirs =
        (passed(&Counters::busy) - passed(&Counters::own)) / seen.seconds - (cores - needed);
    seen.others = std::max(0.0, theirs / needed - 0.02 / seen.seconds);
  }
  return seen;
}

double peak_ratio(Limits& limits) {
  if (available_cores() < 2 || physical_cores() < 2) return 1;
  return limits.fma_peak(MLUOP_DTYPE_FLOAT, 2) / (2 * limits.fma_peak(MLUOP_DTYPE_FLOAT, 1));
}

}  // namespace mluop::cli
