// What is wrong with the operator that a case file names.
#pragma once

#include <string>
#include <string_view>

namespace mluop::casefile {

/// "" if this library has an operator of that name, else a sentence that tells whether MLU-OPS has it.
std::string problem_of_operator(std::string_view name);

}  // namespace mluop::casefile
