// A child process that must end in time.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

namespace mluop::testing {

/// The status with which a forked child leaves that runs `body`, which returns one; -1 if a signal ended
/// it. A child that hangs is ended after `seconds`.
template <class Body>
int exit_of_child(Body body, unsigned seconds = 20) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(seconds);
    [&]() noexcept { _exit(body()); }();
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace mluop::testing
