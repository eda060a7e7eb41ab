// Runs the call of a case file and checks its outputs.
#pragma once

#include <string>
#include <vector>

#include "mlu_op.h"
#include "testing/compare/compare.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/file_case.hpp"

namespace mluop::casefile {

struct OutputVerdict {
  std::string output;
  mluOpDataType_t dtype;
  bool compared;  // false if the file excludes it or it is empty
  testing::Verdict verdict;
};

struct CaseVerdict {
  /// Status and message of a failed call; "" if it succeeded.
  std::string problem = "";
  std::vector<OutputVerdict> outputs = {};
  /// The file has no thresholds: those of the operator's acceptance apply.
  bool own_criteria = false;

  bool pass() const;
};

/// Runs the operator first and the reference only if the call succeeds, because shapes and indices are valid
/// only then. A call with an empty tensor must not write its outputs.
CaseVerdict run_case(testing::FileCall& call, const testing::Handle& handle);

}  // namespace mluop::casefile
