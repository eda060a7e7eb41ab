#include "report/pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
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
    {"dynamic_point_to_voxel_", "src/ops/dynamic_point_to_voxel/README.md", "Formula",
     "src/ops/dynamic_point_to_voxel/README.md", "Shapes"},
    {"points_in_boxes", "src/ops/points_in_boxes/README.md", "Formula",
     "src/ops/points_in_boxes/README.md", "Shapes"},
    {"box_iou_rotated", "src/ops/rotated_boxes/README.md", "Formula",
     "src/ops/rotated_boxes/README.md", "Shapes"},
    {"nms_rotated", "src/ops/rotated_boxes/README.md", "Formula", "src/ops/rotated_boxes/README.md",
     "Shapes"},
    {"nms", "src/ops/nms/README.md", "Formula", "src/ops/nms/README.md", "Shapes"},
    {"cpu_nms", "src/ops/nms/README.md", "Formula", "src/ops/nms/README.md", "Shapes"},
    {"boxes_overlap_bev", "src/ops/nms/README.md", "Formula", "src/ops/nms/README.md", "Shapes"},
    {"roi_align_", "src/ops/roi_align/README.md", "Formula", "src/ops/roi_align/README.md",
     "Shapes"},
    {"roiaware_pool3d_", "src/ops/roiaware_pool3d/README.md", "Formula",
     "src/ops/roiaware_pool3d/README.md", "Shapes"},
    {"rotated_feature_align_", "src/ops/rotated_feature_align/README.md", "Formula",
     "src/ops/rotated_feature_align/README.md", "Shapes"},
    {"voxelization", "src/ops/voxelization/README.md", "Formula",
     "src/ops/voxelization/README.md", "Shapes"},
    {"dynamic_voxelize", "src/ops/voxelization/README.md", "Formula",
     "src/ops/voxelization/README.md", "Shapes"},
    {"indice_maxpool_", "src/ops/sparse_pool/README.md", "Formula", "src/ops/sparse_pool/README.md",
     "Shapes"},
    {"indice_avgpool_", "src/ops/sparse_pool/README.md", "Formula", "src/ops/sparse_pool/README.md",
     "Shapes"},
};
constexpr std::string_view pages_with_excuses[] = {
    "src/ops/sparse_conv/README.md",
    "src/ops/carafe/README.md",
    "src/ops/roiaware_pool3d/README.md",
    "src/ops/rotated_feature_align/README.md",
    "src/ops/points_in_boxes/README.md",
    "src/ops/voxelization/README.md",
    "src/ops/dynamic_point_to_voxel/README.md",
    "src/ops/rotated_boxes/README.md",
    "src/ops/nms/README.md",
    "src/ops/roi_align/README.md",
    "src/ops/sparse_pool/README.md",
};

/// The columns of floors. Slower levels have none.
constexpr std::string_view levels[] = {"amx", "avx512", "avx2"};

/// The longest prefix decides.
const Place& place_of(std::string_view op) {
  const Place* best = nullptr;
  for (const Place& place : places) {
    if (!op.starts_with(place.prefix)) continue;
    if (best == nullptr || place.prefix.size() > best->prefix.size()) best = &place;
  }
  if (best != nullptr) return *best;
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

[[noreturn]] void refuse(std::string_view line) {
  throw std::runtime_error(
      fmt::format("not a row of case, operator, {}, reason: {}", fmt::join(levels, ", "), line));
}

/// "0.45", or "not measured".
std::optional<double> floor_in(std::string_view cell, std::string_view line) {
  if (cell == "not measured") return std::nullopt;
  double floor = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), floor);
  if (error != std::errc() || end != cell.data() + cell.size() || floor <= 0) refuse(line);
  return floor;
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

std::vector<Row> rows_in(std::string_view section) {
  std::vector<Row> found;
  int line_number = 0;
  for (const std::string_view line : lines_of(section)) {
    if (!line.starts_with('|') || ++line_number <= 2)
      continue;  // the heading and the rule below it
    const std::vector<std::string_view> cells = split(line, '|');
    if (cells.size() != 2 + 3 + std::size(levels)) refuse(line);
    const Row above = found.empty() ? Row{} : found.back();
    const auto or_above = [](std::string_view cell, const std::string& other) {
      return cell.empty() ? other : std::string(cell);
    };
    Row row{.case_name = or_above(cells[1], above.case_name),
            .op = or_above(cells[2], above.op),
            .floors = {},
            .reason = or_above(cells[3 + std::size(levels)], above.reason)};
    if (row.case_name.empty() || row.op.empty() || row.reason.empty()) refuse(line);
    for (std::size_t i = 0; i < std::size(levels); ++i) {
      const std::string_view cell = cells[3 + i];
      if (cell != "met") row.floors.emplace(levels[i], floor_in(cell, line));
    }
    found.push_back(std::move(row));
  }
  return found;
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> collected;
    for (const std::string_view page : pages_with_excuses) {
      const auto more = rows_in(section(embedded(page), "Below the standard"));
      collected.insert(collected.end(), more.begin(), more.end());
    }
    return collected;
  }();
  return all;
}

std::optional<Excuse> excuse_for(std::string_view op, std::string_view case_name,
                                 std::string_view isa) {
  for (const Row& row : rows()) {
    if (row.op != op || row.case_name != case_name) continue;
    const auto found = row.floors.find(isa);
    if (found != row.floors.end()) return Excuse{row.reason, found->second};
    const bool met = std::ranges::find(levels, isa) != std::end(levels);
    return met ? std::nullopt : std::optional(Excuse{row.reason, std::nullopt});
  }
  return std::nullopt;
}

}  // namespace mluop::cli::report
