// The sparse-convolution descriptor: its life, what it refuses in either mode, and what it keeps then.
#include "ops/sparse_conv/descriptor.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "testing/faults/failing_calls.hpp"
#include "testing/faults/read_environment.hpp"

namespace mluop::sparse_conv {
namespace {

using testing::expect_failures;
using testing::ReadEnvironment;

constexpr const char* set_name = "mluOpSetSparseConvolutionDescriptor";

/// The arguments of a valid call, until a row spoils one.
struct Args {
  int dimNb = 5, batch_size = 2;
  std::array<int, 3> pad{0, 1, 2}, stride{1, 2, 3}, dilation{1, 1, 2};
  std::array<int, 3> input_space{10, 20, 30}, filter_space{3, 4, 5}, output_space{7, 8, 9};
  int sub_m = 0, transpose = 0, inverse = 0;
  int missing = -1;  // which of the six arrays is NULL
};

class SparseConvolutionDescriptor : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mluOpCreateSparseConvolutionDescriptor(&desc_), MLUOP_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(mluOpDestroySparseConvolutionDescriptor(desc_), MLUOP_STATUS_SUCCESS);
  }

  mluOpStatus_t set(const Args& args) const {
    const std::array<const std::array<int, 3>*, 6> arrays{&args.pad,          &args.stride,
                                                          &args.dilation,     &args.input_space,
                                                          &args.filter_space, &args.output_space};
    std::array<const int*, 6> pointers;
    for (std::size_t i = 0; i < 6; ++i) {
      pointers[i] = static_cast<int>(i) == args.missing ? nullptr : arrays[i]->data();
    }
    return mluOpSetSparseConvolutionDescriptor(
        desc_, args.dimNb, args.batch_size, pointers[0], pointers[1], pointers[2], pointers[3],
        pointers[4], pointers[5], args.sub_m, args.transpose, args.inverse);
  }

