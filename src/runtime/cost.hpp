// What the limits of a machine are held against.
#pragma once

namespace mluop {

/// What one call must at least compute and move, whatever the algorithm.
struct Cost {
  double flops = 0;
  double bytes_read = 0;
  double bytes_written = 0;
};

}  // namespace mluop
