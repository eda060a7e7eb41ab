// Calls of every operator with their expected bits.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "testing/compare/bits.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::testing {

/// A call with its expected bits, computed with one thread.
struct KnownCall {
  std::string name;
  std::unique_ptr<Call> call;
  Bits expected;

  KnownCall(const Suite& suite, const Case& test_case, mluOpDataType_t dtype)
      : name(suite.op + ' ' + test_case.shape + ' ' + mluop::name_of(dtype)),
        call(test_case.make(dtype)) {
    expect_success(call->run(Handle{}.threads(1)), suite.op.c_str());
    expected = snapshot(call->outputs());
  }

  /// Runs again; returns the difference, empty if the bits are the same.
  std::string repeat(mluOpHandle_t handle) const {
    for (HostTensor& output : call->outputs()) output.poison();
    if (call->run(handle) != MLUOP_STATUS_SUCCESS) return name + ": " + mluOpCpuGetLastError();
    const std::string difference = first_difference(call->outputs(), expected);
    return difference.empty() ? "" : name + ": bits differ: " + difference;
  }
};

/// The default sizes of an operator, large enough for several threads.
inline Case usual_case(const Suite& suite) { return suite.sized.make(Sizes(suite.sized.keys), 1); }

/// Default and random sizes, to cover all designs of an operator.
inline std::vector<Case> several_cases(const Suite& suite) {
  Generator random("process/" + suite.op);
  std::vector<Case> all{usual_case(suite)};
  for (int i = 0; i < 4; ++i) {
    all.push_back(suite.sized.make(suite.sized.draw(random), random.next() >> 32));
  }
  return all;
}

/// One call of every operator, with default sizes.
inline std::vector<KnownCall> calls_of_all_operators(mluOpDataType_t dtype) {
  std::vector<KnownCall> calls;
  for (const Suite& suite : suites()) {
    calls.emplace_back(suite, usual_case(suite),
                       suite.dtypes.size() == 1 ? suite.dtypes.front() : dtype);
  }
  return calls;
}

/// For tests parametrised by operator.
inline std::vector<const Suite*> all_suites() {
  std::vector<const Suite*> all;
  for (const Suite& suite : suites()) all.push_back(&suite);
  return all;
}
inline std::string name_of_test(const ::testing::TestParamInfo<const Suite*>& info) {
  return info.param->op;
}

}  // namespace mluop::testing
