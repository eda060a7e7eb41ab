// How far a run is, on stderr: a bar on a terminal, a line per operator elsewhere.
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <string_view>

namespace mluop::cli {

/// `text` on a line of `columns`: without control characters, and cut where it would wrap. A character beyond
/// ASCII counts as two columns, the most that a terminal gives it.
std::string fitted(std::string_view text, std::size_t columns);

/// "1:05", "1:00:05".
std::string clock_text(double seconds);

/// What a bar of a run shows, and a line of it.
struct ProgressState {
  std::size_t done = 0, steps = 0;
  double seconds = 0;  // since the run began
  std::string what;

  /// "about 1:05 left", or "" while that cannot be told.
  std::string left() const;
  /// For a terminal of that width; never wraps.
  std::string bar(std::size_t columns) const;
  /// "[0:12] 154/1230 checking carafe_forward, about 1:20 left".
  std::string line() const;
};

class Progress {
 public:
  explicit Progress(std::size_t steps);
  ~Progress() { clear(); }

  /// Steps from now on belong to this part of the run: "timing".
  void phase(std::string name);
  /// A step begins, or ends: a case, which begins with the name of its operator.
  void step(std::string_view what);
  /// The same of a case file, whose operator is not known yet: `enter` names it.
  void step_file(std::string_view what);
  void enter(std::string_view op);
  /// Erases the bar; call it before printing anything else.
  void clear() const;

 private:
  void count(std::string_view what);
  ProgressState state(std::string what) const;
  void print_line(const std::string& what);

  using Clock = std::chrono::steady_clock;
  bool visible_;  // as a bar
  std::size_t steps_;
  std::size_t done_ = 0;
  std::string phase_;
  std::set<std::string, std::less<>> entered_;  // operators of this phase
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point last_line_ = begin_;
};

}  // namespace mluop::cli
