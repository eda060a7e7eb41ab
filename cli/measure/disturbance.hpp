// Whether other programs or other virtual machines took the cores away while something was timed.
#pragma once

#include <string>

#include "runtime/limits.hpp"

namespace mluop::cli {

struct Disturbance {
  double seconds = 0;    // observed
  double cpu_share = 1;  // CPU time over the time in which threads of this process were able to run
  double steal = 0;      // share of the time of all cores that the hypervisor gave to others
  double switches = 0;   // involuntary context switches of this process per second
  double peak_ratio = 1;  // FMA peak of two threads over twice that of one
  double others = 0;      // share of two cores, or of the only one, that other programs took

  /// Whether times measured meanwhile may be longer than the machine needs.
  bool busy() const;
  /// "its threads had a core 51 % of the time, …"
  std::string text() const;
  /// Both stretches together: means by time, the lower peak ratio.
  Disturbance& operator+=(const Disturbance& other);
};

/// Counts from its construction on. What the kernel does not tell (no /proc/self/task/*/schedstat, no steal)
/// counts as undisturbed.
class DisturbanceMeter {
 public:
  DisturbanceMeter() : begin_(now()) {}
  /// Without the peak ratio, which takes a measurement.
  Disturbance read() const;

 private:
  struct Counters {
    double seconds;           // of the steady clock
    double running, waiting;  // seconds of all threads, on a core and runnable without one
    double stolen;            // seconds of all cores
    double busy, own;         // seconds of all cores at work, and of this process
    double switches;
  };
  static Counters now();

  Counters begin_;
};

/// The ratio now; 1 if the process has one core only.
double peak_ratio(Limits& limits);

}  // namespace mluop::cli
