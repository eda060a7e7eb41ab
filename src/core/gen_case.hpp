// Whether and where calls are to be recorded as test cases, for the whole process.
#pragma once

#include <string>

namespace mluop {

enum class GenCaseMode { off, shapes, data, screen };

GenCaseMode gen_case_mode() noexcept;
std::string gen_case_directory();

}  // namespace mluop
