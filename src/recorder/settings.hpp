// What the user wants recorded, and where: the variables MLUOP_GEN_CASE… and the functions that
// override them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "recorder/order.hpp"

namespace mluop::recorder {

/// Which operators MLUOP_GEN_CASE_OP_NAME selects: "a;b" only these, "-a;-b" all but these, "+a" this
/// one with all its values. As soon as a name has a sign, operators that are not named are recorded.
enum class Selection { excluded, included, with_values };
Selection selection_of(std::string_view names, std::string_view op);

/// The directory that was set, or else that of MLUOP_GEN_CASE_DIR, as it was given; nothing unsets it.
std::string directory();
void set_directory(std::optional<std::string> path);

/// Throws Failure if one of the variables is not understood.
void check_environment();

/// What the variables say about a call of `op`, which mode() says is recorded; nothing if it is
/// excluded. Throws Failure if one of them is not understood.
std::optional<Order> order_for(std::string_view op);

}  // namespace mluop::recorder
