// The signal handler behind FaultNotice; it only writes and returns, so that the fault happens again.
#include "testing/faults/fault_notice.hpp"

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace mluop::testing {
namespace {

constexpr std::array signals{SIGSEGV, SIGBUS, SIGFPE};
constexpr std::size_t most_text = 1000;

char notice[most_text + 16];
struct sigaction former[signals.size()];

void restore() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &former[i], nullptr);
}

extern "C" void print_notice(int) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, notice, std::strlen(notice));
  restore();
}

}  // namespace

FaultNotice::FaultNotice() {
  struct sigaction action = {};
  action.sa_handler = print_notice;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &former[i]);
  set("");
}

FaultNotice::~FaultNotice() { restore(); }

void FaultNotice::set(const std::string& text) {
  std::strcpy(notice, "fault in ");
  std::strncat(notice, text.c_str(), most_text);
  std::strcat(notice, "\n");
}

}  // namespace mluop::testing
