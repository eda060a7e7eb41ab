// Runs the call of a case file and judges what it wrote.
#pragma once

#include <string>
#include <vector>

#include "mlu_op.h"
#include "testing/compare.hpp"
#include "testing/file_case.hpp"
#include "testing/handle.hpp"

namespace mluop::casefile {

struct OutputVerdict {
  std::string output;
  mluOpDataType_t dtype;
  bool compared;  // or else left out by the file, or nothing to compare
  testing::Verdict verdict;
};

struct CaseVerdict {
  /// How the call itself failed: status and sentence; "" when it succeeded.
  std::string problem = "";
  std::vector<OutputVerdict> outputs = {};
  /// The file names no thresholds: those of the operator's acceptance decide.
  bool own_criteria = false;

  bool pass() const;
};

/// The operator first; the reference only when it has accepted the call, since only then shapes and
/// indices can be trusted. A call on an empty tensor must leave its outputs alone.
CaseVerdict run_case(testing::FileCall& call, const testing::Handle& handle);

}  // namespace mluop::casefile
