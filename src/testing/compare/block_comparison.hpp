// All elements of a large output against a plain loop, in blocks so small that one wrong element fails.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "testing/compare/compare.hpp"

namespace mluop::testing {

/// Applies criteria of diff1 and diff2 to each block, and keeps the worst error of each. Over a whole output
/// of millions of elements they do not see a single wrong one; of a block it is a sixteenth. Any other
/// criterion, as of integers, means that elements must be equal.
class BlockComparison {
 public:
  static constexpr std::size_t block = 16;

  explicit BlockComparison(std::span<const Criterion> criteria);

  /// Consecutive elements; `first` is the position of the first one in the output.
  void add(std::int64_t first, std::span<const double> baseline, std::span<const double> measured);

  std::int64_t compared() const { return compared_; }
  /// Fails with the first element of the first block that fails, and if nothing was compared.
  Verdict verdict() const;

 private:
  void add_block(std::int64_t first, std::span<const double> baseline,
                 std::span<const double> measured);
  void keep(std::int64_t first, const Verdict& block_verdict);

  std::vector<Criterion> criteria_;
  bool exact_;
  std::vector<double> worst_;
  std::int64_t compared_ = 0;
  std::string reason_;
};

}  // namespace mluop::testing
