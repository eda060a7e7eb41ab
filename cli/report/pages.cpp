#include "report/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "report/embedded.hpp"

namespace mluop::cli::report {

namespace {

/// Where the pages of an operator keep what the report quotes.
struct Place {
  std::string_view prefix;  // of the operator's name
  std::string_view formula_page, formula_heading;
  std::string_view shapes_page, shapes_heading;
};
constexpr Place places[] = {
    {"get_indice_pairs", "src/ops/sparse_conv/pairs/README.md", "Formula",
     "src/ops/sparse_conv/pairs/README.md", "Tensors"},
    {"indice_convolution_", "src/ops/sparse_conv/README.md", "Formulas",
     "src/ops/sparse_conv/indice_convolution.md", "Arguments"},
    {"carafe_", "src/ops/carafe/README.md", "Formula", "src/ops/carafe/README.md", "Shapes"},
    {"points_in_boxes", "src/ops/points_in_boxes/README.md", "Formula",
     "src/ops/points_in_boxes/README.md", "Shapes"},
    {"roiaware_pool3d_", "src/ops/roiaware_pool3d/README.md", "Formula",
     "src/ops/roiaware_pool3d/README.md", "Shapes"},
    {"rotated_feature_align_", "src/ops/rotated_feature_align/README.md", "Formula",
     "src/ops/rotated_feature_align/README.md", "Shapes"},
    {"indice_maxpool_", "src/ops/sparse_pool/README.md", "Formula", "src/ops/sparse_pool/README.md",
     "Shapes"},
    {"indice_avgpool_", "src/ops/sparse_pool/README.md", "Formula", "src/ops/sparse_pool/README.md",
     "Shapes"},
};
constexpr std::string_view pages_with_reasons[] = {
    "src/ops/sparse_conv/README.md",           "src/ops/carafe/README.md",
    "src/ops/points_in_boxes/README.md",       "src/ops/roiaware_pool3d/README.md",
    "src/ops/rotated_feature_align/README.md", "src/ops/sparse_pool/README.md"};

const Place& place_of(std::string_view op) {
  for (const Place& place : places) {
    if (op.starts_with(place.prefix)) return place;
  }
  throw std::logic_error(fmt::format("operator '{}' has no page", op));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '`')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '`')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

std::size_t level_of(std::string_view line) {
  const std::size_t level = line.find_first_not_of('#');
  return level != std::string_view::npos && level > 0 && line[level] == ' ' ? level : 0;
}

}  // namespace

std::string section(std::string_view page, std::string_view heading) {
  std::string text;
  std::size_t level = 0;
  for (const std::string_view line : lines_of(page)) {
    const std::size_t here = level_of(line);
    if (level == 0) {
      if (here > 0 && line.substr(here + 1) == heading) level = here;
      continue;
    }
    if (here > 0 && here <= level) break;
    text += fmt::format("{}\n", line);
  }
  return text;
}

std::string formula_of(std::string_view op) {
  const Place& place = place_of(op);
  return section(embedded(place.formula_page), place.formula_heading);
}

std::string shapes_of(std::string_view op) {
  const Place& place = place_of(op);
  return section(embedded(place.shapes_page), place.shapes_heading);
}

std::vector<Reason> reasons_in(std::string_view section) {
  std::vector<Reason> found;
  int row = 0;
  for (const std::string_view line : lines_of(section)) {
    if (!line.starts_with('|') || ++row <= 2) continue;  // the heading and the rule below it
    const std::vector<std::string_view> cells = split(line, '|');
    if (cells.size() != 5 || cells[1].empty() || cells[2].empty() || cells[3].empty()) {
      throw std::runtime_error(fmt::format("not a row of cases, operators, reason: {}", line));
    }
    for (const std::string_view op : split(cells[2], ',')) {
      for (const std::string_view name : split(cells[1], ',')) {
        found.push_back({std::string(name), std::string(op), std::string(cells[3])});
      }
    }
  }
  return found;
}

const std::vector<Reason>& reasons() {
  static const std::vector<Reason> all = [] {
    std::vector<Reason> collected;
    for (const std::string_view page : pages_with_reasons) {
      const auto more = reasons_in(section(embedded(page), "Below the standard"));
      collected.insert(collected.end(), more.begin(), more.end());
    }
    return collected;
  }();
  return all;
}

std::string reason_for(std::string_view op, std::string_view case_name) {
  for (const Reason& reason : reasons()) {
    if (reason.op == op && matches(reason.case_pattern, case_name)) return reason.text;
  }
  return "";
}

bool matches(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t skip = star; skip <= text.size(); ++skip) {
    if (matches(rest, text.substr(skip))) return true;
  }
  return false;
}

}  // namespace mluop::cli::report
