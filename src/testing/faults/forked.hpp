// Child processes that must end in time.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace mluop::testing {

/// Why a test cannot fork while another thread allocates, or null. AddressSanitizer of GCC 12 leaves the lock
/// of its allocator as it was, so that a child of any program may hang in malloc.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr const char* no_fork_beside_threads =
    "AddressSanitizer's allocator may hang in the child";
#else
inline constexpr const char* no_fork_beside_threads = nullptr;
#endif

/// Runs `body` in a forked child and returns its exit status: what `body` returned, or -1 if a signal ended
/// the child. A child that hangs is ended after `seconds`.
template <class Body>
int exit_of_child(Body body, unsigned seconds = 10) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(seconds);
    [&]() noexcept { _exit(body()); }();
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Forks `count` children that run `body` while another thread runs `busy` over and over. Returns the
/// first status that is not 0.
template <class Busy, class Body>
int exit_of_children(int count, Busy busy, Body body) {
  std::atomic<bool> done = false;
  std::thread other{[&] {
    while (!done) busy();
  }};
  int status = 0;
  for (int i = 0; i < count && status == 0; ++i) status = exit_of_child(body);
  done = true;
  other.join();
  return status;
}

}  // namespace mluop::testing
