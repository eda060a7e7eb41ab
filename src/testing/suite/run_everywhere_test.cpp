// run_everywhere finds each kind of misbehaviour in an operator that misbehaves on purpose.
#include "testing/suite/run_everywhere.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "core/design/design.hpp"
#include "testing/suite/everywhere.hpp"
#include "testing/suite/ways.hpp"

namespace mluop::testing {
namespace {

/// What an operator may do wrong; it is asked after its output was written correctly.
using Fault = std::function<void(HostTensor& output, mluOpHandle_t handle, int run)>;

/// A call that writes 1, 2, 3, … and then lets the fault loose on it.
class CountingCall : public Call {
 public:
  CountingCall(mluOpDataType_t dtype, Fault fault, const DesignInfo* choice = nullptr)
      : fault_(std::move(fault)), choice_(choice) {
    outputs_.emplace_back("output", dtype, MLUOP_LAYOUT_ARRAY, std::vector<std::int64_t>{2, 3});
  }
  mluOpStatus_t run(mluOpHandle_t handle) override {
    const OperatorInfo& op = *operators()[0];
    const Forced request = mluop::detail::request_of(op, *handle);
    handle->used = {request.isa, request.design != nullptr ? request.design
                                 : choice_ != nullptr      ? choice_
                                                           : &op.design(op.design_count - 1)};
    outputs_[0].assign(numbers_);
    fault_(outputs_[0], handle, ++runs_);
    return MLUOP_STATUS_SUCCESS;
  }
  std::span<HostTensor> outputs() override { return outputs_; }
  std::vector<std::vector<double>> reference() const override { return {numbers_}; }
  std::vector<std::vector<double>> plain() const override { return {numbers_}; }
  Cost cost() const override { return {}; }
  std::size_t workspace_bytes(mluOpHandle_t) const override { return 0; }

