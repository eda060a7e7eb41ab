// The report as one page.
#include <fmt/format.h>

#include "report/embedded.hpp"
#include "report/html_parts.hpp"
#include "report/numbers.hpp"
#include "report/svg.hpp"
#include "report/writers.hpp"

namespace mluop::cli::report {

namespace {

std::string badge(bool good, std::string_view yes, std::string_view no) {
  return fmt::format("<span class=\"badge {}\">{}</span>", good ? "good" : "bad", good ? yes : no);
}

std::string tile(std::string_view name, std::string_view value, std::string_view rest) {
  return fmt::format("<div><dt>{}</dt><dd>{} <small>{}</small></dd></div>\n", name, value, rest);
}

std::string tiles(const Report& report) {
  std::size_t bad_calls = 0, refused = 0, timed = 0, met = 0, outputs = 0, same = 0;
  for (const OperatorResult& result : report.operators) {
    bad_calls += result.bad_calls.size();
    refused += result.refused();
    timed += result.timings.size();
    met += result.timings.size() - result.below_standard();
    for (const CaseResult& one : result.cases) {
      outputs += one.problem.empty() ? 1 : 0;
      same += one.same_bits.value_or(false) ? 1 : 0;
    }
  }
  const auto of = [](std::size_t count) { return "of " + grouped(count); };
  return "<dl class=\"tiles\">\n" +
         tile("operators accepted", grouped(report.accepted_operators()),
              of(report.operators.size())) +
         tile("cases accurate", grouped(outputs), of(report.case_count())) +
         tile("same bits", grouped(same), of(report.case_count())) +
         tile("bad calls refused", grouped(refused), of(bad_calls)) +
         tile("speed standard met", grouped(met), of(timed)) + "</dl>\n";
}

std::string summary_table(const Report& report) {
  std::string out =
      "<div class=\"scroll\"><table class=\"summary\">\n<tr><th>operator</th><th>verdict</th><th "
      "class=\"number\">cases</th>"
      "<th class=\"number\">worst error</th><th>bits</th><th class=\"number\">bad calls</th>"
      "<th class=\"number\">timed</th><th class=\"number\">below "
      "standard</th></tr>\n";
  for (const OperatorResult& result : report.operators) {
    out += fmt::format(
        "<tr><td class=\"name\"><a href=\"#{}\">{}</a></td><td>{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td>{}</td><td class=\"number\">{} / {}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
        result.op, breakable(result.op), badge(result.accepted(), "accepted", "not accepted"),
        result.cases.size(), error_text(result.worst_share()),
        result.same_bits() ? "equal" : "differ", result.refused(), result.bad_calls.size(),
        result.timings.size(), result.below_standard());
  }
  return out +
         "</table></div>\n"
         "<p class=\"note\">worst error: the largest, as a share of what is accepted. bits: with "
         "1, 2, 3 "
         "and 7 threads. below standard: efficiency under 0.60 on network shapes or 0.30 on "
         "others, "
         "each for a reason that the operator's section quotes.</p>\n";
}

std::string problems(const Report& report) {
  std::string out;
  for (const OperatorResult& result : report.operators) {
    for (const std::string& problem : result.problems()) {
      out += fmt::format("<li class=\"bad\">{}</li>\n", escaped(problem));
    }
  }
  return out.empty() ? "" : "<h3>What failed</h3>\n<ul class=\"failures\">\n" + out + "</ul>\n";
}

std::string definitions() {
  return "<section id=\"terms\"><header><h2>How to read this</h2></header>\n"
         "<p>Every output is compared with the formula computed in double (long double for "
         "double). "
         "diff1 and diff2 are the relative errors in the 1- and the 2-norm, diff3 and diff3_2 the "
         "largest "
         "relative and absolute error of an element, diff4 the share of deviations that lie below. "
         "The "
         "<em>static</em> threshold belongs to the class of the operator, the <em>dynamic</em> one "
         "is ten "
         "times the error of a plain loop in the same arithmetic.</p>\n"
         "<p>IO efficiency is what the call must read and write at the best bandwidth of this "
         "machine, "
         "compute efficiency what it must calculate at its FMA peak, both over the best time of "
         "the call; the "
         "larger of the two says what binds, and is the efficiency. The standard is MLU-OPS&#39;: "
         "0.60 on "
         "shapes of networks, 0.30 on others, or a stated reason.</p></section>\n";
}

}  // namespace

std::string html(const Report& report) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>mluop acceptance: {}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n",
      report.accepted() ? "accepted" : "not accepted", embedded("cli/report/style.css"));
  out += fmt::format(
      "<h1>Acceptance of mluops {}</h1>\n<p class=\"lead\">{}{}, {} thread{}, {} &#183; {} "
      "UTC</p>\n",
      escaped(report.machine.library), report.quick ? "Quick run on " : "",
      escaped(report.machine.cpu), report.machine.threads, report.machine.threads == 1 ? "" : "s",
      escaped(report.machine.isa), escaped(report.date));
  out += fmt::format("<section id=\"summary\"><header><h2>Summary</h2>{}</header>\n",
                     badge(report.accepted(), "accepted", "not accepted"));
  out += tiles(report) + summary_table(report) + problems(report) + "</section>\n";
  out += roofline_section(report);
  for (const OperatorResult& result : report.operators) {
    out += operator_section(result, badge(result.accepted(), "accepted", "not accepted"));
  }
  out += scaling_section(report) + machine_section(report) + definitions();
  return out +
         "<footer>Written by <code>mluop accept</code>. The same numbers are in report.md and "
         "report.json.</footer>\n</main>\n</body>\n</html>\n";
}

}  // namespace mluop::cli::report
