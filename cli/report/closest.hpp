// The errors that come closest to their bounds.
#pragma once

#include <vector>

#include "report/model.hpp"

namespace mluop::cli::report {

/// The error of a case that is the largest share of its bound.
struct Closest {
  const CaseResult* of;
  const Judgement* judgement;
  const testing::Measured* measured;
  bool is_static;  // the bound, otherwise dynamic

  double share() const { return measured->error / measured->threshold; }
};

/// One for each case that has an error, the largest share first.
std::vector<Closest> closest_to_bounds(const OperatorResult& result);

}  // namespace mluop::cli::report
