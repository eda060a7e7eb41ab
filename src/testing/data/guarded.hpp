// Runs a case with its tensors and its workspace beside inaccessible pages.
#pragma once

#include <string>
#include <vector>

#include "testing/data/generators.hpp"
#include "testing/faults/fault_notice.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::testing {

/// Random cases of one operator in one dtype. Tensors and workspace end at an inaccessible page, and in
/// a second pass begin right after one; the workspace has exactly the queried size, inputs are read-only,
/// outputs poisoned. Every implementation that this machine can run is forced in turn, with 1, 2 and 5
/// threads, and must give the bits that it gives in ordinary memory with one thread.
class GuardedCases {
 public:
  GuardedCases(const Suite& suite, mluOpDataType_t dtype);

  /// A case of random sizes; returns the number of calls between pages. A fault names the call.
  int run_one();
  /// One sentence per problem so far, each naming operator, sizes, dtype, implementation, threads and
  /// placement.
  const std::vector<std::string>& problems() const { return problems_; }
  /// How to repeat them.
  std::string describe() const { return random_.describe(); }

 private:
  int run_in(Placement placement, const Case& test_case, const std::string& name);

  const Suite& suite_;
  mluOpDataType_t dtype_;
  Generator random_;
  FaultNotice notice_;
  std::vector<std::string> problems_;
};

}  // namespace mluop::testing
