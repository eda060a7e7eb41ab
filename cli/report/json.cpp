// The report for programs: objects of operators, cases and timings.
#include <nlohmann/json.hpp>

#include "output/json_file.hpp"
#include "report/numbers.hpp"
#include "report/writers.hpp"

namespace mluop::cli::report {

namespace {

/// The number that the other forms of the report print, not a more exact one; null for "null".
Json number(const std::string& text) { return Json::parse(text); }

Json object_of(const Judgement& judgement);
Json object_of(const CaseResult& result);
Json object_of(const Scaling& scaling);
Json object_of(const TimedResult& timed);
Json object_of(const OperatorResult& result);
Json object_of(const Peak& peak);
Json object_of(const Rate& rate);
Json object_of(const Cache& cache);

template <class List>
Json array_of(const List& list) {
  Json array = Json::array();
  for (const auto& one : list) array.push_back(object_of(one));
  return array;
}

Json measures_of(std::span<const testing::Measured> measures) {
  Json object = Json::object();
  for (const testing::Measured& one : measures) {
    object[testing::name_of(one.measure)] = {{"error", number(error_text(one.measure, one.error))},
                                             {"threshold", number(error_text(one.threshold))}};
  }
  return object;
}

Json object_of(const Judgement& judgement) {
  return {{"name", judgement.output},
          {"pass", judgement.verdict.pass},
          {"in_float", judgement.in_float},
          {"static", measures_of(judgement.static_measures())},
          {"dynamic", measures_of(judgement.dynamic_measures())}};
}

Json object_of(const CaseResult& result) {
  return {{"case", result.name},
          {"shape", result.shape},
          {"kind", result.network ? "network" : "edge"},
          {"dtype", result.dtype},
          {"outputs", array_of(result.judgements)},
          {"worst_share", number(error_text(result.worst_share()))},
          {"same_bits", result.same_bits ? Json(*result.same_bits) : Json()},
          {"accepted", result.problem.empty()},
          {"problem", result.problem}};
}

Json object_of(const Disturbance& disturbance) {
  return {{"busy", disturbance.busy()},
          {"cpu_share", number(efficiency_text(disturbance.cpu_share))},
          {"steal", number(efficiency_text(disturbance.steal))},
          {"switches_per_second", number(switches_text(disturbance.switches))},
          {"peak_ratio", number(efficiency_text(disturbance.peak_ratio))}};
}

Json object_of(const Scaling& scaling) {
  return {{"threads", scaling.threads}, {"ms_best", number(milliseconds_text(scaling.ms_best))}};
}

Json object_of(const TimedResult& timed) {
  const Measurement& row = timed.row;
  return {{"op", row.op},
          {"case", row.case_name},
          {"direction", direction_of(row.op)},
          {"dtype", row.dtype},
          {"threads", row.threads},
          {"impl", row.impl},
          {"ms", number(milliseconds_text(row.ms))},
          {"ms_best", number(milliseconds_text(row.ms_best))},
          {"limit_ms", number(milliseconds_text(row.limit_ms()))},
          {"efficiency", number(efficiency_text(row.efficiency()))},
          {"io_efficiency", number(efficiency_text(row.io_efficiency()))},
          {"compute_efficiency", number(efficiency_text(row.compute_efficiency()))},
          {"bound", row.limit.bound()},
          {"bytes", row.bytes()},
          {"flops", row.cost.flops},
          {"workspace_bytes", row.workspace_bytes},
          {"max_rss_bytes", row.max_rss_bytes},
          {"standard", number(efficiency_text(timed.standard()))},
          {"floor", timed.floor ? number(efficiency_text(*timed.floor)) : Json()},
          {"required", number(efficiency_text(timed.required()))},
          {"verdict", timed.verdict()},
          {"reason", timed.meets_standard() ? "" : timed.reason},
          {"tries", timed.tries},
          {"busy_tries", timed.busy_tries},
          {"disturbance", object_of(timed.disturbance)},
          {"scaling", array_of(timed.scaling)}};
}

Json object_of(const OperatorResult& result) {
  return {{"op", result.op},
          {"accepted", result.accepted()},
          {"verdict", result.verdict()},
          {"failed_cases", result.failed_cases()},
          {"same_bits", result.same_bits()},
          {"bad_calls", result.bad_calls.size()},
          {"bad_calls_refused", result.refused()},
          {"below_standard", result.below_standard()},
          {"slow", result.count(Speed::slow)},
          {"not_judged", result.count(Speed::not_judged)},
          {"no_floor", result.count(Speed::no_floor)},
          {"worst_share", number(error_text(result.worst_share()))},
          {"cases", array_of(result.cases)},
          {"timings", array_of(result.timings)}};
}

Json object_of(const Peak& peak) {
  return {{"threads", peak.threads},
          {"float_gflops", number(giga_text(peak.float_flops))},
          {"double_gflops", number(giga_text(peak.double_flops))}};
}

Json object_of(const Rate& rate) {
  return {{"threads", rate.threads},
          {"footprint_bytes", rate.footprint},
          {"read_gb_s", number(giga_text(rate.bandwidth.read))},
          {"copy_gb_s", number(giga_text(rate.bandwidth.copy))},
          {"fill_gb_s", number(giga_text(rate.bandwidth.fill))}};
}

Json object_of(const Cache& cache) {
  return {{"level", cache.level}, {"kind", cache.kind}, {"bytes", cache.bytes}};
}

Json object_of(const Host& host, const Machine& machine, const MachineLimits& limits) {
  return {{"os", host.os},
          {"kernel", host.kernel},
          {"memory_bytes", host.memory_bytes},
          {"caches", array_of(host.caches)},
          {"load", host.load},
          {"cpu", machine.cpu},
          {"cores", machine.cores},
          {"isa", machine.isa},
          {"threads", machine.threads},
          {"card_limits", machine.card_limits},
          {"peaks", array_of(limits.peaks)},
          {"bandwidths", array_of(limits.rates)}};
}

}  // namespace

std::string json(const Report& report) {
  Json whole{{"date", report.date},
             {"quick", report.quick},
             {"speed", name_of(report.speed)},
             {"accepted", report.accepted()},
             {"commit", report.host.commit},
             {"verdict", report.verdict()},
             {"disturbance", object_of(report.disturbance)},
             {"library", report.machine.library},
             {"interface", report.machine.interface},
             {"compiler", report.machine.compiler},
             {"machine", object_of(report.host, report.machine, report.limits)},
             {"operators", array_of(report.operators)}};
  for (const SweepRow& row : report.sweep) whole["sweep"].push_back(json_of(row));
  return json_text(whole);
}

}  // namespace mluop::cli::report
