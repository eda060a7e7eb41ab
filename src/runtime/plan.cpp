// Collects the decisions of a call, without allocating.
#include "runtime/plan.hpp"

#include <algorithm>
#include <cstring>

namespace mluop {
namespace {

constinit thread_local Plan* plan_of_thread = nullptr;

}  // namespace

constinit std::atomic<int> Plan::in_use{0};

Plan* Plan::of_this_thread() noexcept { return plan_of_thread; }

Plan::Plan() noexcept : outer_(plan_of_thread) {
  plan_of_thread = this;
  in_use.fetch_add(1, std::memory_order_relaxed);
}

Plan::~Plan() {
  in_use.fetch_sub(1, std::memory_order_relaxed);
  plan_of_thread = outer_;
}

void Plan::add(const char* name, std::int64_t value) noexcept {
  for (std::size_t i = 0; i < note_count_; ++i) {
    if (std::strcmp(notes_[i].name, name) != 0) continue;
    notes_[i].value = std::max(notes_[i].value, value);
    return;
  }
  if (note_count_ < notes_.size()) notes_[note_count_++] = {name, value};
}

void Plan::add(const Loop& loop) noexcept {
  threads_ = std::max(threads_, loop.threads);
  if (loop_count_ < std::ssize(loops_)) loops_[static_cast<std::size_t>(loop_count_)] = loop;
  ++loop_count_;
}

std::span<const Plan::Loop> Plan::loops() const noexcept {
  return {loops_.data(), static_cast<std::size_t>(std::min(loop_count_, std::ssize(loops_)))};
}

}  // namespace mluop
