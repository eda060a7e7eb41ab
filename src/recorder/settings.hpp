// Settings of the recorder: the variables MLUOP_GEN_CASE…, as mluOpCreate read them, and the functions that
// override them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "recorder/mode.hpp"
#include "recorder/order.hpp"

namespace mluop::recorder {

/// Which operators MLUOP_GEN_CASE_OP_NAME selects: "a;b" only these, "-a;-b" all but these, "+a" this
/// one with all its values. If a name has a sign, operators that are not named are recorded.
enum class Selection { excluded, included, with_values };
Selection selection_of(std::string_view names, std::string_view op);

/// Reads the variables; they apply to the process until the next call. Those that are not understood count as
/// unset.
void read_environment();

/// Overrides the mode of MLUOP_GEN_CASE; nullopt removes the override.
void set_mode(std::optional<Mode> mode) noexcept;

/// Counts Captures: while there is one, calls are recorded only for it.
void count_captures(int change) noexcept;

/// The directory that was set (nullopt unsets it), else that of MLUOP_GEN_CASE_DIR, before expansion.
std::string directory();
void set_directory(std::optional<std::string> path);

/// How to record a call of `op` in the current mode; nothing if `op` is excluded.
std::optional<Order> order_for(std::string_view op);

}  // namespace mluop::recorder
