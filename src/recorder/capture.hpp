// Records the calls of one thread to a file that the caller names; for the program mluop and tests.
#pragma once

#include <cstdio>
#include <filesystem>

#include "core/status/status.hpp"
#include "recorder/order.hpp"

namespace mluop::recorder {

/// During its lifetime, the next recorded call of this thread replaces `file`, independent of mode and
/// variables, and no other call of the process is recorded. One at a time.
class Capture {
 public:
  Capture(std::filesystem::path file, const Order& order, bool run = true);
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  /// The Capture of this thread, or null.
  static Capture* current() noexcept;

  const std::filesystem::path& file() const noexcept { return file_; }
  const Order& order() const noexcept { return order_; }
  /// Whether the call runs after it is recorded; otherwise it succeeds without writing its outputs.
  bool run() const noexcept { return run_; }

  /// "" if a call was recorded, else the reason why not.
  const char* problem() const noexcept { return problem_; }
  void succeed() noexcept { problem_[0] = '\0'; }
  void fail(const char* problem) noexcept {
    std::snprintf(problem_, sizeof(problem_), "%s", problem);
  }

 private:
  char problem_[900] = "no call was recorded";
  std::filesystem::path file_;
  Order order_;
  bool run_;
};

}  // namespace mluop::recorder
