// The report for a pull request: a summary, then the sections of MLU-OPS' test report. Comments of GitHub end
// at 65536 characters, so it has the worst case of each operator where report.json has them all.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "report/closest.hpp"
#include "report/numbers.hpp"
#include "report/writers.hpp"
#include "sweep/distribution.hpp"

namespace mluop::cli::report {

namespace {

std::string counted(const OperatorResult& result, const auto& wanted) {
  std::size_t all = 0, good = 0;
  for (const CaseResult& one : result.cases) {
    if (!wanted(one)) continue;
    ++all;
    good += one.problem.empty() ? 1 : 0;
  }
  return fmt::format("{} of {}", good, all);
}

/// Text for a cell: a bar would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

/// The heading of a table and the rule below it.
std::string head(const std::vector<std::string>& names) {
  std::string out = "|", rule = "|";
  for (const std::string& name : names) {
    out += fmt::format(" {} |", name);
    rule += "---|";
  }
  return fmt::format("\n{}\n{}\n", out, rule);
}

/// What was tested and where; unknown facts are left out.
std::string facts(const Report& report) {
  const Machine& machine = report.machine;
  const Host& host = report.host;
  std::string out = fmt::format(
      "- Library: mluops {}{}, {}\n- Machine: {}, {} cores, {}, {} thread{}", machine.library,
      host.commit.empty() ? "" : ", commit " + host.commit, machine.compiler, machine.cpu,
      machine.cores, machine.isa, machine.threads, machine.threads == 1 ? "" : "s");
  for (const std::string& text : {memory_text(host), caches_text(host), host.os, host.kernel}) {
    if (!text.empty()) out += ", " + text;
  }
  out += "\n";
  if (!host.load.empty()) out += fmt::format("- Load average at the start: {}\n", load_text(host));
  const Disturbance& disturbance = report.disturbance;
  if (disturbance.seconds == 0) return out;  // nothing was timed
  return out + fmt::format("- While cases were timed the machine was {}: {}.\n",
                           disturbance.busy() ? "**busy**" : "quiet", disturbance.text());
}

std::string speeds(const OperatorResult& result) {
  std::vector<std::string> counts;
  for (const Speed speed :
       {Speed::slow, Speed::not_judged, Speed::no_floor, Speed::met, Speed::explained}) {
    if (result.count(speed) > 0) {
      counts.push_back(fmt::format("{} {}", result.count(speed), name_of(speed)));
    }
  }
  return fmt::format("{}", fmt::join(counts, ", "));
}

/// A list with a heading; of a very long one the beginning, "" of an empty one.
std::string listed(std::string_view heading, const std::vector<std::string>& lines) {
  constexpr std::size_t most = 40;
  if (lines.empty()) return "";
  std::string out = fmt::format("\n{}:\n\n", heading);
  for (std::size_t i = 0; i < std::min(most, lines.size()); ++i) {
    out += fmt::format("- {}\n", lines[i]);
  }
  if (lines.size() > most) {
    out += fmt::format("- and {} more, see report.json\n", lines.size() - most);
  }
  return out;
}

std::string failures(const Report& report) {
  std::vector<std::string> problems, doubts;
  for (const OperatorResult& result : report.operators) {
    std::ranges::copy(result.problems(), std::back_inserter(problems));
    std::ranges::copy(result.doubts(), std::back_inserter(doubts));
  }
  return listed("Failed", problems) + listed("Not judged, because the machine was busy", doubts);
}

std::string summary(const Report& report) {
  std::string out =
      fmt::format("## Summary\n\n**{}**: {} of {} operators accepted, {} cases judged.\n\n{}{}",
                  report.verdict(), report.accepted_operators(), report.operators.size(),
                  report.case_count(), facts(report), failures(report));
  out += head({"operator", "cases", "worst error, of the bound", "speed", "verdict"});
  for (const OperatorResult& result : report.operators) {
    out += fmt::format("| {} | {} | {} | {} | {} |\n", result.op, result.cases.size(),
                       percent_text(result.worst_share()), speeds(result), result.verdict());
  }
  return out;
}

std::string features(const Report& report) {
  std::string out =
      "\n## 1. Features tested\n\n### 1.1 Accuracy standard\n\n"
      "Every output against the formula in double: diff1 to diff4 of the accuracy standard with "
      "the static thresholds of the operator's class and the dynamic ones (ten times the error of "
      "a plain loop).\n\n### 1.2 Checklist\n" +
      head({"operator", "dtypes", "network cases", "edge cases", "NaN and infinity",
            "same bits with 1, 2, 3, 7 threads"});
  for (const OperatorResult& result : report.operators) {
    std::set<std::string> dtypes;
    for (const CaseResult& one : result.cases) dtypes.insert(one.dtype);
    const auto special = [](const CaseResult& one) {
      return one.name.find("nan") != std::string::npos ||
             one.name.find("infinity") != std::string::npos;
    };
    out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", result.op, fmt::join(dtypes, ", "),
                       counted(result, [](const CaseResult& one) { return one.network; }),
                       counted(result, [](const CaseResult& one) { return !one.network; }),
                       counted(result, special), result.same_bits() ? "yes" : "no");
  }
  return out;
}

std::string parameter_checks(const Report& report) {
  std::string out =
      "\n### 1.3 Parameter checks\n\nEach bad call spoils one thing of a valid call; status and "
      "sentence must be those of the specification, and no output may be written.\n" +
      head({"operator", "bad calls", "refused as specified"});
  for (const OperatorResult& result : report.operators) {
    out += fmt::format("| {} | {} | {} |\n", result.op, result.bad_calls.size(), result.refused());
  }
  return out;
}

std::string function_tests(const Report& report) {
  std::string out =
      "\n## 2. Function\n\nFor each operator the case that comes closest to its bound; an operator "
      "that is missing has exact results. Every case is in report.json.\n" +
      head({"operator", "case", "dtype", "output", "measure", "error", "bound", "of the bound"});
  for (const OperatorResult& result : report.operators) {
    const std::vector<Closest> closest = closest_to_bounds(result);
    if (closest.empty()) continue;
    const Closest& one = closest.front();
    out += fmt::format("| {} | {} | {} | {} | {}, {} | {} | {} | {} |\n", result.op, one.of->name,
                       one.of->dtype, cell(one.judgement->output),
                       testing::name_of(one.measured->measure),
                       one.is_static ? "static" : "dynamic", error_text(one.measured->error),
                       error_text(one.measured->threshold), percent_text(one.share()));
  }
  return out;
}

/// The thread counts of the cases that were timed with several.
std::vector<int> scaled_threads(const Report& report) {
  for (const OperatorResult& result : report.operators) {
    for (const TimedResult& timed : result.timings) {
      if (timed.scaling.size() < 2) continue;
      std::vector<int> threads;
      for (const Scaling& one : timed.scaling) threads.push_back(one.threads);
      return threads;
    }
  }
  return {};
}

/// Cells of the times with each number of threads, and of the gain of the last over the first.
std::string scaling_cells(const TimedResult& timed, std::size_t threads) {
  std::string out;
  if (threads == 0) return out;
  for (std::size_t i = 0; i < threads; ++i) {
    out += i < timed.scaling.size()
               ? fmt::format(" {} |", milliseconds_text(timed.scaling[i].ms_best))
               : " |";
  }
  if (timed.scaling.size() < 2) return out + " |";
  return out + fmt::format(" {} |", efficiency_text(timed.scaling.front().ms_best /
                                                    timed.scaling.back().ms_best));
}

/// The operator is named in its first row only.
std::string performance(const Report& report) {
  const std::vector<int> threads = scaled_threads(report);
  std::vector<std::string> names{"operator", "case",      "dtype",           "shape",
                                 "design",   "median ms", "best ms",         "limit ms",
                                 "IO",       "compute",   "workspace bytes", "verdict"};
  for (const int count : threads) names.push_back(fmt::format("ms with {}", count));
  if (!threads.empty()) names.push_back("gain");
  std::string out = fmt::format(
      "\n## 3. Performance\n\n{} thread{}. Standard: 0.60 on network shapes, 0.30 on others, of "
      "the limit that this machine showed in the same run.{}\n{}",
      report.machine.threads, report.machine.threads == 1 ? "" : "s",
      threads.empty() ? "" : " The last columns: scaling over threads.", head(names));
  for (const OperatorResult& result : report.operators) {
    std::string op = " " + result.op;
    for (const TimedResult& timed : result.timings) {
      const Measurement& row = timed.row;
      out += fmt::format("|{} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |{}\n",
                         std::exchange(op, ""), row.case_name, row.dtype, cell(timed.shape),
                         row.impl, milliseconds_text(row.ms), milliseconds_text(row.ms_best),
                         milliseconds_text(row.limit_ms()), efficiency_text(row.io_efficiency()),
                         efficiency_text(row.compute_efficiency()), row.workspace_bytes,
                         timed.verdict(), scaling_cells(timed, threads.size()));
    }
  }
  return out;
}

/// Each stated reason once, with the cases and efficiencies it is about.
std::string reasons(const Report& report) {
  std::vector<std::pair<std::string, std::string>> lines;  // reason, cases
  for (const OperatorResult& result : report.operators) {
    for (const TimedResult& timed : result.timings) {
      if (timed.meets_standard()) continue;
      const std::string reason = timed.reason.empty() ? "NO REASON STATED" : timed.reason;
      const std::string name =
          fmt::format("{} {}", timed.row.case_name, efficiency_text(timed.row.efficiency()));
      const auto known = std::ranges::find(lines, reason, &decltype(lines)::value_type::first);
      if (known == lines.end()) {
        lines.emplace_back(reason, fmt::format("{} {}", result.op, name));
      } else if (known->second.find(result.op) == std::string::npos) {
        known->second += fmt::format("; {} {}", result.op, name);
      } else {
        known->second += ", " + name;
      }
    }
  }
  std::string out =
      lines.empty() ? "" : "\nBelow the standard, and why (from the operators' pages):\n\n";
  for (const auto& [reason, cases] : lines) out += fmt::format("- {}: {}\n", cases, reason);
  return out;
}

/// How efficient random problems are, if there are any.
std::string random_problems(const Report& report) {
  if (report.sweep.empty()) return "";
  std::string out =
      "\n## 4. Random problems\n\nEfficiency by kind, of problems of at least 20 µs; slower: than "
      "a plain "
      "loop.\n" +
      head({"operator", "bound", "problems", "p10", "p25", "p50", "p75", "slower", "gain, p50"});
  for (const auto& rows : by_operator(report.sweep)) {
    for (const Distribution& one : verdict_of(rows).kinds) {
      out += fmt::format("| {} | {} | {} |", rows.front().op, kind_of(one.memory_bound), one.count);
      for (const double q : {0.1, 0.25, 0.5, 0.75}) {
        out += fmt::format(" {} |", efficiency_text(quantile(one.efficiency, q)));
      }
      out += fmt::format(" {} | {} |\n", one.slower, efficiency_text(quantile(one.gain, 0.5)));
    }
  }
  return out;
}

}  // namespace

std::string markdown(const Report& report) {
  return fmt::format("# Test report: mluops {} ({}), {} UTC{}\n\n", report.machine.library,
                     report.machine.interface, report.date, report.quick ? ", quick run" : "") +
         summary(report) + features(report) + parameter_checks(report) + function_tests(report) +
         performance(report) + reasons(report) + random_problems(report);
}

}  // namespace mluop::cli::report
