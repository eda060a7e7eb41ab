// The name that a user probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mluop::testing {

/// The one of `known` that is nearest to `name`: capitals, underscores, hyphens and a leading "mluOp" do not
/// count, a third of the letters may differ, and the beginning of a name is enough. "" if none is near.
std::string nearest_name(std::string_view name, std::span<const std::string> known);

/// "; did you mean 'carafe_forward'?", or "".
std::string suggestion_for(std::string_view name, std::span<const std::string> known);

/// The same, or "; known: list, info, bench" if none is near.
std::string hint_for(std::string_view name, std::span<const std::string> known);

}  // namespace mluop::testing
