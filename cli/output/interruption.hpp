// Ctrl-C in a long run: what has been measured is written before the process ends.
#pragma once

#include <signal.h>

#include <functional>
#include <mutex>
#include <thread>

namespace mluop::cli {

/// During its lifetime SIGINT and SIGTERM call `finish` at once, on a thread of its own, and end the process with
/// exit code 128 + signal. A signal that is ignored when it begins stays ignored. Threads that begin later
/// inherit a mask that blocks both.
class Interruption {
 public:
  explicit Interruption(std::function<void()> finish);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// While it is held, `finish` waits: what it reads is changed under it.
  [[nodiscard]] std::unique_lock<std::mutex> held() { return std::unique_lock(mutex_); }

 private:
  void watch();

  std::function<void()> finish_;
  std::mutex mutex_;
  sigset_t former_mask_{};
  int signals_ = -1, end_ = -1;  // descriptors: signalfd, eventfd
  std::thread watcher_;
};

}  // namespace mluop::cli
