// The verdict on each output, by the thresholds of the file or of the operator.
#include "casefile/run.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <span>
#include <stdexcept>

#include "testing/compare/criteria.hpp"
#include "testing/compare/rounding.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::casefile {
namespace {

using testing::FileCall;
using testing::FileTensor;
using Values = std::vector<std::vector<double>>;

bool has_empty_tensor(const testing::FileCase& file) {
  const auto empty = [](const FileTensor& one) { return !one.null() && one.tensor.count() == 0; };
  return std::ranges::any_of(file.inputs, empty) || std::ranges::any_of(file.outputs, empty);
}

std::string run(FileCall& call, const testing::Handle& handle) {
  const mluOpStatus_t status = call.run(handle);
  if (status != MLUOP_STATUS_SUCCESS) {
    return std::string{mluOpGetErrorString(status)} + ": " + mluOpCpuGetLastError();
  }
  for (const FileTensor& output : call.file().outputs) {
    if (!output.null() && !output.tensor.intact())
      return output.id + ": written outside its memory";
  }
  return "";
}

testing::Verdict untouched(const FileTensor& output) {
  if (output.tensor.poisoned()) return {};
  return {.pass = false, .measures = {}, .reason = "written though a tensor is empty"};
}

/// The criteria of the outputs: one vector for each, in the order of the operator.
Values baseline_of(const FileCall& call) {
  const testing::FileCase& file = call.file();
  if (!file.stored_baseline) return call.reference();
  Values baseline;
  for (std::size_t i = 0; i < file.outputs.size(); ++i) {
    baseline.push_back(call.ordered(i, file.outputs[i].stored));
  }
  return baseline;
}

testing::Verdict judged_by_suite(const FileTensor& output, std::span<const double> baseline,
                                 std::span<const double> plain, const std::string& op) {
  const mluOpDataType_t dtype = output.tensor.dtype();
  try {
    return testing::judge(baseline, plain, output.tensor.values(), dtype,
                          testing::find_suite(op)->criteria(dtype));
  } catch (const std::domain_error& unusable) {
    return {.pass = false, .measures = {}, .reason = unusable.what()};
  }
}

void judge(const FileCall& call, CaseVerdict& verdict) {
  const testing::FileCase& file = call.file();
  const Values baseline = baseline_of(call);
  const Values plain = verdict.own_criteria ? call.plain() : Values{};
  for (std::size_t i = 0; i < file.outputs.size(); ++i) {
    const FileTensor& output = file.outputs[i];
    if (!verdict.outputs[i].compared) continue;
    const mluOpDataType_t dtype = output.tensor.dtype();
    verdict.outputs[i].verdict =
        verdict.own_criteria ? judged_by_suite(output, baseline[i], plain[i], file.op)
                             : testing::evaluate(testing::rounded_to(dtype, baseline[i]),
                                                 output.tensor.values(), dtype, output.criteria);
  }
}

}  // namespace

bool CaseVerdict::pass() const {
  return problem.empty() && std::ranges::all_of(outputs, [](const OutputVerdict& one) {
           return !one.compared || one.verdict.pass;
         });
}

CaseVerdict run_case(FileCall& call, const testing::Handle& handle) try {
  const testing::FileCase& file = call.file();
  CaseVerdict verdict{.problem = run(call, handle), .own_criteria = file.without_criteria()};
  if (!verdict.problem.empty()) return verdict;
  for (const FileTensor& output : file.outputs) {
    verdict.outputs.push_back(
        {output.id, output.tensor.dtype(), output.compared && !output.null(), {}});
  }
  if (has_empty_tensor(file)) {
    for (std::size_t i = 0; i < file.outputs.size(); ++i) {
      if (!file.outputs[i].null()) verdict.outputs[i].verdict = untouched(file.outputs[i]);
    }
  } else {
    judge(call, verdict);
  }
  return verdict;
} catch (const std::bad_alloc&) {
  return {.problem = "there is not enough memory for this case"};
} catch (const std::exception& error) {
  return {.problem = error.what()};
}

}  // namespace mluop::casefile
