// The exact text of cases of the families without indices.
#include <gtest/gtest.h>

#include "ops/carafe/calls.hpp"
#include "recorder/recorder_fixture.hpp"

namespace mluop::recorder {
namespace {

class CaseText : public RecorderTest {
 protected:
  testing::Handle handle;
};

TEST_F(CaseText, RotatedFeatureAlign) {
  mluOpSetGenCaseMode(2);
  PixelCall call;
  call.shape.spatial_scale = 0.1f;
  ASSERT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(only_case(), R"(op_name: "rotated_feature_align_forward"
op_type: ROTATED_FEATURE_ALIGN_FORWARD
input {
  id: "input"
  shape {
    dims: 1
    dims: 1
    dims: 1
    dims: 1
  }
  layout: LAYOUT_NHWC
  dtype: DTYPE_FLOAT
  position: 0
  scale: 1
  offset: 0
  random_data {
    seed: 233
    distribution: UNIFORM
    upper_bound: 100
    lower_bound: -100
  }
}
input {
  id: "rois"
  shape {
    dims: 1
    dims: 1
    dims: 1
    dims: 5
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_FLOAT
  position: 0
  scale: 1
  offset: 0
  value_h: ["00000000", "00000000", "3f800000", "3f800000", "00000000"]
}
output {
  id: "output"
  shape {
    dims: 1
    dims: 1
    dims: 1
    dims: 1
  }
  layout: LAYOUT_NHWC
  dtype: DTYPE_FLOAT
  position: 0
  scale: 1
  offset: 0
}
rotated_feature_align_forward_param {
  spatial_scale: 0.1
  points: 1
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

TEST_F(CaseText, Carafe) {
  mluOpSetGenCaseMode(1);
  const carafe::reference::Shape shape{1, 3, 4, 2, 5, 1, 2};
  carafe::ForwardData call(shape, carafe::cases::low_map(shape, MLUOP_DTYPE_HALF, "input"),
                           carafe::cases::mask_map(shape, MLUOP_DTYPE_HALF, "mask"));
  ASSERT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(only_case(), R"(op_name: "carafe_forward"
op_type: CARAFE_FORWARD
input {
  id: "input"
  shape {
    dims: 1
    dims: 3
    dims: 4
    dims: 2
  }
  layout: LAYOUT_NHWC
  dtype: DTYPE_HALF
  position: 0
  scale: 1
  offset: 0
  random_data {
    seed: 233
    distribution: UNIFORM
    upper_bound: 5.1
    lower_bound: -5.3
  }
}
input {
  id: "mask"
  shape {
    dims: 1
    dims: 6
    dims: 8
    dims: 25
  }
  layout: LAYOUT_NHWC
  dtype: DTYPE_HALF
  position: 0
  scale: 1
  offset: 0
  random_data {
    seed: 233
    distribution: UNIFORM
    upper_bound: 1
    lower_bound: 0
  }
}
output {
  id: "output"
  shape {
    dims: 1
    dims: 6
    dims: 8
    dims: 2
  }
  layout: LAYOUT_NHWC
  dtype: DTYPE_HALF
  position: 0
  scale: 1
  offset: 0
}
carafe_param {
  dimnb: 4
  kernel_size: 5
  group_size: 1
  scale_factor: 2
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

}  // namespace
}  // namespace mluop::recorder
