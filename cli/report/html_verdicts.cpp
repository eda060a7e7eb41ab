// The verdicts on the outputs of an operator's cases: the worst ones, and all of them.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "report/chart/svg.hpp"
#include "report/closest.hpp"
#include "report/html_parts.hpp"
#include "report/numbers.hpp"

namespace mluop::cli::report {

namespace {

using testing::Measure;
using testing::Measured;

const Measured* find(std::span<const Measured> measures, Measure wanted) {
  const auto found =
      std::ranges::find_if(measures, [&](const Measured& one) { return one.measure == wanted; });
  return found == measures.end() ? nullptr : &*found;
}

constexpr Measure sized_measures[] = {Measure::diff1, Measure::diff2, Measure::diff3,
                                      Measure::diff3_2};

/// The measures that any of the cases has, so that no column is empty.
std::vector<Measure> measures_in(const std::vector<const CaseResult*>& cases) {
  std::vector<Measure> used;
  for (const Measure measure : sized_measures) {
    const bool any = std::ranges::any_of(cases, [&](const CaseResult* one) {
      return std::ranges::any_of(one->judgements, [&](const Judgement& judgement) {
        return find(judgement.verdict.measures, measure) != nullptr;
      });
    });
    if (any) used.push_back(measure);
  }
  return used;
}

std::string measure_cells(const Judgement& judgement, const std::vector<Measure>& measures) {
  std::string out;
  for (const Measure measure : measures) {
    const Measured* fixed = find(judgement.static_measures(), measure);
    const Measured* dynamic = find(judgement.dynamic_measures(), measure);
    const Measured* any = fixed != nullptr ? fixed : dynamic;
    out += number_cell(any != nullptr ? error_text(any->error) : "");
    out += number_cell(fixed != nullptr ? error_text(fixed->threshold) : "");
    out += number_cell(dynamic != nullptr ? error_text(dynamic->threshold) : "");
  }
  const Measured* sides = find(judgement.verdict.measures, Measure::diff4);
  return out + number_cell(sides != nullptr && sides->error >= 0
                               ? error_text(sides->measure, sides->error)
                               : "");
}

std::string bits_text(const CaseResult& result) {
  if (!result.same_bits) return "not compared";
  return *result.same_bits ? "equal" : "differ";
}

std::string verdict_head(const std::vector<Measure>& measures) {
  std::string out = "<tr><th>case</th><th>dtype</th><th>output</th>";
  for (const Measure measure : measures) {
    out += fmt::format(
        "<th class=\"number\">{}</th><th class=\"number\">static</th>"
        "<th class=\"number\">dynamic</th>",
        testing::name_of(measure));
  }
  return out +
         "<th class=\"number\">diff4</th><th class=\"number\">of bound</th><th>bits</th>"
         "<th>verdict</th></tr>\n";
}

/// A row for each output of a case; the first one has what concerns the case.
std::string verdict_rows(const CaseResult& one, const std::vector<Measure>& measures) {
  const Judgement none{};
  std::string out;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, one.judgements.size()); ++i) {
    const Judgement& judgement = one.judgements.empty() ? none : one.judgements[i];
    const bool first = i == 0, accepted = one.problem.empty();
    out += fmt::format("<tr><td class=\"name\" title=\"{}\">{}</td><td>{}</td><td>{}</td>",
                       escaped(one.shape), first ? escaped(one.name) : "", first ? one.dtype : "",
                       escaped(judgement.output));
    out += measure_cells(judgement, measures);
    out +=
        first ? fmt::format("{}<td>{}</td><td class=\"{}\">{}</td></tr>\n",
                            number_cell(percent_text(one.worst_share())), bits_text(one),
                            accepted ? "met" : "slow", accepted ? "accurate" : escaped(one.problem))
              : "<td></td><td></td><td></td></tr>\n";
  }
  return out;
}

std::string folded_table(const std::vector<const CaseResult*>& cases, std::string_view kind) {
  if (cases.empty()) return "";
  const std::vector<Measure> measures = measures_in(cases);
  std::string out = fmt::format(
      "<details><summary>Verdicts on {} {} case{}</summary>\n<div class=\"scroll\"><table>\n{}",
      grouped(cases.size()), kind, cases.size() == 1 ? "" : "s", verdict_head(measures));
  for (const CaseResult* one : cases) out += verdict_rows(*one, measures);
  return out + "</table></div></details>\n";
}

}  // namespace

std::string worst_cases(const OperatorResult& result) {
  constexpr std::size_t most = 3;
  auto closest = closest_to_bounds(result);
  if (closest.empty()) return "";
  closest.resize(std::min(most, closest.size()));
  std::string out =
      "<div class=\"worst\"><h3>Closest to the bound</h3>\n<div class=\"scroll\"><table>\n"
      "<tr><th>case</th><th>dtype</th><th>output</th><th>measure</th><th "
      "class=\"number\">error</th>"
      "<th class=\"number\">bound</th><th class=\"number\">of bound</th></tr>\n";
  for (const Closest& one : closest) {
    out += fmt::format(
        "<tr><td class=\"name\" title=\"{}\">{}</td><td>{}</td><td>{}</td><td>{}, "
        "{}</td>{}{}{}</tr>\n",
        escaped(one.of->shape), escaped(one.of->name), one.of->dtype,
        escaped(one.judgement->output), testing::name_of(one.measured->measure),
        one.is_static ? "static" : "dynamic", number_cell(error_text(one.measured->error)),
        number_cell(error_text(one.measured->threshold)), number_cell(percent_text(one.share())));
  }
  return out + "</table></div></div>\n";
}

std::string verdicts(const OperatorResult& result) {
  std::vector<const CaseResult*> network, edge;
  for (const CaseResult& one : result.cases) (one.network ? network : edge).push_back(&one);
  return folded_table(network, "network") + folded_table(edge, "edge");
}

}  // namespace mluop::cli::report
