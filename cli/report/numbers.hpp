// How the report writes its numbers. Every format takes them from here, so a figure is the same text in
// HTML and Markdown, and the same number in JSON.
#pragma once

#include <string>

#include "testing/compare/compare.hpp"

namespace mluop::cli::report {

std::string error_text(double error);  // "1.3e-07", "0" for none
/// The error by a measure: diff4 is a share, "0.48", the others are sizes.
std::string error_text(testing::Measure measure, double error);
std::string milliseconds_text(double ms);      // "0.00182", "12.4": three to five digits
std::string efficiency_text(double ratio);     // "0.61", "0.0042": two significant digits below 0.1
std::string switches_text(double per_second);  // "12"
std::string giga_text(double per_second);      // "38.2"
std::string megabytes_text(double bytes);      // "24.1"
/// A share of a bound: "55 %", "0.25 %"; "0" for none, "> 1000 %" for anything larger.
std::string percent_text(double share);
/// "12 345" for people; not for JSON.
std::string grouped(std::size_t count);

}  // namespace mluop::cli::report
