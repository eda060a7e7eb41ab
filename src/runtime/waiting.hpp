// How threads wait for each other: they spin for a short time, then sleep on a futex.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace mluop::detail {

/// How long a thread spins, for work or for the end of its loop, before it sleeps. Loops of one call are a
/// few microseconds apart; waking a sleeping thread takes 5 to 50.
constexpr std::chrono::microseconds spin_time{50};

using Futex = std::atomic<std::uint32_t>;
static_assert(sizeof(Futex) == 4 && Futex::is_always_lock_free);

inline void sleep_while(const Futex& word, std::uint32_t value) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}
inline void wake_one(const Futex& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

inline void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins until `done` holds; false if the spin time is over.
template <class Done>
bool spin_until(const Done& done) noexcept {
  if (done()) return true;  // common; reading the clock may be a system call
  const auto start = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < 32; ++i) {
      if (done()) return true;
      pause();
    }
  } while (std::chrono::steady_clock::now() - start < spin_time);
  return false;
}

}  // namespace mluop::detail
