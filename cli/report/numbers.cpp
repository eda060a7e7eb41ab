#include "report/numbers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace mluop::cli::report {

std::string error_text(double error) {
  if (!std::isfinite(error)) return "null";
  return error == 0 ? "0" : fmt::format("{:.1e}", error);
}

std::string error_text(testing::Measure measure, double error) {
  const bool share = measure == testing::Measure::diff4 && std::isfinite(error);
  return share ? efficiency_text(error) : error_text(error);
}

std::string milliseconds_text(double ms) {
  return ms < 1     ? fmt::format("{:.5f}", ms)
         : ms < 100 ? fmt::format("{:.3f}", ms)
                    : fmt::format("{:.1f}", ms);
}

std::string efficiency_text(double ratio) {
  return ratio == 0 || ratio >= 0.1 ? fmt::format("{:.2f}", ratio) : fmt::format("{:.2g}", ratio);
}
std::string switches_text(double per_second) { return fmt::format("{:.0f}", per_second); }
std::string giga_text(double per_second) { return fmt::format("{:.1f}", per_second * 1e-9); }
std::string megabytes_text(double bytes) { return fmt::format("{:.3f}", bytes * 1e-6); }

std::string percent_text(double share) {
  const double percent = 100 * share;
  if (percent == 0) return "0";
  if (!(percent <= 1000)) return "> 1000 %";
  if (percent < 0.01) return "< 0.01 %";
  return percent < 10 ? fmt::format("{:.2g} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string grouped(std::size_t count) {
  std::string text = std::to_string(count);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, "\u202f");
  return text;
}

}  // namespace mluop::cli::report
