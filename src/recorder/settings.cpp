// The settings of the process, read from the environment or set by api.cpp.
#include "recorder/settings.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "core/handle/environment.hpp"
#include "recorder/mode.hpp"
#include "runtime/at_fork.hpp"

namespace mluop::recorder {

constinit std::atomic<Mode> current_mode{Mode::off};

namespace {

/// The values of the variables.
struct Environment {
  Mode mode = Mode::off;
  std::string names, directory;
  std::optional<Notation> data = std::nullopt, outputs = std::nullopt;
  bool beside = false;

  bool operator==(const Environment&) const = default;
};

/// Values read from the environment and values set by functions. Strings are behind pointers, because
/// nothing may be destroyed while other threads still call; null is the default, so that an unloaded
/// library leaks nothing.
struct Settings {
  Environment* environment = nullptr;
  std::string* set_directory = nullptr;
  std::optional<Mode> set_mode = std::nullopt;
  int captures = 0;

  /// For the hook, which takes no lock.
  void publish_mode() const noexcept {
    const Mode read = environment != nullptr ? environment->mode : Mode::off;
    current_mode = captures > 0 ? Mode::captures : set_mode.value_or(read);
  }
};

constinit std::mutex mutex;
constinit Settings settings;
static_assert(std::is_trivially_destructible_v<Settings>);
const HeldDuringFork<mutex> mutex_at_fork;

std::optional<Notation> notation_of(const char* variable) {
  const int mode = environment_mode(variable, 2);
  if (mode == 0) return std::nullopt;
  return mode == 1 ? Notation::text : Notation::bits;
}

Environment environment_of_process() {
  Environment read;
  read.mode = static_cast<Mode>(environment_mode("MLUOP_GEN_CASE", static_cast<int>(Mode::screen)));
  read.names = environment_text("MLUOP_GEN_CASE_OP_NAME");
  read.directory = environment_text("MLUOP_GEN_CASE_DIR");
  read.data = notation_of("MLUOP_GEN_CASE_DUMP_DATA");
  read.outputs = notation_of("MLUOP_GEN_CASE_DUMP_DATA_OUTPUT");
  read.beside = environment_switch("MLUOP_GEN_CASE_DUMP_DATA_FILE");
  // No effect, but a value that is not understood is logged: no operator of this library calls another
  // through the API.
  environment_switch("MLUOP_GEN_CASE_DUMP_INTERNAL");
  return read;
}

}  // namespace

void read_environment() {
  Environment read = environment_of_process();
  std::unique_ptr<Environment> kept;
  if (read != Environment{}) kept = std::make_unique<Environment>(std::move(read));
  std::unique_ptr<Environment> former;  // destroyed after the lock is released
  const std::lock_guard lock{mutex};
  former.reset(std::exchange(settings.environment, kept.release()));
  settings.publish_mode();
}

void set_mode(std::optional<Mode> mode) noexcept {
  const std::lock_guard lock{mutex};
  settings.set_mode = mode;
  settings.publish_mode();
}

void count_captures(int change) noexcept {
  const std::lock_guard lock{mutex};
  settings.captures += change;
  settings.publish_mode();
}

Selection selection_of(std::string_view names, std::string_view op) {
  bool signs = false, any = false;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(';'), names.size());
    std::string_view name = names.substr(0, end);
    names.remove_prefix(std::min(end + 1, names.size()));
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (name.empty()) continue;
    any = true;
    const char sign = name.front() == '-' || name.front() == '+' ? name.front() : ' ';
    if (sign != ' ') name.remove_prefix(1);
    signs = signs || sign != ' ';
    if (name != op && name != "all") continue;
    if (sign == '-') return Selection::excluded;
    return sign == '+' ? Selection::with_values : Selection::included;
  }
  return signs || !any ? Selection::included : Selection::excluded;
}

std::string directory() {
  const std::lock_guard lock{mutex};
  if (settings.set_directory != nullptr) return *settings.set_directory;
  return settings.environment != nullptr ? settings.environment->directory : "";
}

void set_directory(std::optional<std::string> path) {
  std::unique_ptr<std::string> kept, former;
  if (path) kept = std::make_unique<std::string>(std::move(*path));
  const std::lock_guard lock{mutex};
  former.reset(std::exchange(settings.set_directory, kept.release()));
}

std::optional<Order> order_for(std::string_view op) {
  static constexpr std::string_view all_operators;
  const std::lock_guard lock{mutex};
  const Environment* const read = settings.environment;
  const Selection selection = selection_of(read != nullptr ? read->names : all_operators, op);
  if (selection == Selection::excluded) return std::nullopt;
  Order order;
  if (current_mode == Mode::data) order.kept = Need::values;
  if (selection == Selection::with_values) order.kept = Need::nothing;
  if (read == nullptr) return order;
  if (read->data) {
    order.kept = Need::nothing;
    order.notation = *read->data;
  }
  if (read->beside) order.inline_bytes = 0;
  order.outputs = read->outputs;
  return order;
}

}  // namespace mluop::recorder
