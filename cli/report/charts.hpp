// The charts of the report. Each has a natural size and is drawn once per width that it must fit.
#pragma once

#include <string>

#include "report/model.hpp"

namespace mluop::cli::report {

/// Attainable and attained GFLOP/s over FLOP per byte, one mark for every timed case. A case without
/// arithmetic stands on the left edge, as far below the roof as its efficiency.
std::string roofline(const Report& report, double width, double height);

/// How many outputs have which largest error, as a share of what is accepted.
std::string error_histogram(const OperatorResult& result);

/// A bar from 0 to `value` of `full`, as wide as its place allows, with a mark at `mark` (none below 0).
std::string bar(double value, double full, double mark, const char* css_class);

/// "family-0" …: the colour of an operator's family.
std::string family_class(std::string_view op);

}  // namespace mluop::cli::report
