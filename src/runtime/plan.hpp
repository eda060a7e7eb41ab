// The decisions of a call on its way: tile sizes, loops, scratch. Collected for the log, and only while it
// wants them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <span>

namespace mluop {

/// The decisions of one call, from its construction to its end on one thread. A plan inside another one
/// hides it. Allocates nothing.
class Plan {
 public:
  struct Note {
    const char* name;
    std::int64_t value;
  };
  struct Loop {
    std::int64_t count, grain;
    int threads;
  };

  Plan() noexcept : outer_(of_thread) {
    of_thread = this;
    in_use.fetch_add(1, std::memory_order_relaxed);
  }
  ~Plan() {
    in_use.fetch_sub(1, std::memory_order_relaxed);
    of_thread = outer_;
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// That of the call that this thread makes; null if there is none. Without any plan in the process, one
  /// relaxed load and a branch.
  static Plan* current() noexcept {
    return in_use.load(std::memory_order_relaxed) == 0 ? nullptr : of_thread;
  }

  /// `name` lives as long as the program. Of several values of one name the largest is kept.
  void add(const char* name, std::int64_t value) noexcept {
    for (Note& note : std::span(notes_).first(note_count_)) {
      if (std::strcmp(note.name, name) != 0) continue;
      note.value = std::max(note.value, value);
      return;
    }
    if (note_count_ < notes_.size()) notes_[note_count_++] = {name, value};
  }
  void add(const Loop& loop) noexcept {
    threads_ = std::max(threads_, loop.threads);
    if (loop_count_ < loops_.size()) loops_[loop_count_] = loop;
    ++loop_count_;
  }

  std::span<const Note> notes() const noexcept { return {notes_.data(), note_count_}; }
  /// The first loops, in the order in which they ran; `loop_count()` is the number of all.
  std::span<const Loop> loops() const noexcept {
    return {loops_.data(), std::min(loop_count_, loops_.size())};
  }
  std::size_t loop_count() const noexcept { return loop_count_; }
  /// The most threads of a loop; 1 without one.
  int threads() const noexcept { return threads_; }

 private:
  static constinit inline std::atomic<int> in_use{0};
  static constinit inline thread_local Plan* of_thread = nullptr;

  Plan* const outer_;
  std::array<Note, 16> notes_{};
  std::size_t note_count_ = 0;
  std::array<Loop, 12> loops_{};
  std::size_t loop_count_ = 0;
  int threads_ = 1;
};

/// Notes a decision of the call that this thread makes: note_plan("tile_columns", 32).
inline void note_plan(const char* name, std::int64_t value) noexcept {
  if (Plan* const plan = Plan::current()) [[unlikely]]
    plan->add(name, value);
}

}  // namespace mluop
