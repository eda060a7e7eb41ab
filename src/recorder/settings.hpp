// What the user wants recorded, and where: the variables MLUOP_GEN_CASE…, as mluOpCreate read them,
// and the functions that override them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "recorder/mode.hpp"
#include "recorder/order.hpp"

namespace mluop::recorder {

/// Which operators MLUOP_GEN_CASE_OP_NAME selects: "a;b" only these, "-a;-b" all but these, "+a" this
/// one with all its values. As soon as a name has a sign, operators that are not named are recorded.
enum class Selection { excluded, included, with_values };
Selection selection_of(std::string_view names, std::string_view op);

/// Keeps what the variables say, for the whole process, until it is called again. Throws Failure if one
/// of them is not understood, and then keeps what it had.
void read_environment();

/// The mode that counts instead of that of MLUOP_GEN_CASE; nothing unsets it.
void set_mode(std::optional<Mode> mode) noexcept;

/// More or fewer Captures: while there is one, calls are recorded for it alone.
void count_captures(int change) noexcept;

/// The directory that was set, or else that of MLUOP_GEN_CASE_DIR, as it was given; nothing unsets it.
std::string directory();
void set_directory(std::optional<std::string> path);

/// How a call of `op` is to be recorded in the mode in force; nothing if `op` is excluded.
std::optional<Order> order_for(std::string_view op);

}  // namespace mluop::recorder
