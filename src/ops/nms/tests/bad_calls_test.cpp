// Every bad call of the tables of this family is refused as stated, and which of two faults is reported.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "ops/nms/kit/spoilable_call.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::nms::checks {
namespace {

class NmsChecks : public ::testing::TestWithParam<const Operation*>, protected BadCalls {
 protected:
  NmsChecks() : BadCalls(*GetParam()) {}

  void expect_accepted(const char* what, mluOpCpuLimits_t limits, bool written,
                       const std::function<void(Args&)>& change) const {
    SCOPED_TRACE(what);
    Args args(operation);
    args.limits = limits;
    change(args);
    EXPECT_EQ(call(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(args.outputs_untouched(), !written);
  }
};

INSTANTIATE_TEST_SUITE_P(, NmsChecks, ::testing::ValuesIn(operations),
                         [](const auto& test) { return test.param->op; });

TEST_P(NmsChecks, TablesAreRefusedAsStated) {
  const auto outcomes = bad_calls(operation);
  EXPECT_GT(outcomes.size(), 40u);
  for (const auto& outcome : outcomes) testing::fail_on(outcome);
}

TEST_P(NmsChecks, OrderOfRulesInBothModes) {
  table.add("handle before descriptors", BAD_PARAM, "handle must not be null", [](Args& args) {
    args.boxes.has_desc = false;
    args.has_handle = false;
  });
  table.add("descriptors before dtype", BAD_PARAM, result() + "_desc must not be null",
            [](Args& args) {
              args.output.has_desc = false;
              args.dtypes(MLUOP_DTYPE_INT32);
            });
  table.add("dtype before strides", BAD_PARAM, first() + " dtype must be", [](Args& args) {
    args.dtypes(MLUOP_DTYPE_INT32);
    args.boxes.strides = {100, 1};
  });
  if (operation.function == Function::nms) {
    table.add("nms_desc before output", BAD_PARAM, "nms_desc must not be null", [](Args& args) {
      args.has_nms_desc = false;
      args.output.has_desc = false;
    });
    table.add("data before ranks", BAD_PARAM, "boxes must not be null", [](Args& args) {
      args.boxes.has_data = false;
      args.boxes.dims = {5};
    });
    table.add("shapes before dtype", BAD_PARAM, "confidence dim 0 must be N = 5", [](Args& args) {
      args.second.dims = {6};
      args.dtypes(MLUOP_DTYPE_INT32);
    });
    table.add("strides before workspace", NOT_SUPPORTED, "boxes must be contiguous",
              [](Args& args) {
                args.boxes.strides = {5, 1};
                args.workspace_size = 8;
              });
    table.add("room before workspace", BAD_PARAM, "output elements must be at least 5, got 4",
              [](Args& args) {
                args.output.dims = {4};
                args.workspace_size = 8;
              });
    table.add("workspace before confidence", BAD_PARAM, "workspace must not be null",
              [](Args& args) {
                args.second.has_data = false;
                args.workspace_size = 8;
              });
  } else {
    table.add("dtype before rank", BAD_PARAM, first() + " dtype must be", [](Args& args) {
      args.dtypes(MLUOP_DTYPE_INT32);
      args.boxes.dims.pop_back();
    });
    table.add("strides before shape", NOT_SUPPORTED, first() + " must be contiguous",
              [](Args& args) {
                args.boxes.strides = {100, 1};
                args.boxes.dims[1] = 3;
              });
    table.add("shape before data", BAD_PARAM, first() + " dim 1 must be", [](Args& args) {
      args.boxes.has_data = false;
      args.boxes.dims[1] = 3;
    });
  }
  expect_refused_in_both_modes();
}

TEST_P(NmsChecks, WithoutBoxesOnlyTheNumberIsWritten) {
  for (const auto limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    Args args(operation);
    args.limits = limits;
    args.count(0);
    if (operation.function != Function::nms) {
      args.boxes.has_data = args.second.has_data = args.output.has_data = false;
    } else {
      args.output.dims = {5};
    }
    EXPECT_EQ(call(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(args.output_data, std::vector<double>(args.output_data.size(), -7.0));
    const std::int32_t number = *reinterpret_cast<std::int32_t*>(args.number_data.data());
    EXPECT_EQ(number, operation.suppresses() ? 0 : -7);
    if (operation.function == Function::cpu_nms || operation.function == Function::nms3d) {
      expect_accepted("no number either", limits, false, [](Args& without) {
        without.count(0);
        without.has_number = false;
      });
    }
  }
}

TEST(NmsChecksOfOne, OverlapsWithoutBoxesBAreDone) {
  Args args(overlap_operation);
  args.second.dims[0] = args.output.dims[1] = 0;
  args.second.has_data = args.output.has_data = false;
  EXPECT_EQ(call(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_TRUE(args.outputs_untouched());
}

TEST(NmsChecksOfOne, CountsOfInt64AreInt64) {
  for (const Operation* operation : {&cpu_nms_operation, &nms3d_operation}) {
    Args args(*operation);
    args.output.dtype = MLUOP_DTYPE_INT64;
    args.number_data = {-1};
    ASSERT_EQ(call(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(args.number_data.front(), 5) << "all of its bytes";
  }
}

TEST(NmsDescriptorChecks, SetTakesWhatTheHeaderAllows) {
  mluOpNmsDescriptor_t desc = nullptr;
  ASSERT_EQ(mluOpCreateNmsDescriptor(&desc), MLUOP_STATUS_SUCCESS);
  const auto set = [&](int box_mode, int output_mode, int algo, int method, float sigma, int most,
                       float offset, int layout) {
    return mluOpSetNmsDescriptor(
        desc, static_cast<mluOpNmsBoxPointMode_t>(box_mode),
        static_cast<mluOpNmsOutputMode_t>(output_mode), static_cast<mluOpNmsAlgo_t>(algo),
        static_cast<mluOpNmsMethodMode_t>(method), 0.5f, sigma, most, 0, offset, layout, false);
  };
  const auto expect_refused = [&](mluOpStatus_t status, const char* text) {
    EXPECT_EQ(status, BAD_PARAM) << text;
    EXPECT_EQ(std::string(mluOpCpuGetLastError()), std::string("mluOpSetNmsDescriptor: ") + text);
  };
  EXPECT_EQ(set(0, 0, 0, 0, 0, 0, 0, 0), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(set(1, 3, 1, 2, 0.5f, 100, 1, 1), MLUOP_STATUS_SUCCESS);
  expect_refused(set(0, 0, 0, 0, 0, -1, 0, 0), "max_output_size must be at least 0, got -1");
  expect_refused(set(0, 0, 0, 0, 0, 1, 0.5f, 0), "offset must be one of 0, 1, got 0.5");
  expect_refused(set(0, 0, 0, 0, 0, 1, 2, 0), "offset must be one of 0, 1, got 2");
  expect_refused(set(0, 0, 0, 0, 0, 1, 0, 2), "input_layout must be one of 0, 1, got 2");
  expect_refused(set(0, 0, 0, 0, -1, 1, 0, 0), "soft_nms_sigma must be at least 0, got -1");
  expect_refused(set(2, 0, 0, 0, 0, 1, 0, 0), "box_mode must be one of 0, 1, got 2");
  expect_refused(set(0, 4, 0, 0, 0, 1, 0, 0), "output_mode must be one of 0, 1, 2, 3, got 4");
  expect_refused(set(0, 0, 2, 0, 0, 1, 0, 0), "algo must be one of 0, 1, got 2");
  expect_refused(set(0, 0, 0, 3, 0, 1, 0, 0), "method_mode must be one of 0, 1, 2, got 3");
  expect_refused(set(0, 0, 0, 0, std::nanf(""), -1, 0, 0),
                 "max_output_size must be at least 0, got -1");
  EXPECT_EQ(mluOpDestroyNmsDescriptor(desc), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(mluOpCreateNmsDescriptor(nullptr), BAD_PARAM);
  EXPECT_EQ(mluOpDestroyNmsDescriptor(nullptr), BAD_PARAM);
  EXPECT_EQ(mluOpSetNmsDescriptor(nullptr, MLUOP_NMS_BOX_DIAGONAL, MLUOP_NMS_OUTPUT_TARGET_INDICES,
                                  MLUOP_NMS_ALGO_EXCLUDE_BOUNDARY, MLUOP_NMS_HARD_NMS, 0, 0, 0, 0,
                                  0, 0, false),
            BAD_PARAM);
}

TEST(NmsWorkspace, IsNone) {
  testing::Handle handle;
  Args args(nms_operation);
  const auto boxes = args.boxes.make_descriptor();
  std::size_t size = 7;
  EXPECT_EQ(mluOpGetNmsWorkspaceSize(handle.get(), nullptr, boxes.get(), nullptr, &size),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(size, 0u);
  size = 7;
  EXPECT_EQ(mluOpGetNmsWorkspaceSize(nullptr, nullptr, boxes.get(), nullptr, &size), BAD_PARAM);
  EXPECT_EQ(mluOpGetNmsWorkspaceSize(handle.get(), nullptr, nullptr, nullptr, &size), BAD_PARAM);
  EXPECT_EQ(mluOpGetNmsWorkspaceSize(handle.get(), nullptr, boxes.get(), nullptr, nullptr),
            BAD_PARAM);
  EXPECT_EQ(std::string(mluOpCpuGetLastError()),
            "mluOpGetNmsWorkspaceSize: workspace_size must not be null");
  EXPECT_EQ(size, 7u);
}

}  // namespace
}  // namespace mluop::nms::checks