 private:
  std::vector<double> numbers_{1, 2, 3, 4, 5, 6};
  std::vector<HostTensor> outputs_;
  Fault fault_;
  const DesignInfo* choice_;  // null: the last of the table
  int runs_ = 0;
};

std::string first_operator() {
  const char* name = nullptr;
  expect_success(mluOpCpuGetOperatorName(0, &name), "mluOpCpuGetOperatorName");
  return name;
}

std::string isa_of(mluOpHandle_t handle) {
  const char* name = nullptr;
  expect_success(mluOpCpuGetIsa(handle, &name), "mluOpCpuGetIsa");
  return name;
}

int threads_of(mluOpHandle_t handle) {
  int threads = 0;
  expect_success(mluOpCpuGetThreads(handle, &threads), "mluOpCpuGetThreads");
  return threads;
}

Suite suite() {
  return {first_operator(), {MLUOP_DTYPE_FLOAT}, {}, [](mluOpDataType_t dtype) {
            return static_criteria(OpClass::accumulation, dtype);
          }};
}

Case faulty(const Fault& fault, const DesignInfo* choice = nullptr) {
  return {"counting", "[2,3]", Case::Kind::edge, [=](mluOpDataType_t dtype) {
            return std::make_unique<CountingCall>(dtype, fault, choice);
          }};
}

std::vector<std::string> problems(const Fault& fault, const DesignInfo* choice = nullptr) {
  return run_everywhere(suite(), faulty(fault, choice), MLUOP_DTYPE_FLOAT);
}

/// Some problem contains every one of the texts.
void expect_problem(const std::vector<std::string>& found,
                    std::initializer_list<const char*> texts) {
  std::string all;
  for (const std::string& problem : found) {
    all += problem + "\n";
    bool match = true;
    for (const char* text : texts) match = match && problem.find(text) != std::string::npos;
    if (match) return;
  }
  ADD_FAILURE() << "missing among:\n" << all;
}

TEST(RunEverywhere, FindsNothingWhenAllIsWell) {
  expect_everywhere(suite(), faulty([](HostTensor&, mluOpHandle_t, int) {}), MLUOP_DTYPE_FLOAT);
}

TEST(RunEverywhere, VisitsEveryChoiceAndEveryDesignWithEveryThreadCount) {
  std::vector<std::pair<std::string, int>> visits, expected;
  problems([&](HostTensor&, mluOpHandle_t handle, int) {
    visits.emplace_back(isa_of(handle), threads_of(handle));
  });
  for (const std::string& isa : Handle{}.levels()) expected.emplace_back(isa, 1);
  for (const Way& way : ways(first_operator())) {
    expected.emplace_back(way.isa, thread_counts.front());  // run twice
    for (const int threads : thread_counts) expected.emplace_back(way.isa, threads);
  }
  EXPECT_EQ(visits, expected);
}

TEST(RunEverywhere, FindsAChoiceThatIsNoDesign) {
  static constexpr DesignInfo secret{"secret", Isa::generic, "everything"};
  expect_problem(problems([](HostTensor&, mluOpHandle_t, int) {}, &secret),
                 {"its choice, secret, was not examined"});
}

TEST(RunEverywhere, FindsBitsThatDependOnTheThreads) {
  const auto found = problems([](HostTensor& output, mluOpHandle_t handle, int) {
    if (threads_of(handle) == 7) output.set(4, 5.0000005);
  });
  const std::string op = first_operator();
  expect_problem(found, {op.c_str(), "counting FLOAT", ", 7 threads", "output[1,1] is 5.0000",
                         "(0x40a00001), was 5 (0x40a00000) with 1 thread"});
  EXPECT_EQ(found.size(), ways(op).size());
}

TEST(RunEverywhere, FindsBitsThatDoNotRepeat) {
  expect_problem(problems([](HostTensor& output, mluOpHandle_t, int run) {
                   if (run == 2) output.set(0, -1);
                 }),
                 {"1 thread", "output[0,0] is -1", "in the first run"});
}

/// A NaN whose sign and payload no two runs of an implementation have in common.
void set_some_nan(HostTensor& output, mluOpHandle_t handle, int run) {
  const auto kind = static_cast<std::uint32_t>(2 * threads_of(handle) + run);
  const std::uint32_t bits = (kind << 31) | 0x7fc00000u | kind;
  std::memcpy(output.data(), &bits, sizeof(bits));
}

TEST(RunEverywhere, TakesOneNanForAnother) {
  const auto found = problems(set_some_nan);
  for (const std::string& problem : found) {
    EXPECT_NE(problem.find("special values differ at position 0"), std::string::npos) << problem;
  }
  EXPECT_EQ(found.size(), ways(first_operator()).size());
}

TEST(RunEverywhere, FindsBitsThatDifferBehindNan) {
  expect_problem(problems([](HostTensor& output, mluOpHandle_t handle, int run) {
                   set_some_nan(output, handle, run);
                   if (run == 2) output.set(5, -6);
                 }),
                 {"1 thread", "output[1,2] is -6", "was 6 (0x40c00000) in the first run"});
}

TEST(RunEverywhere, FindsFusedLevelsThatDisagree) {
  const auto levels = Handle{}.levels();
  const bool both = std::ranges::count(levels, "avx2") + std::ranges::count(levels, "avx512") == 2;
  if (!both) GTEST_SKIP() << "needs both AVX2 and AVX-512";
  const auto found = problems([](HostTensor& output, mluOpHandle_t handle, int) {
    if (isa_of(handle) == "avx2") output.set(0, 1.0000001);
  });
  expect_problem(found, {"avx2, 1 thread", "output[0,0]", "with avx512, 1 thread"});
  const std::string general = "avx2 general, 1 thread";
  expect_problem(found, {general.c_str(), "output[0,0]", "with avx512 general, 1 thread"});
}

TEST(RunEverywhere, FindsWrongValues) {
  expect_problem(problems([](HostTensor& output, mluOpHandle_t, int) { output.set(1, 2.5); }),
                 {"output: diff1", "at position 1: got 2.5, expected 2"});
  // Within the static threshold of 3e-3, not within ten times the plain loop's error.
  expect_problem(problems([](HostTensor& output, mluOpHandle_t, int) { output.set(1, 2.001); }),
                 {"output: diff1"});
}

TEST(RunEverywhere, FindsElementsThatWereNotWritten) {
  expect_problem(problems([](HostTensor& output, mluOpHandle_t, int) { output.poison(); }),
                 {"output: special values differ at position 0: got nan, expected 1"});
}

TEST(RunEverywhere, FindsWritesOutsideTheOutput) {
  const auto found = problems([](HostTensor& output, mluOpHandle_t, int) {
    static_cast<unsigned char*>(output.data())[output.bytes()] = 0;
  });
  expect_problem(found, {", 7 threads", "output: written outside its memory"});
}

/// Trusts that its output still holds what the first run wrote.
class LazyCall : public CountingCall {
 public:
  explicit LazyCall(mluOpDataType_t dtype)
      : CountingCall(dtype, [](HostTensor&, mluOpHandle_t, int) {}) {}
  mluOpStatus_t run(mluOpHandle_t handle) override {
    return std::exchange(done_, true) ? MLUOP_STATUS_SUCCESS : CountingCall::run(handle);
  }

 private:
  bool done_ = false;
};

TEST(RunEverywhere, FindsASecondRunThatDoesNotWrite) {
  const Case lazy{"lazy", "", Case::Kind::edge,
                  [](mluOpDataType_t dtype) { return std::make_unique<LazyCall>(dtype); }};
  expect_problem(run_everywhere(suite(), lazy, MLUOP_DTYPE_FLOAT),
                 {"output[0,0] is nan", "was 1 (0x3f800000) in the first run"});
}

/// Fails like a call with a bad argument.
class FailingCall : public CountingCall {
 public:
  explicit FailingCall(mluOpDataType_t dtype)
      : CountingCall(dtype, [](HostTensor&, mluOpHandle_t, int) {}) {}
  mluOpStatus_t run(mluOpHandle_t handle) override { return mluOpCpuSetThreads(handle, 0); }
};

TEST(RunEverywhere, FindsCallsThatFail) {
  const Case failing{"failing", "", Case::Kind::edge,
                     [](mluOpDataType_t dtype) { return std::make_unique<FailingCall>(dtype); }};
  expect_problem(run_everywhere(suite(), failing, MLUOP_DTYPE_FLOAT),
                 {", 1 thread", "MLUOP_STATUS_BAD_PARAM: mluOpCpuSetThreads"});
}

}  // namespace
}  // namespace mluop::testing
