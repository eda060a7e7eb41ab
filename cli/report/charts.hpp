// The charts of the report. Each is drawn once for every width that it must fit.
#pragma once

#include <string>

#include "report/model.hpp"

namespace mluop::cli::report {

/// Attainable and attained GFLOP/s over FLOP per byte, one mark for every timed case. A case without
/// arithmetic stands on the left edge, as far below the roof as its efficiency.
std::string roofline(const Report& report, double width, double height);

/// Histogram of the largest error of each output, as a share of the accepted error.
std::string error_histogram(const OperatorResult& result);

/// A bar for `value` out of `full`, as wide as its container, with a mark at `mark` (none if negative).
std::string bar(double value, double full, double mark, const char* css_class);

/// "family-0" …: the colour of an operator's family.
std::string family_class(std::string_view op);

}  // namespace mluop::cli::report
