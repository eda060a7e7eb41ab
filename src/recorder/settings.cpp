// The settings of the process, read from the environment or set by api.cpp.
#include "recorder/settings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "core/environment.hpp"
#include "core/log.hpp"
#include "core/status.hpp"
#include "recorder/mode.hpp"

namespace mluop::recorder {

constinit std::atomic<Mode> current_mode{Mode::unread};

namespace {

constexpr std::array switch_names{"0", "1"};
constexpr std::array notation_names{"0", "1", "2"};
constexpr std::array mode_names{"0", "1", "2", "3"};

std::mutex directory_mutex;
std::optional<std::string>& chosen_directory() {
  static std::optional<std::string> directory;
  return directory;
}

Mode mode_of_environment() {
  return static_cast<Mode>(environment_choice("MLUOP_GEN_CASE", mode_names).value_or(0));
}

std::optional<Notation> notation_of(const char* variable) {
  const std::size_t choice = environment_choice(variable, notation_names).value_or(0);
  if (choice == 0) return std::nullopt;
  return choice == 1 ? Notation::text : Notation::bits;
}

bool is_on(const char* variable) { return environment_choice(variable, switch_names) == 1; }

}  // namespace

Mode mode() noexcept {
  Mode mode = current_mode.load(std::memory_order_relaxed);
  if (mode != Mode::unread) return mode;
  Mode wanted = Mode::off;
  try {
    wanted = mode_of_environment();
  } catch (const std::exception& problem) {
    log(MLUOP_CPU_LOG_WARNING, problem.what());
  }
  return current_mode.compare_exchange_strong(mode, wanted) ? wanted : mode;
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
  {
    const std::lock_guard lock{directory_mutex};
    if (chosen_directory()) return *chosen_directory();
  }
  const char* const of_environment = std::getenv("MLUOP_GEN_CASE_DIR");
  return of_environment != nullptr ? of_environment : "";
}

void set_directory(std::optional<std::string> path) {
  const std::lock_guard lock{directory_mutex};
  std::swap(chosen_directory(), path);
}

void check_environment() {
  mode_of_environment();
  order_for("");
  // There is nothing to choose: no operator of this library calls another through the API.
  is_on("MLUOP_GEN_CASE_DUMP_INTERNAL");
}

std::optional<Order> order_for(std::string_view op) {
  const char* const names = std::getenv("MLUOP_GEN_CASE_OP_NAME");
  const Selection selection = selection_of(names != nullptr ? names : "", op);
  const std::optional<Notation> all = notation_of("MLUOP_GEN_CASE_DUMP_DATA");
  Order order;
  order.outputs = notation_of("MLUOP_GEN_CASE_DUMP_DATA_OUTPUT");
  if (is_on("MLUOP_GEN_CASE_DUMP_DATA_FILE")) order.inline_bytes = 0;
  if (all) order.notation = *all;
  if (mode() == Mode::data) order.kept = Need::values;
  if (all || selection == Selection::with_values) order.kept = Need::nothing;
  if (selection == Selection::excluded) return std::nullopt;
  return order;
}

}  // namespace mluop::recorder
