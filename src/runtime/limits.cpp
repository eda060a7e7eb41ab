// Times the loops of limits_kernels on all threads in parallel and keeps the best rates.
#include "runtime/limits.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

#include "core/numbers/integers.hpp"
#include "runtime/parallel.hpp"

namespace mluop {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// Windows are as long as the call that the rate is compared with: on a shared machine with dynamic clock
// rates, short windows can show rates that are not sustained.
constexpr Seconds shortest_window{1e-3}, longest_window{20e-3};
constexpr Seconds lead{1e-4};     // for threads to wake up before a window begins
constexpr Seconds budget{20e-3};  // per rate
constexpr int least_windows = 3;

/// The best rate, in units of `work` per second, at which `threads` threads run `pass(thread)`; a pass does
/// `work` on one thread. All threads run during the same window without synchronisation; a thread that
/// starts late extends the window and so lowers the rate.
template <class Pass>
double best_rate(int threads, Seconds window, double work, Pass pass) {
  struct Span {
    Clock::time_point begin, end;
    std::int64_t passes;
  };
  std::vector<Span> spans(static_cast<std::size_t>(threads));
  const auto measured = [&](Clock::time_point opens, Clock::time_point closes) {
    parallel_for(threads, threads, 1, [&](std::int64_t thread, std::int64_t, int) {
      Span span{Clock::now(), {}, 0};
      while (span.begin < opens) span.begin = Clock::now();
      do {
        pass(thread);
        ++span.passes;
        span.end = Clock::now();
      } while (span.end < closes);
      spans[static_cast<std::size_t>(thread)] = span;
    });
    auto begin = spans[0].begin, end = spans[0].end;
    std::int64_t passes = 0;
    for (const Span& span : spans) {
      begin = std::min(begin, span.begin);
      end = std::max(end, span.end);
      passes += span.passes;
    }
    return static_cast<double>(passes) * work / Seconds(end - begin).count();
  };

  double best = 0;
  const auto finish = Clock::now() + budget;
  for (int windows = 0; windows < least_windows || Clock::now() < finish; ++windows) {
    const auto opens = Clock::now() + std::chrono::duration_cast<Clock::duration>(lead);
    best = std::max(best,
                    measured(opens, opens + std::chrono::duration_cast<Clock::duration>(window)));
  }
  return best;
}

double measure_fma(const FmaLoop& loop, int threads, Seconds window) {
  constexpr std::int64_t rounds = 2000;  // microseconds between two clock reads
  std::vector<double> sink(static_cast<std::size_t>(threads));
  return best_rate(
      threads, window, static_cast<double>(rounds) * loop.flops_per_round,
      [&](std::int64_t thread) { sink[static_cast<std::size_t>(thread)] = loop.run(rounds); });
}

/// Memory with one slice per thread, a multiple of a page, written once so that its pages are mapped.
class Slices {
 public:
  Slices(OrdinaryPages& memory, double footprint, int threads)
      : bytes_(std::max(page, round_up<std::int64_t>(std::llround(footprint / threads), page))),
        first_(memory.require(static_cast<std::size_t>(bytes_ * threads))) {
    parallel_for(threads, threads, 1, [&](std::int64_t thread, std::int64_t, int) {
      std::fill_n(at(thread), bytes_, std::byte{1});
    });
  }

  std::byte* at(std::int64_t thread) const { return first_ + thread * bytes_; }
  std::int64_t bytes() const { return bytes_; }
  /// Passes over a slice between two clock reads.
  std::int64_t repeats() const { return std::max<std::int64_t>(1, (1 << 18) / bytes_); }

