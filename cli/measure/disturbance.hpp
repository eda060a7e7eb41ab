// Whether other programs, or other virtual machines, took the cores away while something was timed.
#pragma once

#include <string>

namespace mluop::cli {

struct Disturbance {
  double seconds = 0;    // observed
  double cpu_share = 1;  // CPU time over the time in which threads of this process were able to run
  double steal = 0;      // share of the time of all cores that the hypervisor gave to others
  double switches = 0;   // involuntary context switches per second
  double peak_ratio = 1;  // FMA peak of all threads over that of one thread times their number

  /// Whether times measured meanwhile may be longer than the machine needs.
  bool busy() const;
  /// "12 % of the time waiting for a core, 0 % stolen, …"
  std::string text() const;
};

}  // namespace mluop::cli
