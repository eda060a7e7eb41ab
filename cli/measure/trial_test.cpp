// The report on an operator that fails, or whose result differs, with some numbers of threads.
#include "measure/trial.hpp"

#include <gtest/gtest.h>

namespace mluop::cli {
namespace {

using testing::Case;
using testing::HostTensor;

int threads_of(mluOpHandle_t handle) {
  int threads = 0;
  testing::expect_success(mluOpCpuGetThreads(handle, &threads), "mluOpCpuGetThreads");
  return threads;
}

/// Writes a number for its threads, or fails.
class FickleCall : public testing::Call {
 public:
  using Answer = mluOpStatus_t (*)(int threads, double& value);

  explicit FickleCall(Answer answer, std::int64_t elements = 1) : answer_(answer) {
    outputs_.emplace_back("output", MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_ARRAY,
                          std::vector<std::int64_t>{elements});
  }
  mluOpStatus_t run(mluOpHandle_t handle) override {
    double value = 1;
    const mluOpStatus_t status = answer_(threads_of(handle), value);
    outputs_[0].set(0, value);
    return status;
  }
  std::span<HostTensor> outputs() override { return outputs_; }
  std::vector<std::vector<double>> reference() const override { return {{1}}; }
  std::vector<std::vector<double>> plain() const override { return {{1}}; }
  testing::Cost cost() const override { return {}; }
  std::size_t workspace_bytes(mluOpHandle_t) const override { return 0; }

 private:
  Answer answer_;
  std::vector<HostTensor> outputs_;
};

Repetition repeated(FickleCall::Answer answer) {
  const Case one{"fickle", "[1]", Case::Kind::edge,
                 [answer](mluOpDataType_t) { return std::make_unique<FickleCall>(answer); }};
  const testing::Suite suite{"fickle", {MLUOP_DTYPE_FLOAT}, {one}, {}};
  Trial trial({suite, one, MLUOP_DTYPE_FLOAT});
  testing::Handle handle;
  handle.threads(2);
  EXPECT_EQ(trial.run(handle), "");
  return trial.repeat_with_all_threads();
}

TEST(Trial, EqualBitsAreNoProblem) {
  const Repetition same = repeated([](int, double&) { return MLUOP_STATUS_SUCCESS; });
  EXPECT_EQ(same.same_bits, true);
  EXPECT_EQ(same.problem, "");
}

TEST(Trial, OtherBitsAreToldAsSuch) {
  const Repetition other = repeated([](int threads, double& value) {
    if (threads == 7) value = 2;
    return MLUOP_STATUS_SUCCESS;
  });
  EXPECT_EQ(other.same_bits, false);
  EXPECT_EQ(other.problem, "the bits depend on the number of threads");
}

TEST(Trial, AFailureIsNoQuestionOfBits) {
  const Repetition failed = repeated([](int threads, double&) {
    return threads == 7 ? MLUOP_STATUS_ALLOC_FAILED : MLUOP_STATUS_SUCCESS;
  });
  EXPECT_EQ(failed.same_bits, std::nullopt);
  EXPECT_TRUE(failed.problem.starts_with("with 7 threads: MLUOP_STATUS_ALLOC_FAILED"))
      << failed.problem;
}

/// 40 ones, of which parts() compares the first; a plain loop has `visited` of them. Element `wrong` is 2.
class LargeCall final : public FickleCall {
 public:
  LargeCall(std::int64_t wrong, std::int64_t visited)
      : FickleCall([](int, double&) { return MLUOP_STATUS_SUCCESS; }, 40),
        wrong_(wrong),
        visited_(visited) {}
  mluOpStatus_t run(mluOpHandle_t) override {
    outputs()[0].assign(std::vector<double>(40, 1.0));
    if (wrong_ >= 0) outputs()[0].set(wrong_, 2);
    return MLUOP_STATUS_SUCCESS;
  }
  std::vector<testing::Part> parts() override { return {{"the first", 0, 0, {1}, {1}}}; }
  void visit_all(const Elements& visit) const override {
    visit(0, 0, std::vector<double>(static_cast<std::size_t>(visited_), 1.0));
  }

 private:
  std::int64_t wrong_, visited_;
};

std::vector<Judgement> judged(std::int64_t wrong, std::int64_t visited) {
  const Case one{"large", "[40]", Case::Kind::edge,
                 [=](mluOpDataType_t) { return std::make_unique<LargeCall>(wrong, visited); }};
  const auto criteria = [](mluOpDataType_t dtype) {
    return testing::static_criteria(testing::OpClass::convolution, dtype);
  };
  const testing::Suite suite{"large", {MLUOP_DTYPE_FLOAT}, {one}, criteria};
  Trial trial({suite, one, MLUOP_DTYPE_FLOAT});
  EXPECT_EQ(trial.run(testing::Handle()), "");
  EXPECT_TRUE(trial.judge()[0].verdict.pass) << "the part has no wrong element";
  return trial.judge_all_elements();
}

TEST(Trial, AWrongElementOutsideThePartsIsSeen) {
  ASSERT_EQ(judged(-1, 40).size(), 1u);
  EXPECT_TRUE(judged(-1, 40)[0].verdict.pass);
  EXPECT_TRUE(judged(-1, 40)[0].in_float);
  const Judgement wrong = judged(33, 40)[0];
  EXPECT_FALSE(wrong.verdict.pass);
  EXPECT_NE(wrong.verdict.reason.find("from element 32"), std::string::npos)
      << wrong.verdict.reason;
}

TEST(Trial, ElementsThatAreNotVisitedAreAProblem) {
  const Judgement partial = judged(-1, 39)[0];
  EXPECT_FALSE(partial.verdict.pass);
  EXPECT_EQ(partial.verdict.reason, "39 of 40 elements were compared");
}

}  // namespace
}  // namespace mluop::cli
