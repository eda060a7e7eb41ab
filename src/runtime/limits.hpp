// What this machine can do at best, measured in the running process: the yardstick of bench and
// acceptance.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <tuple>

#include "mlu_op.h"
#include "runtime/cost.hpp"

namespace mluop {

/// Bytes per second; copying counts what it reads and what it writes.
struct Bandwidth {
  double read;
  double copy;
  double fill;
};

/// The least time a call can take on this machine, and what sets it.
struct Limit {
  double seconds;
  bool memory_bound;
  double compute_seconds;
  double memory_seconds;

  const char* bound() const noexcept { return memory_bound ? "memory" : "compute"; }
};

/// The model: reads and writes that pair up move at copy speed, the rest at read or fill speed;
/// arithmetic overlaps with all of it.
Limit limit_from(const Cost& cost, double flops_per_second, const Bandwidth& bandwidth);

/// Grows to the largest request and keeps it. Pages have the usual size, like those of a user's
/// tensors: huge ones would flatter the machine.
class OrdinaryPages {
 public:
  /// At least `bytes` bytes from a page boundary, valid until the next call; throws std::bad_alloc.
  std::byte* require(std::size_t bytes);

 private:
  struct Free {
    void operator()(std::byte* block) const noexcept { std::free(block); }
  };
  std::unique_ptr<std::byte, Free> block_;
  std::size_t capacity_ = 0;
};

/// Measures on first use and remembers, one figure per kind, footprint and thread count.
class Limits {
 public:
  Limits();

  /// Multiply-adds on registers with the machine's best instruction set, as FLOP/s. Half and
  /// bfloat16 are computed in float and share its figure.
  double fma_peak(mluOpDataType_t dtype, int threads);

  /// `footprint`: bytes touched by all threads together, rounded to a quarter of an octave.
  double read_bandwidth(double footprint, int threads);
  /// The better of ordinary and non-temporal stores.
  double copy_bandwidth(double footprint, int threads);
  double fill_bandwidth(double footprint, int threads);

  /// The limit of a call, its bandwidths taken at the footprint of everything it must touch.
  Limit limit_of(const Cost& cost, mluOpDataType_t dtype, int threads);

  /// Measures anew from here on, for figures that belong to one stretch of time: what the machine
  /// keeps up for as long as the call takes, within a millisecond and some hundredths of a second.
  void forget(double call_seconds = 0);

 private:
  enum class Kind { fma_float, fma_double, read, copy, fill };
  template <class Measure>
  double remembered(Kind kind, double footprint, int threads, Measure measure);

  std::map<std::tuple<Kind, double, int>, double> known_;
  std::chrono::duration<double> window_;
  OrdinaryPages memory_;  // faulting pages in costs more than measuring with them
};

}  // namespace mluop
