#include "output/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace mluop::cli {

namespace {

/// A terminal that understands control sequences.
bool has_terminal() {
  const char* const kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

/// Asked each time: windows change their size.
std::size_t terminal_columns() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

constexpr const char* erase_line = "\r\x1b[K";
// Without automatic wrapping even a window that has just become smaller keeps the bar on one line.
constexpr const char* wrap_off = "\x1b[?7l";
constexpr const char* wrap_on = "\x1b[?7h";

}  // namespace

std::string fitted(std::string_view text, std::size_t columns) {
  std::string line;
  std::size_t used = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool continues = (byte & 0xc0) == 0x80;
    used += continues ? 0 : byte >= 0x80 ? 2 : 1;
    if (used > columns) break;
    line += byte < ' ' || byte == 0x7f ? '?' : c;
  }
  return line;
}

std::string clock_text(double seconds) {
  const auto all = static_cast<long long>(std::max(seconds, 0.0));
  const long long minutes = all / 60;
  if (minutes < 60) return fmt::format("{}:{:02}", minutes, all % 60);
  return fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, all % 60);
}

std::string ProgressState::left() const {
  constexpr double enough = 2;  // seconds
  if (done < 2 || done >= steps || seconds < enough) return "";
  const auto before = static_cast<double>(done - 1);  // the last one may have only begun
  return fmt::format("about {} left",
                     clock_text(seconds / before * static_cast<double>(steps - done + 1)));
}

std::string ProgressState::bar(std::size_t columns) const {
  const std::size_t width = columns >= 100 ? 24 : columns >= 60 ? 12 : 0;
  const std::size_t full = width * done / std::max<std::size_t>(1, steps);
  std::string text = width == 0 ? "" : fmt::format("[{:=<{}}{: <{}}] ", "", full, "", width - full);
  text += fmt::format("{}/{} ", done, steps);
  if (const std::string rest = left(); !rest.empty()) text += rest + ' ';
  return fitted(text + what, columns - std::min<std::size_t>(columns, 1));
}

std::string ProgressState::line() const {
  const std::string rest = left();
  return fmt::format("[{}] {}/{} {}{}{}", clock_text(seconds), done, steps, what,
                     rest.empty() ? "" : ", ", rest);
}

Progress::Progress(std::size_t steps) : visible_(has_terminal()), steps_(steps) {}

void Progress::phase(std::string name) {
  phase_ = std::move(name);
  entered_.clear();
}

void Progress::step(std::string_view what) {
  count(what);
  enter(what.substr(0, what.find(' ')));
}

void Progress::step_file(std::string_view what) { count(what); }

/// Off a terminal, a step that follows a silence of half a minute has a line, too.
void Progress::count(std::string_view what) {
  ++done_;
  constexpr std::chrono::seconds silence{30};
  if (visible_) {
    fmt::print(stderr, "{}{}{}{}", erase_line, wrap_off,
               state(std::string(what)).bar(terminal_columns()), wrap_on);
  } else if (Clock::now() - last_line_ >= silence) {
    print_line(std::string(what));
  }
}

void Progress::enter(std::string_view op) {
  if (visible_ || !entered_.emplace(op).second) return;
  print_line(std::string(op));
}

ProgressState Progress::state(std::string what) const {
  const std::chrono::duration<double> time = Clock::now() - begin_;
  return {done_, steps_, time.count(),
          phase_.empty() ? std::move(what) : fmt::format("{} {}", phase_, what)};
}

void Progress::print_line(const std::string& what) {
  last_line_ = Clock::now();
  fmt::print(stderr, "{}\n", state(what).line());
  std::fflush(stderr);
}

void Progress::clear() const {
  if (visible_) fmt::print(stderr, "{}", erase_line);
}

}  // namespace mluop::cli
