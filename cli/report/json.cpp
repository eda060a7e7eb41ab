// The report for programs: objects of operators, cases and timings.
#include "json.hpp"

#include "report/numbers.hpp"
#include "report/writers.hpp"

namespace mluop::cli::report {

namespace {

JsonObject measures_of(std::span<const testing::Measured> measures) {
  JsonObject object;
  for (const testing::Measured& one : measures) {
    JsonObject values;
    values.add_json("error", error_text(one.measure, one.error))
        .add_json("threshold", error_text(one.threshold));
    object.add_json(testing::name_of(one.measure), values.text());
  }
  return object;
}

JsonObject object_of(const Judgement& judgement) {
  JsonObject object;
  object.add("name", judgement.output)
      .add("pass", judgement.verdict.pass)
      .add_json("static", measures_of(judgement.static_measures()).text())
      .add_json("dynamic", measures_of(judgement.dynamic_measures()).text());
  return object;
}

const char* bits_text(const CaseResult& result) {
  if (!result.same_bits) return "null";
  return *result.same_bits ? "true" : "false";
}

JsonObject object_of(const CaseResult& result) {
  std::vector<JsonObject> outputs;
  for (const Judgement& judgement : result.judgements) outputs.push_back(object_of(judgement));
  JsonObject object;
  object.add("case", result.name)
      .add("shape", result.shape)
      .add("kind", result.network ? "network" : "edge")
      .add("dtype", result.dtype)
      .add_json("outputs", json_list(outputs))
      .add_json("worst_share", error_text(result.worst_share()))
      .add_json("same_bits", bits_text(result))
      .add("accepted", result.problem.empty())
      .add("problem", result.problem);
  return object;
}

JsonObject object_of(const TimedResult& timed) {
  const Measurement& row = timed.row;
  std::vector<JsonObject> scaling;
  for (const Scaling& one : timed.scaling) {
    JsonObject point;
    point.add("threads", one.threads).add_json("ms_best", milliseconds_text(one.ms_best));
    scaling.push_back(point);
  }
  JsonObject object;
  object.add("op", row.op)
      .add("case", row.case_name)
      .add("direction", direction_of(row.op))
      .add("dtype", row.dtype)
      .add("threads", row.threads)
      .add("impl", row.impl)
      .add_json("ms", milliseconds_text(row.ms))
      .add_json("ms_best", milliseconds_text(row.ms_best))
      .add_json("limit_ms", milliseconds_text(row.limit_ms()))
      .add_json("efficiency", efficiency_text(row.efficiency()))
      .add_json("io_efficiency", efficiency_text(row.io_efficiency()))
      .add_json("compute_efficiency", efficiency_text(row.compute_efficiency()))
      .add("bound", row.limit.bound())
      .add("bytes", row.bytes())
      .add("flops", row.cost.flops)
      .add("workspace_bytes", row.workspace_bytes)
      .add("max_rss_bytes", row.max_rss_bytes)
      .add_json("standard", efficiency_text(timed.standard()))
      .add("verdict", timed.verdict())
      .add("reason", timed.meets_standard() ? "" : timed.reason)
      .add("tries", timed.tries)
      .add_json("scaling", json_list(scaling));
  return object;
}

JsonObject object_of(const OperatorResult& result) {
  std::vector<JsonObject> cases, timings;
  for (const CaseResult& one : result.cases) cases.push_back(object_of(one));
  for (const TimedResult& one : result.timings) timings.push_back(object_of(one));
  JsonObject object;
  object.add("op", result.op)
      .add("accepted", result.accepted())
      .add("failed_cases", result.failed_cases())
      .add("same_bits", result.same_bits())
      .add("bad_calls", result.bad_calls.size())
      .add("bad_calls_refused", result.refused())
      .add("below_standard", result.below_standard())
      .add("unexplained", result.unexplained())
      .add_json("worst_share", error_text(result.worst_share()))
      .add_json("cases", json_list(cases))
      .add_json("timings", json_list(timings));
  return object;
}

JsonObject object_of(const Machine& machine, const MachineLimits& limits) {
  std::vector<JsonObject> peaks, rates;
  for (const Peak& peak : limits.peaks) {
    JsonObject row;
    row.add("threads", peak.threads)
        .add_json("float_gflops", giga_text(peak.float_flops))
        .add_json("double_gflops", giga_text(peak.double_flops));
    peaks.push_back(row);
  }
  for (const Rate& rate : limits.rates) {
    JsonObject row;
    row.add("threads", rate.threads)
        .add("footprint_bytes", rate.footprint)
        .add_json("read_gb_s", giga_text(rate.bandwidth.read))
        .add_json("copy_gb_s", giga_text(rate.bandwidth.copy))
        .add_json("fill_gb_s", giga_text(rate.bandwidth.fill));
    rates.push_back(row);
  }
  JsonObject object;
  object.add("cpu", machine.cpu)
      .add("cores", machine.cores)
      .add("isa", machine.isa)
      .add("threads", machine.threads)
      .add("card_limits", machine.card_limits)
      .add_json("peaks", json_list(peaks))
      .add_json("bandwidths", json_list(rates));
  return object;
}

}  // namespace

std::string json(const Report& report) {
  std::vector<JsonObject> operators;
  for (const OperatorResult& result : report.operators) operators.push_back(object_of(result));
  JsonObject object;
  object.add("date", report.date)
      .add("quick", report.quick)
      .add("accepted", report.accepted())
      .add("library", report.machine.library)
      .add("interface", report.machine.interface)
      .add("compiler", report.machine.compiler)
      .add_json("machine", object_of(report.machine, report.limits).text())
      .add_json("operators", json_list(operators));
  return object.text() + "\n";
}

}  // namespace mluop::cli::report
