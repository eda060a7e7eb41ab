// The sections of the page, and what they share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/model.hpp"

namespace mluop::cli::report {

/// Counts of everything, and what failed.
std::string result_section(const Report& report);
std::string summary_section(const Report& report);
std::string roofline_section(const Report& report);
std::string scaling_section(const Report& report);
std::string sweep_section(const Report& report);
std::string operator_section(const OperatorResult& result);
std::string machine_section(const Report& report);

/// What failed, and what could not be judged, each as a list with a heading; "" if there is nothing.
std::string failures(const std::vector<const OperatorResult*>& results);

/// The cases of an operator that come closest to the bound, for all to see.
std::string worst_cases(const OperatorResult& result);
/// Every case, folded.
std::string verdicts(const OperatorResult& result);

/// A verdict in the colour of its class.
std::string badge(std::string_view css_class, std::string_view words);
std::string badge(const OperatorResult& result);
/// The class that colours a verdict on speed: met, explained, slow or unjudged.
const char* speed_class(Speed speed);
const char* speed_words(Speed speed);

std::string number_cell(std::string_view text);

}  // namespace mluop::cli::report
