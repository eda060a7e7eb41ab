// The decisions of a call on its way: tile sizes, loops, scratch. Collected for the log, and only while it
// wants them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

namespace mluop {

/// The decisions of one call, from its construction to its end on one thread. A plan inside another one
/// hides it.
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

  Plan() noexcept;
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// That of the call that this thread makes; null if there is none. Without any plan in the process, one
  /// relaxed load and a branch.
  static Plan* current() noexcept {
    return in_use.load(std::memory_order_relaxed) == 0 ? nullptr : of_this_thread();
  }

  /// `name` lives as long as the program. Of several values of one name the largest is kept.
  void add(const char* name, std::int64_t value) noexcept;
  void add(const Loop& loop) noexcept;

  std::span<const Note> notes() const noexcept { return {notes_.data(), note_count_}; }
  /// The first loops, in the order in which they ran; `loop_count()` is the number of all.
  std::span<const Loop> loops() const noexcept;
  std::int64_t loop_count() const noexcept { return loop_count_; }
  /// The most threads of a loop; 1 without one.
  int threads() const noexcept { return threads_; }

 private:
  static Plan* of_this_thread() noexcept;
  static constinit std::atomic<int> in_use;

  Plan* const outer_;
  std::array<Note, 16> notes_{};
  std::size_t note_count_ = 0;
  std::array<Loop, 12> loops_{};
  std::int64_t loop_count_ = 0;
  int threads_ = 1;
};

/// Notes a decision of the call that this thread makes: note_plan("tile_columns", 32).
inline void note_plan(const char* name, std::int64_t value) noexcept {
  if (Plan* const plan = Plan::current()) [[unlikely]]
    plan->add(name, value);
}

}  // namespace mluop