 private:
  static constexpr std::int64_t page = 4096;
  std::int64_t bytes_;
  std::byte* first_;
};

double measure_read(const LimitKernels& kernels, OrdinaryPages& memory, double footprint,
                    int threads, Seconds window) {
  const Slices slices(memory, footprint, threads);
  std::vector<std::uint64_t> sink(static_cast<std::size_t>(threads));
  const auto bytes = static_cast<double>(slices.bytes() * slices.repeats());
  return best_rate(threads, window, bytes, [&](std::int64_t thread) {
    std::uint64_t mixed = 0;
    for (std::int64_t i = 0; i < slices.repeats(); ++i) {
      mixed ^= kernels.read(slices.at(thread), slices.bytes());
    }
    sink[static_cast<std::size_t>(thread)] = mixed;
  });
}

double measure_copy(const LimitKernels& kernels, OrdinaryPages& memory, double footprint,
                    int threads, Seconds window) {
  const Slices slices(memory, footprint, 2 * threads);
  const auto bytes = static_cast<double>(2 * slices.bytes() * slices.repeats());
  double best = 0;
  for (const auto copy : {kernels.copy, kernels.copy_streaming}) {
    best = std::max(best, best_rate(threads, window, bytes, [&](std::int64_t thread) {
                      for (std::int64_t i = 0; i < slices.repeats(); ++i) {
                        copy(slices.at(thread), slices.at(threads + thread), slices.bytes());
                      }
                    }));
  }
  return best;
}

double measure_fill(const LimitKernels& kernels, OrdinaryPages& memory, double footprint,
                    int threads, Seconds window) {
  const Slices slices(memory, footprint, threads);
  const auto bytes = static_cast<double>(slices.bytes() * slices.repeats());
  double best = 0;
  for (const auto fill : {kernels.fill, kernels.fill_streaming}) {
    best = std::max(best, best_rate(threads, window, bytes, [&](std::int64_t thread) {
                      for (std::int64_t i = 0; i < slices.repeats(); ++i) {
                        fill(slices.at(thread), slices.bytes());
                      }
                    }));
  }
  return best;
}

/// Rounds to a quarter of an octave, and up to the minimum of a loop over whole pages.
double rounded(double footprint) {
  return std::exp2(std::round(4 * std::log2(std::max(footprint, 16384.0))) / 4);
}

}  // namespace

std::byte* OrdinaryPages::require(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  if (bytes > capacity_) {
    block_.reset();
    capacity_ = round_up(bytes, page);
    block_.reset(static_cast<std::byte*>(std::aligned_alloc(page, capacity_)));
    if (block_ == nullptr) {
      capacity_ = 0;
      throw std::bad_alloc();
    }
  }
  return block_.get();
}

Limit limit_from(const Cost& cost, double flops_per_second, const Bandwidth& bandwidth) {
  const double paired = std::min(cost.bytes_read, cost.bytes_written);
  Limit limit{};
  limit.compute_seconds = cost.flops / flops_per_second;
  limit.memory_seconds = 2 * paired / bandwidth.copy + (cost.bytes_read - paired) / bandwidth.read +
                         (cost.bytes_written - paired) / bandwidth.fill;
  limit.memory_bound = limit.memory_seconds >= limit.compute_seconds;
  limit.seconds = std::max(limit.compute_seconds, limit.memory_seconds);
  return limit;
}

Limits::Limits(Isa level) : kernels_(limit_kernels(level)) { forget(); }

void Limits::forget(double call_seconds) {
  known_.clear();
  window_ = std::clamp(Seconds(call_seconds), shortest_window, longest_window);
}

template <class Measure>
double Limits::remembered(Kind kind, double footprint, int threads, Measure measure) {
  const auto [entry, is_new] = known_.try_emplace({kind, footprint, threads}, 0.0);
  if (is_new) entry->second = measure();
  return entry->second;
}

double Limits::fma_peak(mluOpDataType_t dtype, int threads) {
  const bool wide = dtype == MLUOP_DTYPE_DOUBLE;
  return remembered(wide ? Kind::fma_double : Kind::fma_float, 0, threads, [&] {
    return measure_fma(wide ? kernels_.fma_double : kernels_.fma_float, threads, window_);
  });
}

double Limits::read_bandwidth(double footprint, int threads) {
  const double size = rounded(footprint);
  return remembered(Kind::read, size, threads,
                    [&] { return measure_read(kernels_, memory_, size, threads, window_); });
}

double Limits::copy_bandwidth(double footprint, int threads) {
  const double size = rounded(footprint);
  return remembered(Kind::copy, size, threads,
                    [&] { return measure_copy(kernels_, memory_, size, threads, window_); });
}

double Limits::fill_bandwidth(double footprint, int threads) {
  const double size = rounded(footprint);
  return remembered(Kind::fill, size, threads,
                    [&] { return measure_fill(kernels_, memory_, size, threads, window_); });
}

Limit Limits::limit_of(const Cost& cost, mluOpDataType_t dtype, int threads) {
  // Do not measure rates that the model multiplies by zero bytes.
  constexpr double unused = std::numeric_limits<double>::infinity();
  const double read = cost.bytes_read, written = cost.bytes_written, footprint = read + written;
  return limit_from(
      cost, fma_peak(dtype, threads),
      {.read = read > written ? read_bandwidth(footprint, threads) : unused,
       .copy = std::min(read, written) > 0 ? copy_bandwidth(footprint, threads) : unused,
       .fill = written > read ? fill_bandwidth(footprint, threads) : unused});
}

}  // namespace mluop
