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
  fact("load average", host.load.empty() ? "" : load_text(host) + " at the start");
  fact("limits of the card", machine.card_limits ? "in force" : "lifted");
  return out + "</dl>\n";
}

/// Whether the times can be trusted.
std::string quiet_or_busy(const Disturbance& disturbance) {
  if (disturbance.seconds == 0) return "";  // nothing was timed
  return fmt::format("<p class=\"note\">While cases were timed the machine was {}: {}.</p>\n",
                     disturbance.busy() ? "<strong class=\"explained\">busy</strong>" : "quiet",
                     escaped(disturbance.text()));
}

std::string contents(const Report& report, bool has_scaling) {
  std::string out = "<nav aria-label=\"Contents\"><h2>Contents</h2>\n<ul>\n";
  const auto entry = [&](std::string_view id, std::string_view words, const char* css_class = "") {
    out += fmt::format("<li{}><a href=\"#{}\">{}</a></li>\n", css_class, id, words);
  };
  entry("summary", "Summary");
  entry("roofline", "Roofline");
  if (has_scaling) entry("scaling", "Scaling over threads");
  if (!report.sweep.empty()) entry("sweep", "Random problems");
  for (const OperatorResult& result : report.operators) {
    entry(result.op, breakable(result.op), " class=\"operator\"");
  }
  entry("machine", "Measured rates");
  return out + "</ul></nav>\n";
}

/// The verdicts on speed in their colours, and what they mean.
std::string verdicts_key() {
  const std::pair<Speed, const char*> verdicts[] = {
      {Speed::met, "the standard is reached"},
      {Speed::explained,
       "the operator&#39;s page states why, and the case is as fast as measured there (floor)"},
      {Speed::slow, "not accepted: no reason, or below four fifths of the floor"},
      {Speed::not_judged, "would be slow, but the machine was busy"},
      {Speed::no_floor, "there is a reason, but no measurement for this instruction set"}};
  std::string out = "<ul class=\"verdicts\">\n";
  for (const auto& [speed, meaning] : verdicts) {
    out += fmt::format("<li>{} {}</li>\n", badge(speed_class(speed), speed_words(speed)), meaning);
  }
  return out + "</ul>\n";
}

std::string reading() {
  return "<section id=\"reading\"><h2>How to read this</h2>\n<dl>\n"
         "<dt>Errors</dt><dd>Every output is compared with the formula computed in double (long "
         "double for double). An error is given in per cent of its bound; above 100 % the case "
         "fails. The <em>static</em> bound belongs to the class of the operator, the "
         "<em>dynamic</em> one is ten times the error of a plain loop in the same arithmetic. "
         "diff1 and diff2 are relative errors in the 1- and the 2-norm, diff3 and diff3_2 the "
         "largest "
         "relative and absolute error of an element, diff4 the share of deviations that lie "
         "below. Of very large outputs some parts are compared in double, and <em>all "
         "elements</em> "
         "with a plain loop in float.</dd>\n"
         "<dt>Speed</dt><dd>The limit is the least time that this machine needs: to move the bytes "
         "of the call at the best bandwidth (IO), or for its arithmetic at the FMA peak (compute). "
         "Efficiency is the limit over the best time. The standard is MLU-OPS&#39;: 0.60 on "
         "network "
         "shapes, 0.30 on others; it is the line in the bars. The dotted line is what a stated "
         "reason "
         "still requires.\n" +
         verdicts_key() +
         "</dd>\n<dt>Bits</dt><dd>Results must be the same with 1, 2, 3 and 7 threads.</dd>\n"
         "<dt>Bad calls</dt><dd>Each spoils one thing of a valid call; it must be refused with its "
         "status and message, and write nothing.</dd>\n</dl></section>\n";
}

}  // namespace

std::string badge(std::string_view css_class, std::string_view words) {
  return fmt::format("<span class=\"badge {}\">{}</span>", css_class, words);
}

std::string badge(const OperatorResult& result) {
  if (!result.accepted()) return badge("slow", "not accepted");
  return result.count(Speed::not_judged) > 0 ? badge("unjudged", "speed not judged")
                                             : badge("met", "accepted");
}

const char* speed_class(Speed speed) {
  constexpr const char* classes[] = {"met", "explained", "slow", "unjudged", "unjudged"};
  return classes[static_cast<int>(speed)];
}

const char* speed_words(Speed speed) {
  return speed == Speed::explained ? "below, explained" : name_of(speed);
}

std::string number_cell(std::string_view text) {
  return fmt::format("<td class=\"number\">{}</td>", text);
}

std::string html(const Report& report) {
  const std::string verdict = report.verdict(), scaling = scaling_section(report);
  const char* const css_class = !report.accepted()      ? "slow"
                                : verdict == "accepted" ? "met"
                                                        : "unjudged";
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>mluop acceptance: {}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n",
      escaped(verdict), embedded("cli/report/style.css"));
  out += fmt::format(
      "<header class=\"top\"><h1>Acceptance of mluops {}</h1>{}</header>\n"
      "<p class=\"lead\">{} &#183; {} UTC</p>\n",
      escaped(report.machine.library), badge(css_class, escaped(verdict)),
      report.quick ? "Quick run: one dtype per operator, no large cases" : "Full run",
      escaped(report.date));
  out += result_section(report) + facts(report) + quiet_or_busy(report.disturbance) +
         "<div class=\"opening\">" + reading() + contents(report, !scaling.empty()) + "</div>\n";
  out += summary_section(report) + roofline_section(report) + scaling + sweep_section(report);
  for (const OperatorResult& result : report.operators) out += operator_section(result);
  return out + machine_section(report) +
         "<footer>Written by <code>mluop accept</code>. The same numbers are in report.md and "
         "report.json.</footer>\n</main>\n</body>\n</html>\n";
}

}  // namespace mluop::cli::report
