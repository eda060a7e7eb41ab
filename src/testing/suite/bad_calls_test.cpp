// The table checker accepts true rows and refuses false ones.
#include "testing/suite/expect_bad_calls.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "testing/data/handle.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::testing {
namespace {

/// The arguments of mluOpSetTensorDescriptor; `seen` plays the part of an output.
struct Args {
  HostTensor tensor{"t", MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_ARRAY, {1}};
  int rank = 2;
  std::vector<int> dims{3, 4};
  bool seen = false;

  bool outputs_untouched() const { return !seen; }
};

Args make_valid() { return {}; }

mluOpStatus_t call(Args& args) {
  const mluOpStatus_t status = mluOpSetTensorDescriptor(
      args.tensor.descriptor(), MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, args.rank, args.dims.data());
  args.seen = status == MLUOP_STATUS_SUCCESS;
  return status;
}

const auto spoil_rank = [](Args& args) { args.rank = -1; };

template <class Call>
void check(Call invoke, std::vector<BadCall<Args>> table) {
  expect_bad_calls<Args>("mluOpSetTensorDescriptor", "in a test", make_valid, invoke, table);
}

TEST(BadCalls, TrueRowsPass) {
  check(call, {{"negative rank", spoil_rank, MLUOP_STATUS_BAD_PARAM, "dimNb"},
               {"rank zero", [](Args& args) { args.rank = 0; }, MLUOP_STATUS_BAD_PARAM, "dimNb"}});
}

TEST(BadCalls, AWrongStatusFails) {
  EXPECT_NONFATAL_FAILURE(
      check(call, {{"negative rank", spoil_rank, MLUOP_STATUS_NOT_SUPPORTED, "dimNb"}}),
      "negative rank");
}

TEST(BadCalls, AWrongTextFails) {
  EXPECT_NONFATAL_FAILURE(
      check(call, {{"negative rank", spoil_rank, MLUOP_STATUS_BAD_PARAM, "no such words"}}),
      "lacks \"no such words\"");
}

TEST(BadCalls, ASentenceOfAnotherFunctionFails) {
  const auto silent = [](Args& args) {
    if (args.rank < 0) return MLUOP_STATUS_BAD_PARAM;
    return call(args);
  };
  EXPECT_NONFATAL_FAILURE(
      check(silent, {{"negative rank", spoil_rank, MLUOP_STATUS_BAD_PARAM, ""}}),
      "does not start with \"mluOpSetTensorDescriptor:\"");
}

TEST(BadCalls, AWrittenOutputFails) {
  const auto writes = [](Args& args) {
    const mluOpStatus_t status = call(args);
    args.seen = true;
    return status;
  };
  EXPECT_NONFATAL_FAILURE(
      check(writes, {{"negative rank", spoil_rank, MLUOP_STATUS_BAD_PARAM, "dimNb"}}),
      "an output was written");
}

TEST(BadCalls, TheUnspoiltCallMustSucceedAndWrite) {
  EXPECT_NONFATAL_FAILURE(check(
                              [](Args& args) {
                                args.rank = -1;
                                return call(args);
                              },
                              {}),
                          "the valid call");
  EXPECT_NONFATAL_FAILURE(check([](Args&) { return MLUOP_STATUS_SUCCESS; }, {}),
                          "a valid call must write its outputs");
}

TEST(BadCalls, OutcomesAreCollectedInsteadOfFailing) {
  const auto outcomes = outcomes_of([] {
    check(call, {{"true", spoil_rank, MLUOP_STATUS_BAD_PARAM, "dimNb"},
                 {"false", spoil_rank, MLUOP_STATUS_BAD_PARAM, "no such words"}});
  });
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(outcomes[0].what, "mluOpSetTensorDescriptor in a test: true");
  EXPECT_EQ(outcomes[0].problem, "");
  EXPECT_NE(outcomes[1].problem.find("lacks \"no such words\""), std::string::npos);
}

TEST(BadCalls, TheListenerIsRestoredWhenARowThrows) {
  EXPECT_THROW(outcomes_of([] { throw std::runtime_error("x"); }), std::runtime_error);
  EXPECT_NONFATAL_FAILURE(
      check(call, {{"negative rank", spoil_rank, MLUOP_STATUS_BAD_PARAM, "no such words"}}),
      "negative rank");
}

}  // namespace
}  // namespace mluop::testing
