#include "measure/disturbance.hpp"

#include <fmt/format.h>

namespace mluop::cli {

// Chosen between what quiet and busy machines show: a quiet one has shares of 0.99 and more and at most some
// ten switches per second; one endless loop per core halves the CPU share and switches every few milliseconds.
bool Disturbance::busy() const {
  constexpr double least_cpu_share = 0.95, most_steal = 0.05, least_peak_ratio = 0.8;
  constexpr double most_switches = 100;
  return cpu_share < least_cpu_share || steal > most_steal || peak_ratio < least_peak_ratio ||
         switches > most_switches;
}

std::string Disturbance::text() const {
  return fmt::format(
      "threads had a core for {:.0f} % of the time, {:.0f} % was stolen by the hypervisor, {:.0f} "
      "involuntary "
      "context switches per second, FMA peak of all threads {:.2f} of the expected",
      100 * cpu_share, 100 * steal, switches, peak_ratio);
}

}  // namespace mluop::cli
