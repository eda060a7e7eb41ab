#include "measure/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "runtime/cores.hpp"
#include "testing/compare/bits.hpp"
#include "testing/compare/block_comparison.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/suite/run_everywhere.hpp"

namespace mluop::cli {

namespace {

/// Compares in place: a copy of a large output would take longer than the call.
bool has_bits(testing::Call& call, const testing::Bits& bits) {
  std::size_t i = 0;
  for (const testing::HostTensor& output : call.outputs()) {
    if (std::memcmp(output.data(), bits[i++].data(), output.bytes()) != 0) return false;
  }
  return true;
}

}  // namespace

bool Trial::accepted_by(const testing::Handle& handle) {
  return !testing::not_accepted(call_->run(handle));
}

std::string Trial::run(const testing::Handle& handle) {
  for (testing::HostTensor& output : call_->outputs()) output.poison();
  threads_ = handle.threads();
  const mluOpStatus_t status = call_->run(handle);
  if (status != MLUOP_STATUS_SUCCESS) {
    return fmt::format("{}: {}", mluOpGetErrorString(status), mluOpCpuGetLastError());
  }
  for (const testing::HostTensor& output : call_->outputs()) {
    if (!output.intact()) return output.name() + ": written outside its memory";
  }
  return "";
}

std::vector<Judgement> Trial::judge() {
  if (parts_.empty()) parts_ = call_->parts();
  std::vector<Judgement> judgements;
  for (const testing::Part& part : parts_) {
    const testing::HostTensor& output = call_->outputs()[part.output];
    const auto criteria = suite_.criteria(output.dtype());
    Judgement judgement{.output = part.name, .verdict = {}, .static_count = 0};
    try {
      judgement.verdict = testing::judge(part.reference, part.plain,
                                         output.values(part.first, std::ssize(part.reference)),
                                         output.dtype(), criteria);
      judgement.static_count = std::min(criteria.size(), judgement.verdict.measures.size());
    } catch (const std::domain_error& unusable) {
      judgement.verdict = {.pass = false, .measures = {}, .reason = unusable.what()};
    }
    judgements.push_back(std::move(judgement));
  }
  return judgements;
}

std::vector<Judgement> Trial::judge_all_elements() {
  const auto outputs = call_->outputs();
  std::vector<testing::BlockComparison> comparisons;
  for (const testing::HostTensor& output : outputs) {
    comparisons.emplace_back(suite_.criteria(output.dtype()));
  }
  call_->visit_all([&](std::size_t i, std::int64_t first, std::span<const double> values) {
    comparisons[i].add(first, values, outputs[i].values(first, std::ssize(values)));
  });
  std::vector<Judgement> judgements;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::int64_t compared = comparisons[i].compared();
    if (compared == 0) continue;
    Judgement judgement{.output = outputs[i].name() + ", all elements",
                        .verdict = comparisons[i].verdict(),
                        .static_count = 0,
                        .in_float = true};
    if (compared != outputs[i].count()) {
      judgement.verdict.pass = false;
      judgement.verdict.reason =
          fmt::format("{} of {} elements were compared", compared, outputs[i].count());
    }
    judgement.static_count = judgement.verdict.measures.size();
    judgements.push_back(std::move(judgement));
  }
  return judgements;
}

std::string Trial::verify(const testing::Handle& handle) {
  if (std::string problem = run(handle); !problem.empty()) return problem;
  for (const Judgement& judgement : judge()) {
    if (!judgement.verdict.pass) return judgement.output + ": " + judgement.verdict.reason;
  }
  return "";
}

Repetition Trial::repeat_with_all_threads() {
  const auto expected = testing::snapshot(call_->outputs());
  const int known = threads_;
  const PretendedCores cores{8};  // the library limits threads to the number of cores
  for (const int threads : testing::thread_counts) {
    if (threads == known) continue;
    testing::Handle handle;
    handle.threads(threads);
    if (const std::string problem = run(handle); !problem.empty()) {
      return {std::nullopt, fmt::format("with {} threads: {}", threads, problem)};
    }
    if (!has_bits(*call_, expected)) return {false, "the bits depend on the number of threads"};
  }
  return {true, ""};
}

}  // namespace mluop::cli
