// The problems of a sweep: drawn from the operator, the seed and a number, so that each can be had again alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "selection.hpp"

namespace mluop::cli {

struct SweepProblem {
  const testing::Suite& suite;
  int number;  // from 0, in the order of the sweep; -1 for sizes of the user
  testing::Sizes sizes;
  mluOpDataType_t dtype;
  int threads;

  /// "carafe_forward 17 half, 2 threads: c=64,g=1,…".
  std::string name() const;
};

/// What a problem is drawn from. Sizes do not depend on the dtypes and thread counts to choose from.
struct SweepChoice {
  std::uint64_t seed = 1;
  std::vector<mluOpDataType_t> dtypes;
  std::vector<int> threads;
};
/// One and two, if the process has two cores.
std::vector<int> sweep_threads();
SweepProblem drawn_problem(const testing::Suite& suite, int number, const SweepChoice& choice);

}  // namespace mluop::cli
