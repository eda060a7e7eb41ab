// The exact text of cases of CARAFE, RoI-aware pooling and rotated feature align.
#include <gtest/gtest.h>

#include "ops/carafe/kit/calls.hpp"
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

/// Average pooling may omit argmax.
TEST_F(CaseText, RoiawarePool3dWithoutArgmax) {
  mluOpSetGenCaseMode(2);
  testing::HostTensor rois("rois", MLUOP_DTYPE_BFLOAT16, MLUOP_LAYOUT_ARRAY, {1, 7});
  testing::HostTensor pts("pts", MLUOP_DTYPE_BFLOAT16, MLUOP_LAYOUT_ARRAY, {2, 3});
  testing::HostTensor features("features", MLUOP_DTYPE_BFLOAT16, MLUOP_LAYOUT_ARRAY, {2, 1});
  testing::HostTensor lists("lists", MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {1, 1, 1, 1, 3});
  testing::HostTensor pooled("pooled", MLUOP_DTYPE_BFLOAT16, MLUOP_LAYOUT_ARRAY, {1, 1, 1, 1, 1});
  rois.assign(std::vector<double>{0, 0, 0, 2, 2, 2, 0});
  pts.assign(std::vector<double>{0.5, 0.5, 1, 9, 9, 9});
  features.assign(std::vector<double>{1, 2});
  ASSERT_EQ(mluOpRoiawarePool3dForward(
                handle, 1, 1, 2, 1, rois.descriptor(), rois.data(), pts.descriptor(), pts.data(),
                features.descriptor(), features.data(), nullptr, 0, 3, 1, 1, 1, nullptr, nullptr,
                lists.descriptor(), lists.data(), pooled.descriptor(), pooled.data()),
            MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  EXPECT_EQ(only_case(), R"(op_name: "roiaware_pool3d_forward"
op_type: ROIAWARE_POOL3D_FORWARD
input {
  id: "rois"
  shape {
    dims: 1
    dims: 7
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_BFLOAT16
  position: 0
  scale: 1
  offset: 0
  value_h: ["0000", "0000", "0000", "4000", "4000", "4000", "0000"]
}
input {
  id: "pts"
  shape {
    dims: 2
    dims: 3
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_BFLOAT16
  position: 0
  scale: 1
  offset: 0
  value_h: ["3f00", "3f00", "3f80", "4110", "4110", "4110"]
}
input {
  id: "pts_feature"
  shape {
    dims: 2
    dims: 1
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_BFLOAT16
  position: 0
  scale: 1
  offset: 0
  random_data {
    seed: 233
    distribution: UNIFORM
    upper_bound: 10
    lower_bound: -10
  }
}
output {
  id: "argmax_NULL"
  shape {
    dims: 1
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_INT32
  position: 0
  scale: 1
  offset: 0
}
output {
  id: "pts_idx_of_voxels"
  shape {
    dims: 1
    dims: 1
    dims: 1
    dims: 1
    dims: 3
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_INT32
  position: 0
  scale: 1
  offset: 0
}
output {
  id: "pooled_features"
  shape {
    dims: 1
    dims: 1
    dims: 1
    dims: 1
    dims: 1
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_BFLOAT16
  position: 0
  scale: 1
  offset: 0
}
roiaware_pool3d_forward_param {
  pool_method: 1
  boxes_num: 1
  pts_num: 2
  channels: 1
  max_pts_each_voxel: 3
  out_x: 1
  out_y: 1
  out_z: 1
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
