// The sections of the page.
#pragma once

#include <string>
#include <string_view>

#include "report/model.hpp"

namespace mluop::cli::report {

std::string roofline_section(const Report& report);
/// `badge` is HTML and stands beside the heading.
std::string operator_section(const OperatorResult& result, std::string_view badge);
std::string scaling_section(const Report& report);
std::string machine_section(const Report& report);

}  // namespace mluop::cli::report
