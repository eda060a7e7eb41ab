// The report for a pull request, in the sections of MLU-OPS' test report.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "report/numbers.hpp"
#include "report/writers.hpp"

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

std::string features(const Report& report) {
  std::string out =
      "## 1. Features tested\n\n### 1.1 Accuracy standard\n\n"
      "Every output against the formula in double: diff1 to diff4 of the accuracy standard with "
      "the static "
      "thresholds of the operator's class and the dynamic ones (ten times the error of a plain "
      "loop).\n\n"
      "### 1.2 Checklist\n\n"
      "| operator | dtypes | network cases | edge cases | NaN and infinity | same bits with 1, 2, "
      "3, 7 "
      "threads | verdict |\n|---|---|---|---|---|---|---|\n";
  for (const OperatorResult& result : report.operators) {
    std::set<std::string> dtypes;
    for (const CaseResult& one : result.cases) dtypes.insert(one.dtype);
    const auto special = [](const CaseResult& one) {
      return one.name.find("nan") != std::string::npos ||
             one.name.find("infinity") != std::string::npos;
    };
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", result.op, fmt::join(dtypes, ", "),
                       counted(result, [](const CaseResult& one) { return one.network; }),
                       counted(result, [](const CaseResult& one) { return !one.network; }),
                       counted(result, special), result.same_bits() ? "yes" : "no",
                       result.accepted() ? "accepted" : "NOT ACCEPTED");
  }
  return out;
}

std::string parameter_checks(const Report& report) {
  std::string out =
      "\n### 1.3 Parameter checks\n\n| operator | bad calls | refused as specified "
      "|\n|---|---|---|\n";
  for (const OperatorResult& result : report.operators) {
    out += fmt::format("| {} | {} | {} |\n", result.op, result.bad_calls.size(), result.refused());
  }
  return out +
         "\nEach bad call spoils one thing of a valid call; status and sentence must be those of "
         "the "
         "specification, and no output may be written.\n";
}

std::string function_tests(const Report& report) {
  std::string out =
      "\n## 2. Function\n\nNetwork cases; every case is in report.json.\n\n"
      "| operator | case | dtype | output | measure | error | static | dynamic "
      "|\n|---|---|---|---|---|---|---|---|\n";
  for (const OperatorResult& result : report.operators) {
    for (const CaseResult& one : result.cases) {
      if (!one.network) continue;
      for (const Judgement& judgement : one.judgements) {
        for (const testing::Measured& fixed : judgement.static_measures()) {
          const auto dynamics = judgement.dynamic_measures();
          const auto dynamic = std::ranges::find_if(dynamics, [&](const testing::Measured& other) {
            return other.measure == fixed.measure;
          });
          out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", result.op, one.name,
                             one.dtype, judgement.output, testing::name_of(fixed.measure),
                             error_text(fixed.error), error_text(fixed.threshold),
                             dynamic == dynamics.end() ? "" : error_text(dynamic->threshold));
        }
      }
    }
  }
  return out;
}

std::string performance(const Report& report) {
  std::string out = fmt::format(
      "\n## 3. Performance\n\n{}, {} threads, {}. Standard: 0.60 on network shapes, 0.30 on "
      "others, of the limit "
      "that this machine showed in the same run.\n\n"
      "| operator | case | dtype | shape | median ms | best ms | limit ms | IO efficiency | "
      "compute efficiency | bound | "
      "workspace bytes | standard |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
      report.machine.cpu, report.machine.threads, report.machine.isa);
  for (const OperatorResult& result : report.operators) {
    for (const TimedResult& timed : result.timings) {
      const Measurement& row = timed.row;
      out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", row.op,
                         row.case_name, row.dtype, cell(timed.shape), milliseconds_text(row.ms),
                         milliseconds_text(row.ms_best), milliseconds_text(row.limit_ms()),
                         efficiency_text(row.io_efficiency()),
                         efficiency_text(row.compute_efficiency()), row.limit.bound(),
                         row.workspace_bytes, timed.verdict());
    }
  }
  out += "\nBelow the standard, and why (from the operators' pages):\n\n";
  for (const OperatorResult& result : report.operators) {
    for (const TimedResult& timed : result.timings) {
      if (timed.meets_standard()) continue;
      out += fmt::format("- {} {} {}, {}: {}\n", result.op, timed.row.case_name, timed.row.dtype,
                         efficiency_text(timed.row.efficiency()),
                         timed.reason.empty() ? "NO REASON STATED" : timed.reason);
    }
  }
  return out;
}

std::string scaling(const Report& report) {
  std::string out =
      "\nScaling over threads:\n\n| operator | case | threads | best ms | gain "
      "|\n|---|---|---|---|---|\n";
  for (const OperatorResult& result : report.operators) {
    for (const TimedResult& timed : result.timings) {
      for (const Scaling& one : timed.scaling) {
        out += fmt::format("| {} | {} | {} | {} | {} |\n", result.op, timed.row.case_name,
                           one.threads, milliseconds_text(one.ms_best),
                           efficiency_text(timed.scaling.front().ms_best / one.ms_best));
      }
    }
  }
  return out;
}

std::string summary(const Report& report) {
  std::string out =
      fmt::format("\n## 4. Summary\n\n{} of {} operators accepted, {} cases judged.\n",
                  report.accepted_operators(), report.operators.size(), report.case_count());
  for (const OperatorResult& result : report.operators) {
    for (const std::string& problem : result.problems()) out += fmt::format("- {}\n", problem);
  }
  return out;
}

}  // namespace

std::string markdown(const Report& report) {
  return fmt::format("# Test report: mluops {} ({}), {} UTC{}\n\n", report.machine.library,
                     report.machine.interface, report.date, report.quick ? ", quick run" : "") +
         features(report) + parameter_checks(report) + function_tests(report) +
         performance(report) + scaling(report) + summary(report);
}

}  // namespace mluop::cli::report
