// A thread on a painted stack, to measure how much of it is used.
#pragma once

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <stdexcept>

#include "core/numbers/integers.hpp"

namespace mluop::testing {

/// `bytes` bytes after an inaccessible page.
class PaintedStack {
 public:
  explicit PaintedStack(std::size_t bytes) : size_(round_up(bytes, page)) {
    void* const mapped = mmap(nullptr, size_ + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::runtime_error("mmap failed");
    begin_ = static_cast<unsigned char*>(mapped) + page;
    if (mprotect(begin_, size_, PROT_READ | PROT_WRITE) != 0) {
      throw std::runtime_error("mprotect failed");
    }
    std::memset(begin_, paint, size_);
  }
  ~PaintedStack() { munmap(begin_ - page, size_ + page); }
  PaintedStack(const PaintedStack&) = delete;
  PaintedStack& operator=(const PaintedStack&) = delete;

  /// Runs the work in a thread on this stack and returns the number of bytes written, including those of the
  /// system.
  std::size_t run(std::function<void()> work) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, begin_, size_) != 0) {
      throw std::runtime_error("the stack is too small for a thread");
    }
    pthread_t thread;
    const auto start = [](void* argument) -> void* {
      (*static_cast<std::function<void()>*>(argument))();
      return nullptr;
    };
    if (pthread_create(&thread, &attributes, start, &work) != 0) {
      throw std::runtime_error("pthread_create failed");
    }
    pthread_attr_destroy(&attributes);
    pthread_join(thread, nullptr);
    const auto* const deepest =
        std::find_if(begin_, begin_ + size_, [](unsigned char byte) { return byte != paint; });
    return static_cast<std::size_t>(begin_ + size_ - deepest);
  }

 private:
  static constexpr std::size_t page = 4096;
  static constexpr unsigned char paint = 0xA7;
  std::size_t size_;
  unsigned char* begin_;
};

}  // namespace mluop::testing
