// A fork, a pipe, and poll with a deadline.
#include "case_files/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace mluop::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Deadline = std::optional<Clock::time_point>;  // or none

void send(int pipe, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = write(pipe, bytes.data(), bytes.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) _exit(EXIT_FAILURE);  // the parent is gone
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

/// Exits with _exit: destructors and buffers belong to the parent.
[[noreturn]] void be_child(const std::function<void(const Send&)>& work, int pipe, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // end the child if the parent is killed
  if (getppid() != parent) _exit(EXIT_FAILURE);
  try {
    work([pipe](std::string_view bytes) { send(pipe, bytes); });
  } catch (...) {
    _exit(EXIT_FAILURE);
  }
  _exit(EXIT_SUCCESS);
}

/// For poll: -1 without a deadline.
int milliseconds_until(const Deadline& deadline) {
  if (!deadline) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, INT_MAX));
}

/// Collects until the child closes the pipe; false if the deadline came first.
bool collect(int pipe, const Deadline& deadline, std::string& sent) {
  std::array<char, 4096> buffer;
  for (;;) {
    pollfd ready{pipe, POLLIN, 0};
    const int events = poll(&ready, 1, milliseconds_until(deadline));
    if (events < 0 && errno == EINTR) continue;
    if (events == 0) {
      if (Clock::now() >= *deadline) return false;
      continue;
    }
    const ssize_t count = read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    sent.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

std::string problem_of(int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS) return "";
  if (WIFEXITED(status)) {
    return fmt::format("its process ended with code {}", WEXITSTATUS(status));
  }
  const int signal = WTERMSIG(status);
  return fmt::format("its process was ended by signal {} ({}){}", signal, strsignal(signal),
                     signal == SIGKILL ? ", as the system does when memory runs out" : "");
}

}  // namespace

ChildEnd run_in_child(const std::function<void(const Send&)>& work, std::chrono::seconds limit) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return {"", fmt::format("cannot make a pipe: {}", std::strerror(errno))};
  }
  const auto [output, input] = ends;
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    close(output);
    be_child(work, input, parent);
  }
  ChildEnd end;
  if (child < 0) end.problem = fmt::format("cannot start a process: {}", std::strerror(errno));
  close(input);
  if (child > 0) {
    const Deadline deadline = limit.count() > 0 ? Deadline{Clock::now() + limit} : std::nullopt;
    const bool in_time = collect(output, deadline, end.sent);
    if (!in_time) kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    end.problem = in_time ? problem_of(status)
                          : fmt::format("took longer than {} s (--timeout)", limit.count());
  }
  close(output);
  return end;
}

}  // namespace mluop::cli
