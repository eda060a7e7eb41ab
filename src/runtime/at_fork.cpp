// The functions that run around a fork.
#include "runtime/at_fork.hpp"

#include <pthread.h>

namespace mluop {
namespace {

// Written only while the library is loaded, by one thread.
constinit const AtFork* newest = nullptr;

}  // namespace

AtFork::AtFork(Handler in_child, Handler before, Handler in_parent) noexcept
    : in_child_(in_child), before_(before), in_parent_(in_parent), next_(newest) {
  // Fails only without memory; the list of the C library has static room for the first 48 entries.
  if (newest == nullptr) pthread_atfork(run_before, run_in_parent, run_in_child);
  newest = this;
}

void AtFork::run_before() {
  for (const AtFork* one = newest; one != nullptr; one = one->next_) {
    if (one->before_ != nullptr) one->before_();
  }
}

void AtFork::run_in_parent() {
  for (const AtFork* one = newest; one != nullptr; one = one->next_) {
    if (one->in_parent_ != nullptr) one->in_parent_();
  }
}

void AtFork::run_in_child() {
  for (const AtFork* one = newest; one != nullptr; one = one->next_) one->in_child_();
}

}  // namespace mluop
