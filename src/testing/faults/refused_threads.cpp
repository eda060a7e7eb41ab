// pthread_create of the program: the system's, unless a RefusedThreads says otherwise.
#include "testing/faults/refused_threads.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <limits>

namespace mluop::testing {
namespace {

constexpr long none = std::numeric_limits<long>::max();

std::atomic<long> first_refused{none}, last_refused{none}, calls{0};

bool refuses(long call) { return call >= first_refused && call <= last_refused; }

}  // namespace

RefusedThreads::RefusedThreads(long granted, long most) {
  calls = 0;
  last_refused = granted + most - 1;
  first_refused = granted;
}

RefusedThreads::~RefusedThreads() { first_refused = none; }

long RefusedThreads::asked() const { return calls; }

long RefusedThreads::refused() const {
  return std::clamp(calls - first_refused, 0L, last_refused - first_refused + 1);
}

}  // namespace mluop::testing

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) {
  using Create = decltype(&pthread_create);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (mluop::testing::refuses(mluop::testing::calls++)) return EAGAIN;
  return create(thread, attributes, start, argument);
}
