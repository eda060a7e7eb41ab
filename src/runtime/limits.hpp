// Peak arithmetic and bandwidth of this machine, measured in the running process, for bench and
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
#include "runtime/limits_kernels.hpp"

namespace mluop {

/// Bytes per second; a copy counts bytes read and bytes written.
struct Bandwidth {
  double read;
  double copy;
  double fill;
};

/// The minimum time of a call on this machine, and its bottleneck.
struct Limit {
  double seconds;
  bool memory_bound;
  double compute_seconds;
  double memory_seconds;

  const char* bound() const noexcept { return memory_bound ? "memory" : "compute"; }
};

/// The model: equal amounts of reads and writes run at copy bandwidth, the rest at read or fill bandwidth;
/// arithmetic overlaps with the traffic.
Limit limit_from(const Cost& cost, double flops_per_second, const Bandwidth& bandwidth);

/// Grows to the largest request and keeps it. No huge pages, because the tensors of users rarely have
/// them and the limit would be too high.
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

/// Measures on first use and caches one rate per kind, footprint and thread count.
class Limits {
 public:
  /// What the machine does with `level` at most, which it and the build must have.
  explicit Limits(Isa level = detected_isa());

  /// FMA on registers, in FLOP/s. Half and bfloat16 are computed in float
  /// and have the same peak.
  double fma_peak(mluOpDataType_t dtype, int threads);

  /// `footprint`: bytes accessed by all threads together, rounded to a quarter of an octave.
  double read_bandwidth(double footprint, int threads);
  /// The better of ordinary and non-temporal stores.
  double copy_bandwidth(double footprint, int threads);
  double fill_bandwidth(double footprint, int threads);

  /// The limit of a call; bandwidths are those of its total footprint.
  Limit limit_of(const Cost& cost, mluOpDataType_t dtype, int threads);

  /// Discards the cache, so that later rates are measured under the current load, over windows as long as
  /// the call, between 1 and 20 ms.
  void forget(double call_seconds = 0);

 private:
  enum class Kind { fma_float, fma_double, read, copy, fill };
  template <class Measure>
  double remembered(Kind kind, double footprint, int threads, Measure measure);

  std::map<std::tuple<Kind, double, int>, double> known_;
  LimitKernels kernels_;
  std::chrono::duration<double> window_;
  OrdinaryPages memory_;  // kept: page faults take longer than the measurement
};

}  // namespace mluop
