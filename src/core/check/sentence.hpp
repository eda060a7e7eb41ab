// The sentences that checks leave.
#pragma once

#include <string>

namespace mluop {

/// "mask" and "must not be null" as one sentence.
inline std::string join(const char* name, const std::string& rest) { return name + (' ' + rest); }

}  // namespace mluop
