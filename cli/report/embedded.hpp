// Files of the source tree that are compiled into the program.
#pragma once

#include <string_view>
#include <utility>

namespace mluop::cli::report {

/// The text of a file by its path from the root of the tree; cli/CMakeLists.txt lists them.
std::string_view embedded(std::string_view name);

}  // namespace mluop::cli::report
