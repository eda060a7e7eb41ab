// The values that an option may have, by the kind that help shows for it: OP, CASE, DTYPE, ISA, FILE, a|b|c.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "help/completion.hpp"

namespace mluop::cli {

/// What a command line says before the value.
struct GivenNames {
  std::string ops;       // of --op, separated by commas
  std::string argument;  // the first one without a name
};

struct Values {
  std::vector<Candidate> all;
  bool list = false;  // several, separated by commas
};

/// None where a user may write anything.
Values values_of(std::string_view kind, const GivenNames& given);

/// As Completion::files.
std::string_view files_of(std::string_view kind);

}  // namespace mluop::cli
