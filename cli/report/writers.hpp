// The report in its three forms.
#pragma once

#include <string>

#include "report/model.hpp"

namespace mluop::cli::report {

/// One page that needs nothing else: no script, no fetch, charts as SVG.
std::string html(const Report& report);
/// For a pull request, in the sections of MLU-OPS' test report.
std::string markdown(const Report& report);
/// As docs/report.schema.json describes.
std::string json(const Report& report);

}  // namespace mluop::cli::report
