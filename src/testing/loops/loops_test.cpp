// The plain loop of every operator against the reference, in every dtype, with one thread and with several.
#include <gtest/gtest.h>

#include "runtime/cores.hpp"
#include "testing/data/handle.hpp"
#include "testing/loops/sweep_sizes.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::testing {
namespace {

/// What is wrong with the outputs by the thresholds of the suite, "" for nothing.
std::string judged(const Suite& suite, Call& call) {
  for (const Part& part : call.parts()) {
    const HostTensor& output = call.outputs()[part.output];
    const auto values = output.values(part.first, std::ssize(part.reference));
    const Verdict verdict =
        judge(part.reference, part.plain, values, output.dtype(), suite.criteria(output.dtype()));
    if (!verdict.pass) return part.name + ": " + verdict.reason;
    if (!output.intact()) return part.name + ": written outside its memory";
  }
  return "";
}

void expect_right(const Suite& suite, const std::string& level, int threads, Generator& random) {
  const Sizes sizes = suite.sized.draw(random);
  const Case test_case = suite.sized.make(sizes, 1);
  for (const mluOpDataType_t dtype : suite.dtypes) {
    const auto call = test_case.make(dtype);
    Handle handle;
    handle.threads(threads).isa(level);
    for (int run = 0; run < 2; ++run) {  // the second one finds the memory of the first
      for (HostTensor& output : call->outputs()) output.poison();
      ASSERT_TRUE(call->run_loop(handle)) << suite.op;
      EXPECT_EQ(judged(suite, *call), "")
          << suite.op << ' ' << sizes.text() << " dtype " << dtype << ' ' << level << ", "
          << threads << " threads; " << random.describe();
    }
  }
}

TEST(PlainLoops, ComputeWhatTheReferencesCompute) {
  const PretendedCores cores{4};
  for (const Suite& suite : suites()) {
    Generator random("loops/" + suite.op);
    for (int i = 0; i < 12; ++i) expect_right(suite, Handle().isa(), i % 3 + 1, random);
  }
}

TEST(PlainLoops, AreRightAtEveryLevel) {
  const Handle any;
  for (const std::string& level : any.levels()) {
    for (const Suite& suite : suites()) {
      Generator random("loops/" + suite.op + "/" + level);
      for (int i = 0; i < 3; ++i) expect_right(suite, level, 1, random);
    }
  }
}

TEST(SweepSizes, AreLogUniform) {
  Generator random("sweep_sizes");
  int small = 0, odd = 0, powers = 0;
  constexpr int count = 4000;
  for (int i = 0; i < count; ++i) {
    const std::int64_t size = log_integer(random, 1, 1023);
    ASSERT_GE(size, 1);
    ASSERT_LE(size, 1023);
    small += size < 32 ? 1 : 0;
    const std::int64_t channel = channels(random, 1, 2048);
    ASSERT_GE(channel, 1);
    ASSERT_LE(channel, 2048);
    odd += channel % 2;
    powers += (channel & (channel - 1)) == 0 ? 1 : 0;
  }
  EXPECT_NEAR(small, count / 2, count / 20);  // half of the ten octaves
  EXPECT_GT(odd, count / 8);
  EXPECT_GT(powers, count / 4);
}

TEST(SweepBudget, LeavesOutWhatIsShortOrLong) {
  const SweepBudget budget;
  EXPECT_TRUE(budget.allows(1e6, 0));
  EXPECT_TRUE(budget.allows(1, 1e8));
  EXPECT_FALSE(budget.allows(1e5, 1e5));
  EXPECT_FALSE(budget.allows(1e12, 0));
  EXPECT_FALSE(budget.allows(1e6, 1e12));
}

}  // namespace
}  // namespace mluop::testing
