// The exact text of cases of sparse convolution.
#include <gtest/gtest.h>

#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "ops/sparse_conv/kit/pairs/call.hpp"
#include "recorder/recorder_fixture.hpp"
#include "testing/faults/read_environment.hpp"

namespace mluop::recorder {
namespace {

class SparseCaseText : public RecorderTest {
 protected:
  testing::Handle handle;
};

TEST_F(SparseCaseText, GetIndicePairs) {
  mluOpSetGenCaseMode(1);
  const testing::ReadEnvironment outputs("MLUOP_GEN_CASE_DUMP_DATA_OUTPUT", "2");
  const sparse_conv::reference::Geometry geometry{.batch = 2,
                                                  .stride = {2, 1, 1},
                                                  .input_space = {3, 1, 1},
                                                  .filter_space = {2, 1, 1},
                                                  .output_space = {1, 1, 1}};
  const std::vector<std::int32_t> sites{0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0};
  sparse_conv::PairsCall call(geometry, sites, 2);
  ASSERT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(only_case(), R"(op_name: "get_indice_pairs"
op_type: GET_INDICE_PAIRS
input {
  id: "indices"
  shape {
    dims: 3
    dims: 4
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_INT32
  position: 0
  scale: 1
  offset: 0
  value_i: [0, 0, 0, 0, 1, 1, 0, 0,
    1, 0, 0, 0]
}
output {
  id: "out_indices"
  shape {
    dims: 2
    dims: 4
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_INT32
  position: 0
  scale: 1
  offset: 0
  value_i: [0, 0, 0, 0, 1, 0, 0, 0]
}
output {
  id: "indice_pairs"
  shape {
    dims: 2
    dims: 2
    dims: 3
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_INT32
  position: 0
  scale: 1
  offset: 0
  value_i: [0, 2, -1, 0, 1, -1, 1, -1,
    -1, 1, -1, -1]
}
output {
  id: "indice_num"
  shape {
    dims: 2
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_INT32
  position: 0
  scale: 1
  offset: 0
  value_i: [2, 1]
}
get_indice_pairs_param {
  dimnb: 5
  batch: 2
  pad: 0
  pad: 0
  pad: 0
  stride: 2
  stride: 1
  stride: 1
  dilation: 1
  dilation: 1
  dilation: 1
  input_space: 3
  input_space: 1
  input_space: 1
  filter_space: 2
  filter_space: 1
  filter_space: 1
  output_space: 1
  output_space: 1
  output_space: 1
  sub_m: 0
  transpose: 0
  inverse: 0
  num_act_out: 0
}
handle_param {
  round_mode: ROUND_TO_EVEN
}
test_param {
  error_func: DIFF3
  error_threshold: 0
  baseline_device: CPU
}
)");
}

TEST_F(SparseCaseText, IndiceConvolutionBackwardFilter) {
  mluOpSetGenCaseMode(1);
  ASSERT_EQ(mluOpSetQuantizeRoundMode(handle, MLUOP_ROUND_HALF_OFF_ZERO), MLUOP_STATUS_SUCCESS);
  const std::vector<std::int32_t> rows{0, 1, 2, 0, 1, 1, 2, 0, 0, 1, 0, 0};
  const auto table =
      std::make_shared<const sparse_conv::PairTable>(3, 2, rows, std::vector<std::int64_t>{3, 1});
  const sparse_conv::Operands operands(table, {MLUOP_LAYOUT_HWCN, {2, 1}, 4, 5}, MLUOP_DTYPE_DOUBLE,
                                       false, true);
  sparse_conv::backward_filter_direction.compute(handle, operands);
  EXPECT_EQ(only_case(), R"(op_name: "indice_convolution_backward_filter"
op_type: INDICE_CONVOLUTION_BACKWARD_FILTER
input {
  id: "features"
  shape {
    dims: 3
    dims: 4
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_DOUBLE
  position: 0
  scale: 1
  offset: 0
  random_data {
    seed: 233
    distribution: UNIFORM
    upper_bound: 1
    lower_bound: -1
  }
}
input {
  id: "output_grad"
  shape {
    dims: 2
    dims: 5
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_DOUBLE
  position: 0
  scale: 1
  offset: 0
  random_data {
    seed: 233
    distribution: UNIFORM
    upper_bound: 1
    lower_bound: -1
  }
}
input {
  id: "indice_pairs"
  shape {
    dims: 2
    dims: 2
    dims: 3
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_INT32
  position: 0
  scale: 1
  offset: 0
  random_data {
    seed: 233
    distribution: UNIFORM
    upper_bound: 2
    lower_bound: 0
  }
}
output {
  id: "diff_w"
  shape {
    dims: 2
    dims: 1
    dims: 4
    dims: 5
  }
  layout: LAYOUT_HWCN
  dtype: DTYPE_DOUBLE
  position: 0
  scale: 1
  offset: 0
}
indice_convolution_backward_param {
  inverse: 0
  sub_m: 1
  indice_num: 3
  indice_num: 1
}
handle_param {
  round_mode: ROUND_OFF_ZERO
}
test_param {
  error_func: DIFF1
  error_func: DIFF2
  error_threshold: 0.003
  error_threshold: 0.003
  baseline_device: CPU
}
)");
}

/// The function with layouts is recorded as the same operator if case files have the layout.
TEST_F(SparseCaseText, IndiceConvolutionBackwardFilterByLayout) {
  mluOpSetGenCaseMode(1);
  const std::vector<std::int32_t> rows{0, 1, 2, 0, 1, 1, 2, 0, 0, 1, 0, 0};
  const auto table =
      std::make_shared<const sparse_conv::PairTable>(3, 2, rows, std::vector<std::int64_t>{3, 1});
  const auto compute = [&](mluOpTensorLayout_t layout) {
    sparse_conv::backward_filter_by_layout_direction.compute(
        handle, sparse_conv::Operands(table, {layout, {2, 1}, 4, 5}, MLUOP_DTYPE_FLOAT));
  };
  for (const mluOpTensorLayout_t layout : {MLUOP_LAYOUT_NHWC, MLUOP_LAYOUT_NCHW}) compute(layout);
  EXPECT_TRUE(files().empty());
  compute(MLUOP_LAYOUT_HWCN);
  EXPECT_TRUE(only_case().starts_with("op_name: \"indice_convolution_backward_filter\""));
  compute(MLUOP_LAYOUT_ARRAY);
  EXPECT_EQ(files().size(), 2u);
}

}  // namespace
}  // namespace mluop::recorder
