// The charts of the report. Each is drawn once for every width that it must fit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/chart/svg.hpp"
#include "report/model.hpp"

namespace mluop::cli::report {

/// Attainable and attained GFLOP/s over FLOP per byte: a mark for every timed case. A case without
/// arithmetic stands on the left edge, as far below the roof as its efficiency. Marks are numbered from 1 in
/// the order of the report, if there is room for numbers.
enum class Room { little, numbers };
std::string roofline(const Report& report, double width, double height, Room room);

/// A timed case that is faster than the FMA peak.
struct AboveTheRoof {
  std::size_t number;  // of its mark
  const TimedResult* timed;
};
std::vector<AboveTheRoof> above_the_roof(const Report& report);

/// Draws the mark of an operator: the colour of its family, a circle for forward, a triangle for backward.
void draw_mark(Svg& svg, std::string_view op, double x, double y, double radius,
               std::string_view title = "");

/// Histogram of the largest error of each case, in per cent of the bound.
std::string error_histogram(const OperatorResult& result);

/// A line across a bar.
struct BarMark {
  double value;
  const char* css_class;
};
/// A bar for `value` out of `full`, as wide as its container.
std::string bar(double value, double full, const std::vector<BarMark>& marks,
                std::string_view css_class);

}  // namespace mluop::cli::report
