// A report of full size with made-up results, to test what the forms of the report look like.
#pragma once

#include <string_view>

#include "report/model.hpp"

namespace mluop::cli::report {

/// Every case of every operator in every dtype, as a full run has them. Most are in order; the first operator
/// has a wrong case, a bad call that is not refused, and every verdict on speed, and the second one uses
/// matrix units and loses with two threads.
Report full_size_sample();

/// How often `piece` occurs in a text.
std::size_t count(std::string_view text, std::string_view piece);

}  // namespace mluop::cli::report
