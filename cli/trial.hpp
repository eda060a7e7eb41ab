// A case made real: its call, its references, and the verdict on what the operator wrote.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "selection.hpp"
#include "testing/compare.hpp"

namespace mluop::cli {

/// The verdict on one output: first the suite's own criteria, then the dynamic ones.
struct Judgement {
  std::string output;
  testing::Verdict verdict;
  std::size_t static_count;

  std::span<const testing::Measured> static_measures() const {
    return std::span(verdict.measures).first(static_count);
  }
  std::span<const testing::Measured> dynamic_measures() const {
    return std::span(verdict.measures).subspan(static_count);
  }
};

class Trial {
 public:
  /// Computes the references, which takes far longer than the call.
  explicit Trial(const Job& job);

  testing::Call& call() { return *call_; }

  /// Runs once on poisoned outputs: "" or how the call failed.
  std::string run(const testing::Handle& handle);
  /// Judges the outputs of the last run.
  std::vector<Judgement> judge();
  /// All of the above in one sentence, "" when everything is in order.
  std::string verify(const testing::Handle& handle);
  /// Whether runs with 1, 2, 3 and 7 threads repeat the bits of the last run.
  bool same_bits_for_all_threads();

 private:
  const testing::Suite& suite_;
  std::unique_ptr<testing::Call> call_;
  std::vector<std::vector<double>> reference_;
  std::vector<std::vector<double>> plain_;
};

}  // namespace mluop::cli
