// Runs a case and judges its outputs against the references.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "selection.hpp"
#include "testing/compare/compare.hpp"

namespace mluop::cli {

/// The verdict on an output or a part of it: first the suite's own criteria, then the dynamic ones.
struct Judgement {
  std::string output;
  testing::Verdict verdict;
  std::size_t static_count;
  /// Compared with a plain loop in float, all elements; otherwise with the reference in double.
  bool in_float = false;

  std::span<const testing::Measured> static_measures() const {
    return std::span(verdict.measures).first(static_count);
  }
  std::span<const testing::Measured> dynamic_measures() const {
    return std::span(verdict.measures).subspan(static_count);
  }
};

/// Result of running again with other numbers of threads.
struct Repetition {
  std::optional<bool> same_bits;  // none if a run failed
  std::string problem;            // "" when everything is in order
};

class Trial {
 public:
  /// Generates the data of the case.
  explicit Trial(const Job& job) : suite_(job.suite), call_(job.test_case.make(job.dtype)) {}

  testing::Call& call() { return *call_; }

  /// Runs once: whether the design that the handle forces accepts the case.
  bool accepted_by(const testing::Handle& handle);
  /// Runs once on poisoned outputs: "" or how the call failed.
  std::string run(const testing::Handle& handle);
  /// Judges the outputs of the last run. Computes the references the first time, which takes much longer
  /// than the call.
  std::vector<Judgement> judge();
  /// Judges every element against a plain loop; nothing where judge() compares everything.
  std::vector<Judgement> judge_all_elements();
  /// Runs and judges; "" or the first problem.
  std::string verify(const testing::Handle& handle);
  /// Runs with 1, 2, 3 and 7 threads and compares with the bits of the last run.
  Repetition repeat_with_all_threads();

 private:
  const testing::Suite& suite_;
  std::unique_ptr<testing::Call> call_;
  std::vector<testing::Part> parts_;
  int threads_ = 0;  // of the last run
};

}  // namespace mluop::cli
