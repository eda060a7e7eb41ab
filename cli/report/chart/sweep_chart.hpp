// The picture of a sweep: efficiency over work, a panel for each operator.
#pragma once

#include <span>
#include <string>

#include "sweep/row.hpp"

namespace mluop::cli::report {

/// Work is the least time that it takes on this machine. Circles are bound by arithmetic, triangles by memory;
/// problems that are slower than the plain loop stand out. `columns` panels side by side; problems shorter than
/// 20 µs are left out.
std::string sweep_chart(std::span<const SweepRow> rows, int columns);

/// The same as an SVG file.
std::string sweep_picture(std::span<const SweepRow> rows);

}  // namespace mluop::cli::report
