// The report as one page: its head, how to read it, and the order of its sections.
#include <fmt/format.h>

#include "report/chart/svg.hpp"
#include "report/embedded.hpp"
#include "report/html_parts.hpp"
#include "report/writers.hpp"

namespace mluop::cli::report {

namespace {

/// What was tested, where, and under which conditions; what is unknown is left out.
std::string facts(const Report& report) {
  const Machine& machine = report.machine;
  const Host& host = report.host;
  std::string out = "<dl class=\"facts\">\n";
  const auto fact = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) {
      out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, escaped(value));
    }
  };
  fact("version", fmt::format("{}, interface of {}", machine.library, machine.interface));
  fact("commit", host.commit);
  fact("compiler", machine.compiler);
  fact("CPU", fmt::format("{}, {} core{} available", machine.cpu, machine.cores,
                          machine.cores == 1 ? "" : "s"));
  fact("instruction set",
       machine.isa == machine.isa_detected
           ? machine.isa
           : fmt::format("{} in use, {} detected", machine.isa, machine.isa_detected));
  fact("threads", std::to_string(machine.threads));
  fact("memory", memory_text(host));
  fact("caches", caches_text(host));
  fact("system", fmt::format("{}{}{}", host.os, host.os.empty() ? "" : ", ", host.kernel));
  fact("load at the start", load_text(host));
  fact("limits of the card", machine.card_limits ? "in force" : "lifted");
  return out + "</dl>\n";
}

std::string contents(const Report& report) {
  std::string out =
      "<nav aria-label=\"Contents\"><h2>Contents</h2>\n<ul>\n<li><a "
      "href=\"#summary\">Summary</a></li>\n"
      "<li><a href=\"#roofline\">Roofline</a></li>\n<li><a href=\"#scaling\">Scaling over "
      "threads</a></li>\n";
  for (const OperatorResult& result : report.operators) {
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", result.op, breakable(result.op));
  }
  return out + "<li><a href=\"#machine\">Measured rates</a></li>\n</ul></nav>\n";
}

std::string reading() {
  return "<section id=\"reading\"><h2>How to read this</h2>\n<dl>\n"
         "<dt>Errors</dt><dd>Every output is compared with the formula computed in double (long "
         "double for double). An error is given in per cent of its bound: above 100 % a case "
         "fails. "
         "The <em>static</em> bound belongs to the class of the operator, the <em>dynamic</em> one "
         "is ten times the error of a plain loop in the same arithmetic. diff1 and diff2 are "
         "relative errors in the 1- and the 2-norm, diff3 and diff3_2 the largest relative and "
         "absolute error of an element, diff4 the share of deviations that lie below.</dd>\n"
         "<dt>Speed</dt><dd>The limit is the least time that this machine needs: for the bytes "
         "that "
         "the call must move at the best bandwidth (IO), or for the arithmetic at the FMA peak "
         "(compute). Efficiency is the limit over the best time. The standard is MLU-OPS&#39;: "
         "0.60 "
         "on network shapes, 0.30 on others. <span class=\"met\">met</span>: reached. <span "
         "class=\"explained\">below, explained</span>: the operator&#39;s page states why. <span "
         "class=\"slow\">slow</span>: not accepted. <span class=\"unjudged\">not judged</span>: "
         "the "
         "machine was too busy to tell.</dd>\n"
         "<dt>Bits</dt><dd>Results must be the same with 1, 2, 3 and 7 threads.</dd>\n"
         "<dt>Bad calls</dt><dd>Each spoils one thing of a valid call; it must be refused with its "
         "status and message, and write nothing.</dd>\n</dl></section>\n";
}

}  // namespace

std::string badge(std::string_view css_class, std::string_view words) {
  return fmt::format("<span class=\"badge {}\">{}</span>", css_class, words);
}

std::string badge(const OperatorResult& result) {
  return result.accepted() ? badge("met", "accepted") : badge("slow", "not accepted");
}

const char* speed_class(const TimedResult& timed) {
  return timed.meets_standard() ? "met" : timed.accepted() ? "explained" : "slow";
}

const char* speed_words(const TimedResult& timed) {
  return timed.meets_standard() ? "met" : timed.accepted() ? "below, explained" : "slow";
}

std::string number_cell(std::string_view text) {
  return fmt::format("<td class=\"number\">{}</td>", text);
}

std::string html(const Report& report) {
  const std::string verdict = report.accepted() ? "accepted" : "not accepted";
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>mluop acceptance: {}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n",
      verdict, embedded("cli/report/style.css"));
  out += fmt::format(
      "<header class=\"top\"><h1>Acceptance of mluops {}</h1>{}</header>\n<p class=\"lead\">{} "
      "&#183; {} "
      "UTC</p>\n",
      escaped(report.machine.library), badge(report.accepted() ? "met" : "slow", verdict),
      report.quick ? "Quick run: one dtype per operator, no large cases" : "Full run",
      escaped(report.date));
  out += facts(report) + "<div class=\"opening\">" + reading() + contents(report) + "</div>\n";
  out += summary_section(report) + roofline_section(report) + scaling_section(report);
  for (const OperatorResult& result : report.operators) out += operator_section(result);
  return out + machine_section(report) +
         "<footer>Written by <code>mluop accept</code>. The same numbers are in report.md and "
         "report.json.</footer>\n</main>\n</body>\n</html>\n";
}

}  // namespace mluop::cli::report
