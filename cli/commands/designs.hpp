// The designs of the operators, as text.
#pragma once

#include <string>

#include "testing/data/handle.hpp"

namespace mluop::cli {

/// A table of every design, in the order in which they are tried, with what it needs and accepts.
std::string designs_text(const testing::Handle& handle);

}  // namespace mluop::cli
