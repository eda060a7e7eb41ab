// Names what the program is doing when it faults: a core dump does not say which of many random cases it was.
#pragma once

#include <csignal>
#include <string>

namespace mluop::testing {

/// Until the end of the scope, SIGSEGV, SIGBUS and SIGFPE print the text to stderr before they do what
/// they did before. One at a time.
class FaultNotice {
 public:
  FaultNotice();
  ~FaultNotice();
  FaultNotice(const FaultNotice&) = delete;
  FaultNotice& operator=(const FaultNotice&) = delete;

  /// Truncated after 1000 characters.
  void set(const std::string& text);
};

}  // namespace mluop::testing