  /// Refused with that sentence, and the descriptor as it was.
  void expect_refused(const std::string& problem, const std::function<void(Args&)>& spoil) const {
    ASSERT_EQ(set({}), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    Args args;
    args.batch_size = 99;  // does not get through
    spoil(args);
    std::string sentence{set_name};
    sentence.append(": ").append(problem);  // with +, GCC 12 warns of an overflow that is not there
    expect_failures({{sentence.c_str(), [&] { return set(args); }}});
    EXPECT_EQ(desc_->batch, 2);
    EXPECT_EQ(desc_->dimNb, 5);
    EXPECT_EQ(desc_->axes[2].stride, 3);
  }

  mluOpSparseConvolutionDescriptor_t desc_ = nullptr;

 private:
  ReadEnvironment limits_{"MLUOP_LIMITS", nullptr};
};

TEST_F(SparseConvolutionDescriptor, StartsWithZeros) {
  EXPECT_EQ(desc_->dimNb, 0);
  EXPECT_EQ(desc_->batch, 0);
  EXPECT_EQ(desc_->sub_m, 0);
  int number = -1;
  EXPECT_EQ(mluOpGetSparseConvolutionNumActOut(desc_, &number), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(number, 0);
}

TEST_F(SparseConvolutionDescriptor, KeepsWhatIsSet) {
  desc_->num_act_out = 17;
  Args args;
  args.sub_m = -3;
  ASSERT_EQ(set(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(desc_->dimNb, 5);
  EXPECT_EQ(desc_->batch, 2);
  EXPECT_EQ(desc_->sub_m, -3) << "any value is stored";
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(desc_->axes[i].pad, args.pad[i]);
    EXPECT_EQ(desc_->axes[i].stride, args.stride[i]);
    EXPECT_EQ(desc_->axes[i].dilation, args.dilation[i]);
    EXPECT_EQ(desc_->axes[i].input_space, args.input_space[i]);
    EXPECT_EQ(desc_->axes[i].filter_space, args.filter_space[i]);
    EXPECT_EQ(desc_->axes[i].output_space, args.output_space[i]);
  }
  EXPECT_EQ(desc_->num_act_out, 17) << "setting the geometry forgets the sites";
}

TEST_F(SparseConvolutionDescriptor, Null) {
  int number = 0;
  expect_failures({{"mluOpCreateSparseConvolutionDescriptor: desc must not be null",
                    [] { return mluOpCreateSparseConvolutionDescriptor(nullptr); },
                    MLUOP_STATUS_NOT_INITIALIZED},
                   {"mluOpGetSparseConvolutionNumActOut: desc must not be null",
                    [&] { return mluOpGetSparseConvolutionNumActOut(nullptr, &number); },
                    MLUOP_STATUS_NOT_INITIALIZED},
                   {"mluOpGetSparseConvolutionNumActOut: num_act_out must not be null",
                    [&] { return mluOpGetSparseConvolutionNumActOut(desc_, nullptr); },
                    MLUOP_STATUS_NOT_INITIALIZED},
                   {"mluOpDestroySparseConvolutionDescriptor: desc must not be null",
                    [] { return mluOpDestroySparseConvolutionDescriptor(nullptr); },
                    MLUOP_STATUS_EXECUTION_FAILED},
                   {"mluOpSetSparseConvolutionDescriptor: desc must not be null", [] {
                      const int ones[] = {1, 1, 1};
                      return mluOpSetSparseConvolutionDescriptor(nullptr, 5, 1, ones, ones, ones,
                                                                 ones, ones, ones, 0, 0, 0);
                    }}});
  const char* const names[] = {"pad",         "stride",       "dilation",
                               "input_space", "filter_space", "output_space"};
  for (int i = 0; i < 6; ++i) {
    expect_refused(std::string(names[i]) + " must not be null", [i](Args& args) {
      args.missing = i;
      args.dimNb = 3;  // looked at later
    });
  }
}

TEST_F(SparseConvolutionDescriptor, BadValues) {
  for (int dims : {-1, 0, 3, 6}) {
    expect_refused("dimNb must be one of 4, 5, got " + std::to_string(dims), [dims](Args& args) {
      args.dimNb = dims;
      args.batch_size = 0;
    });
  }
  for (int batch : {0, -1}) {
    expect_refused("batch_size must be at least 1, got " + std::to_string(batch),
                   [batch](Args& args) {
                     args.batch_size = batch;
                     args.transpose = 2;
                   });
  }
  expect_refused("transpose must be one of 0, 1, got 2", [](Args& args) {
    args.transpose = 2;
    args.inverse = 2;
  });
  expect_refused("inverse must be one of 0, 1, got -1", [](Args& args) {
    args.inverse = -1;
    args.pad[0] = -1;
  });
}

TEST_F(SparseConvolutionDescriptor, BadAxes) {
  using Array = std::array<int, 3> Args::*;
  struct Row {
    const char* name;
    Array array;
    int least;
  };
  const Row rows[] = {{"pad", &Args::pad, 0},
                      {"stride", &Args::stride, 1},
                      {"dilation", &Args::dilation, 1},
                      {"input_space", &Args::input_space, 1},
                      {"filter_space", &Args::filter_space, 1},
                      {"output_space", &Args::output_space, 1}};
  for (const Row& row : rows) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (int value : {row.least - 1, -5}) {
        expect_refused(std::string(row.name) + "[" + std::to_string(axis) + "] must be at least " +
                           std::to_string(row.least) + ", got " + std::to_string(value),
                       [&](Args& args) { (args.*row.array)[axis] = value; });
      }
    }
  }
}

TEST_F(SparseConvolutionDescriptor, BeyondTheCardUnlessItsLimitsApply) {
  const std::string suffix = " (a limit of the card, in force by MLUOP_LIMITS)";
  struct Row {
    std::string problem;
    std::function<void(Args&)> change;
  };
  const Row rows[] = {
      {"dimNb must be 5, got 4" + suffix, [](Args& args) { args.dimNb = 4; }},
      {"transpose must be 0, got 1" + suffix, [](Args& args) { args.transpose = 1; }},
      {"inverse must be 0, got 1" + suffix, [](Args& args) { args.inverse = 1; }}};
  for (const Row& row : rows) {
    Args args;
    row.change(args);
    EXPECT_EQ(set(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    const ReadEnvironment limits{"MLUOP_LIMITS", "mlu"};
    expect_refused(row.problem, row.change);
  }
}

TEST_F(SparseConvolutionDescriptor, GoesByTheEnvironmentOfTheLatestHandle) {
  Args args;
  args.inverse = 1;
  const testing::ScopedEnvironment unread{"MLUOP_LIMITS", "mlu"};
  EXPECT_EQ(set(args), MLUOP_STATUS_SUCCESS) << "no handle has been created since";
  const testing::Handle handle;
  EXPECT_EQ(set(args), MLUOP_STATUS_BAD_PARAM);
  const ReadEnvironment none{"MLUOP_LIMITS", "none"};
  EXPECT_EQ(set(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
}

/// Arrays of an image have two entries; a third is not read.
TEST_F(SparseConvolutionDescriptor, ImagesHaveTwoAxes) {
  Args args;
  args.dimNb = 4;
  args.pad[2] = args.stride[2] = args.dilation[2] = -1;
  args.input_space[2] = args.filter_space[2] = args.output_space[2] = -1;
  EXPECT_EQ(set(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(desc_->axis_count(), 2);
  EXPECT_EQ(desc_->axes[1].filter_space, 4);
}

}  // namespace
}  // namespace mluop::sparse_conv
