// The minimum work of a call, for comparison with the limits of the machine.
#pragma once

namespace mluop {

/// The arithmetic and memory traffic that a call needs with any algorithm.
struct Cost {
  double flops = 0;
  double bytes_read = 0;
  double bytes_written = 0;
};

}  // namespace mluop
