// How the units of a loop are taken, run and counted.
#include "runtime/loop.hpp"

namespace mluop::detail {
namespace {

constexpr std::uint32_t caller_sleeps = std::uint32_t{1} << 31;

/// Takes a unit; returns the units that were left before, 0 if there was none for this generation.
std::int64_t take(Share& share, std::uint64_t generation) noexcept {
  std::uint64_t ticket = share.ticket.load(std::memory_order_relaxed);
  while (ticket >> left_bits == generation && (ticket & left_mask) != 0) {
    if (share.ticket.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acquire,
                                           std::memory_order_relaxed)) {
      return static_cast<std::int64_t>(ticket & left_mask);
    }
  }
  return 0;
}

void finish(Share& share, std::uint32_t units) noexcept {
  if (share.unfinished.fetch_sub(units, std::memory_order_acq_rel) == (units | caller_sleeps)) {
    wake_one(share.unfinished);
  }
}

}  // namespace

void Loop::publish(const Body& body, int team, std::exception_ptr* error) noexcept {
  const std::int64_t chunks = chunks_in(body.count, body.grain);
  body_ = body;
  span_ = chunks / static_cast<std::int64_t>(left_mask) + 1;
  units_ = chunks_in(chunks, span_);
  control_ = FloatControl::of_this_thread();
  error_ = error;
  failed_.store(false, std::memory_order_relaxed);
  const int shares = std::min(team, most_shares);
  shares_.store(shares, std::memory_order_relaxed);
  const std::uint64_t generation = generation_.load(std::memory_order_relaxed);
  for (int share = 0; share < shares; ++share) {
    const auto units = static_cast<std::uint32_t>(first_of(share + 1) - first_of(share));
    share_[share].unfinished.store(units, std::memory_order_relaxed);
    share_[share].ticket.store(generation << left_bits | units, std::memory_order_release);
  }
}

void Loop::work(std::uint64_t generation, int worker) noexcept {
  const int shares = shares_.load(std::memory_order_relaxed);
  for (int i = 0; i < shares; ++i) {
    const int number = (worker + i) % shares;
    Share& share = share_[number];
    while (const std::int64_t left = take(share, generation)) {
      if (worker != 0) control_.apply();
      try {
        run_unit(first_of(number + 1) - left, worker);
      } catch (...) {
        if (!failed_.exchange(true)) *error_ = std::current_exception();
        give_up();
      }
      finish(share, 1);
    }
  }
}

void Loop::run_unit(std::int64_t unit, int worker) {
  const std::int64_t chunks = chunks_in(body_.count, body_.grain);
  const std::int64_t end = std::min((unit + 1) * span_, chunks);
  for (std::int64_t k = unit * span_; k < end; ++k) {
    body_.run(body_.body, k * body_.grain, std::min((k + 1) * body_.grain, body_.count), worker);
  }
}

/// Takes the remaining units without running them; the calling thread must hold a unit.
void Loop::give_up() noexcept {
  const std::uint64_t generation = generation_.load(std::memory_order_relaxed);
  const int shares = shares_.load(std::memory_order_relaxed);
  for (int i = 0; i < shares; ++i) {
    const std::uint64_t former =
        share_[i].ticket.exchange(generation << left_bits, std::memory_order_acquire);
    const auto left = static_cast<std::uint32_t>(former & left_mask);
    if (left != 0) finish(share_[i], left);
  }
}

void Loop::wait() noexcept {
  const int shares = shares_.load(std::memory_order_relaxed);
  for (int i = 0; i < shares; ++i) {
    Futex& unfinished = share_[i].unfinished;
    if (spin_until([&] { return unfinished.load(std::memory_order_acquire) == 0; })) continue;
    std::uint32_t value =
        unfinished.fetch_or(caller_sleeps, std::memory_order_acq_rel) | caller_sleeps;
    while (value != caller_sleeps) {
      sleep_while(unfinished, value);
      value = unfinished.load(std::memory_order_acquire);
    }
  }
}

}  // namespace mluop::detail
