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

  explicit FickleCall(Answer answer) : answer_(answer) {
    outputs_.emplace_back("output", MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_ARRAY,
                          std::vector<std::int64_t>{1});
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

}  // namespace
}  // namespace mluop::cli
