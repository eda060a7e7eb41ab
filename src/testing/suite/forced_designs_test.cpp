// Designs forced by name, over the tables of every operator: a call that the design does not accept is refused
// before anything is written.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/design/design.hpp"
#include "core/numbers/dtype.hpp"
#include "testing/data/handle.hpp"
#include "testing/data/placed_memory.hpp"
#include "testing/suite/suite.hpp"
#include "testing/suite/ways.hpp"

namespace mluop::testing {
namespace {

std::vector<const Suite*> suites_with_a_choice() {
  std::vector<const Suite*> all;
  for (const Suite& suite : suites()) {
    if (find_operator(suite.op)->design_count > 1) all.push_back(&suite);
  }
  return all;
}

const DesignInfo& design_of(const Suite& suite, const Way& way) {
  const OperatorInfo& op = *find_operator(suite.op);
  std::size_t i = 0;
  while (op.design(i).name != way.design) ++i;
  return op.design(i);
}

class ForcedDesigns : public ::testing::TestWithParam<const Suite*> {
 protected:
  struct Count {
    int accepted = 0, refused = 0;
  };

  const Suite& suite() const { return *GetParam(); }

  /// Runs the case in memory that can no longer be written if the design does not accept it.
  void try_case(const Way& way, const Case& test_case, mluOpDataType_t dtype, Count& count) {
    Handle handle;
    way.apply(handle.threads(1), suite().op);
    const auto free = test_case.make(dtype);
    const mluOpStatus_t status = free->run(handle);
    if (!not_accepted(status)) {
      EXPECT_EQ(status, MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
      EXPECT_EQ(handle.used(), way.design);
      ++count.accepted;
      return;
    }
    for (const HostTensor& output : free->outputs()) {
      EXPECT_TRUE(output.poisoned() && output.intact()) << output.name();
    }
    expect_refused_without_a_write(way, test_case, dtype);
    ++count.refused;
  }

 private:
  void expect_refused_without_a_write(const Way& way, const Case& test_case,
                                      mluOpDataType_t dtype) {
    const ScopedPlacement placement(Placement::before_page);
    const auto call = test_case.make(dtype);
    Handle handle;
    // Makes the workspace.
    expect_success(call->run(handle.isa(way.isa).threads(1)), suite().op.c_str());
    way.apply(handle, suite().op);
    ScopedPlacement::make_read_only();
    EXPECT_EQ(call->run(handle), MLUOP_STATUS_NOT_SUPPORTED);
    const std::string sentence =
        way.design + " of " + suite().op +
        " does not accept this call; it accepts: " + design_of(suite(), way).description;
    EXPECT_TRUE(std::string{mluOpCpuGetLastError()}.ends_with(": " + sentence))
        << mluOpCpuGetLastError();
  }
};

/// Every design but the last must have met a case of either kind, or the test shows nothing.
TEST_P(ForcedDesigns, RefuseWhatTheyDoNotAcceptAndWriteNothing) {
  const OperatorInfo& op = *find_operator(suite().op);
  const std::string last = op.design(op.design_count - 1).name;
  for (const Way& way : ways(suite().op)) {
    SCOPED_TRACE(way.name());
    Count count;
    for (const Case& test_case : suite().cases) {
      if (test_case.kind != Case::Kind::edge) continue;
      for (const mluOpDataType_t dtype : suite().dtypes_of(test_case)) {
        SCOPED_TRACE(test_case.name + ' ' + mluop::name_of(dtype));
        try_case(way, test_case, dtype, count);
      }
    }
    EXPECT_GT(count.accepted, 0);
    EXPECT_TRUE(way.design == last ? count.refused == 0 : count.refused > 0) << count.refused;
  }
}

TEST_P(ForcedDesigns, UnknownNamesAreAnsweredWithTheKnownOnes) {
  const OperatorInfo& op = *find_operator(suite().op);
  const Handle handle;
  for (const char* const unknown : {"fast", ""}) {
    EXPECT_EQ(mluOpCpuForceImplementation(handle, op.name, unknown), MLUOP_STATUS_BAD_PARAM);
    std::string sentence = "mluOpCpuForceImplementation: name must be one of ";
    for (std::size_t i = 0; i < op.design_count; ++i) {
      sentence += op.design(i).name + std::string{", "};
    }
    sentence +=
        "generic, sse4, avx2, avx512, avx512_bf16, amx, neon, got \"" + std::string{unknown} + '"';
    EXPECT_EQ(mluOpCpuGetLastError(), sentence);
  }
}

INSTANTIATE_TEST_SUITE_P(, ForcedDesigns, ::testing::ValuesIn(suites_with_a_choice()),
                         [](const auto& test) { return test.param->op; });

}  // namespace
}  // namespace mluop::testing
