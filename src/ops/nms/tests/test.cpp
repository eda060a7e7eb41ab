// Every case of the four operators, and that results depend on nothing but the arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/nms/kit/cases.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/suite/everywhere.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::nms {
namespace {

using testing::Handle;
using testing::sanitized;

struct OneCase {
  const Operation* operation;
  std::string name;
};

/// All but the largest, which have a test of their own; a sanitizer learns nothing from more of the same
/// pairs.
std::vector<OneCase> affordable_cases() {
  std::vector<OneCase> all;
  for (const Operation* operation : operations) {
    for (const cases::Definition& definition : cases::definitions(*operation)) {
      const double most = operation->suppresses() ? 5e5 : 1e5;
      if (definition.pairs > (sanitized ? 1e5 : most)) continue;
      all.push_back({operation, definition.name});
    }
  }
  return all;
}

class NmsCase : public ::testing::TestWithParam<OneCase> {};

INSTANTIATE_TEST_SUITE_P(, NmsCase, ::testing::ValuesIn(affordable_cases()), [](const auto& test) {
  return test.param.operation->op + ("__" + test.param.name);
});

TEST_P(NmsCase, IsExactWithEqualBitsEverywhere) {
  const testing::Suite& suite = *testing::find_suite(GetParam().operation->op);
  const testing::Case& test_case =
      *std::ranges::find(suite.cases, GetParam().name, &testing::Case::name);
  for (const mluOpDataType_t dtype : suite.dtypes_of(test_case)) {
    SCOPED_TRACE(name_of(dtype));
    testing::expect_everywhere(suite, test_case, dtype);
  }
}

class Nms : public ::testing::TestWithParam<const Operation*> {
 protected:
  const Operation& operation() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(, Nms, ::testing::ValuesIn(operations),
                         [](const auto& test) { return test.param->op; });

/// Levels without fused multiply-add decide as those with it: there is none in the formula.
TEST_P(Nms, EveryLevelAgreesWithTheReferenceOnLargeCases) {
  if (sanitized) GTEST_SKIP() << "too large for a sanitizer";
  const std::vector<std::string> names =
      operation().function == Function::nms3d ? std::vector<std::string>{"cars"}
      : operation().function == Function::overlap
          ? std::vector<std::string>{"cars"}
          : std::vector<std::string>{"rpn_test", "parta2", "one_object"};
  for (const std::string& name : names) {
    const cases::Definition& definition = cases::definition_named(operation(), name);
    Tensors tensors = cases::make_tensors(operation(), definition, MLUOP_DTYPE_FLOAT);
    const auto results = expected(operation(), definition.setting, tensors.view());
    int threads = 1;
    for (const std::string& level : Handle().levels()) {
      SCOPED_TRACE(name + ' ' + level);
      Handle handle;
      handle.threads(threads++).isa(level);
      tensors.output.poison();
      ASSERT_EQ(run(operation(), definition.setting, handle, tensors.view()), MLUOP_STATUS_SUCCESS)
          << mluOpCpuGetLastError();
      EXPECT_TRUE(tensors.output.values() == results[0]);
      if (!operation().suppresses()) continue;
      EXPECT_EQ(tensors.number.values(), results[1]);
    }
  }
}

}  // namespace
}  // namespace mluop::nms
