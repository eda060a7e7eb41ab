#include "output/interruption.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

namespace mluop::cli {

namespace {

/// SIGINT and SIGTERM unless the process was started with them ignored, as by nohup.
sigset_t awaited_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction present {};
    sigaction(signal, nullptr, &present);
    if (present.sa_handler != SIG_IGN) sigaddset(&set, signal);
  }
  return set;
}

}  // namespace

Interruption::Interruption(std::function<void()> finish) : finish_(std::move(finish)) {
  const sigset_t awaited = awaited_signals();
  pthread_sigmask(SIG_BLOCK, &awaited, &former_mask_);
  signals_ = signalfd(-1, &awaited, SFD_CLOEXEC);
  end_ = eventfd(0, EFD_CLOEXEC);
  watcher_ = std::thread([this] { watch(); });
}

Interruption::~Interruption() {
  const std::uint64_t one = 1;
  if (write(end_, &one, sizeof(one)) == sizeof(one)) watcher_.join();
  if (watcher_.joinable()) watcher_.detach();
  close(end_);
  close(signals_);
  pthread_sigmask(SIG_SETMASK, &former_mask_, nullptr);
}

void Interruption::watch() {
  pollfd waiting[] = {{signals_, POLLIN, 0}, {end_, POLLIN, 0}};
  while (poll(waiting, 2, -1) < 0) {
  }
  signalfd_siginfo signal{};
  if ((waiting[0].revents & POLLIN) == 0 || read(signals_, &signal, sizeof(signal)) <= 0) return;
  const auto lock = held();
  finish_();
  std::fflush(nullptr);
  _exit(128 + static_cast<int>(signal.ssi_signo));
}

}  // namespace mluop::cli
