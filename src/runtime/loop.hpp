// A loop of parallel_for, divided into shares whose units threads take one by one.
//
// Taking a unit requires a ticket with the generation of the loop, so a worker that comes late finds no
// unit and accesses no memory of the caller. The loop ends when every unit is done, no matter how many
// workers have joined.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

#include "core/numbers/integers.hpp"
#include "runtime/float_control.hpp"
#include "runtime/parallel.hpp"
#include "runtime/waiting.hpp"

namespace mluop::detail {

/// Chunks of a loop; none if count ≤ 0.
inline std::int64_t chunks_in(std::int64_t count, std::int64_t grain) noexcept {
  return count <= 0 ? 0 : ceil_div(count, std::max<std::int64_t>(grain, 1));
}

/// A ticket of a share: the generation of the loop in the high bits, the units left in the low bits.
constexpr int left_bits = 24;
constexpr std::uint64_t left_mask = (std::uint64_t{1} << left_bits) - 1;
/// Generations wrap around after half a trillion loops.
constexpr std::uint64_t generation_mask = ~std::uint64_t{0} >> left_bits;

/// A contiguous part of a loop. A worker begins with its own share and then helps with the others, so that
/// consecutive loops over the same data find it in the worker's caches.
struct alignas(64) Share {
  std::atomic<std::uint64_t> ticket{0};
  Futex unfinished{0};  // units, and caller_sleeps
};

struct Body {
  ChunkFunction run;
  void* body;
  std::int64_t count, grain;
};

class Loop {
 public:
  /// Returns the new generation; 0 if the loop is in use.
  std::uint64_t claim() noexcept {
    std::uint64_t now = generation_.load(std::memory_order_relaxed);
    const bool free = now % 2 == 0;
    return free && generation_.compare_exchange_strong(now, now + 1, std::memory_order_acquire)
               ? now + 1
               : 0;
  }
  /// Whether the loop of this generation has been released: an order for it finds no units.
  bool is_over(std::uint64_t generation) const noexcept {
    return generation_.load(std::memory_order_acquire) != generation;
  }
  void release() noexcept {
    const std::uint64_t now = generation_.load(std::memory_order_relaxed);
    generation_.store((now + 1) & generation_mask, std::memory_order_release);
  }
  /// In a child, tickets may belong to a later loop than the generation.
  void free_in_child() noexcept {
    for (Share& share : share_) share.ticket = 0;
    generation_ = ((generation_ | 1) + 1) & generation_mask;
  }

  void publish(const Body& body, int team, std::exception_ptr* error) noexcept;
  void work(std::uint64_t generation, int worker) noexcept;
  /// Returns when every unit is done.
  void wait() noexcept;

 private:
  static constexpr int most_shares = 32;

  std::int64_t first_of(int share) const noexcept {
    const int shares = shares_.load(std::memory_order_relaxed);
    return units_ / shares * share + std::min<std::int64_t>(share, units_ % shares);
  }
  void run_unit(std::int64_t unit, int worker);
  void give_up() noexcept;

  std::atomic<std::uint64_t> generation_{0};  // odd while in use
  // Atomic because it is read before a unit is taken; the rest is read only by holders of a unit.
  std::atomic<int> shares_{0};
  Body body_{};
  /// Chunks per unit, chosen so that the number of units fits a ticket.
  std::int64_t span_ = 0, units_ = 0;
  FloatControl control_;
  std::exception_ptr* error_ = nullptr;
  std::atomic<bool> failed_{false};
  Share share_[most_shares];
};

}  // namespace mluop::detail
