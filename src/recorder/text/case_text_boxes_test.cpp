// The exact text of a case without parameters; operators that are not recorded.
#include <gtest/gtest.h>

#include <string_view>

#include "ops/points_in_boxes/kit/cases.hpp"
#include "recorder/recorder_fixture.hpp"

namespace mluop::recorder {
namespace {

using points_in_boxes::Variant;

class BoxesCaseText : public RecorderTest {
 protected:
  mluOpStatus_t run(const Variant& variant, std::int64_t boxes) {
    const points_in_boxes::reference::Shape shape{1, 1, boxes};
    const std::vector<double> none, one{0, 0, -1, 2, 2, 2, 0};
    auto tensors = points_in_boxes::cases::make_tensors(
        variant, shape, {{0, 0, 1}, boxes == 0 ? none : one}, MLUOP_DTYPE_FLOAT);
    return variant.run(handle, tensors.points, tensors.boxes, tensors.result);
  }

  testing::Handle handle;
};

TEST_F(BoxesCaseText, PointsInBoxes) {
  mluOpSetGenCaseMode(2);
  ASSERT_EQ(run(points_in_boxes::points_in_boxes_variant, 1), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(only_case(), R"(op_name: "points_in_boxes"
op_type: POINTS_IN_BOXES
input {
  id: "points"
  shape {
    dims: 1
    dims: 1
    dims: 3
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_FLOAT
  position: 0
  scale: 1
  offset: 0
  value_h: ["00000000", "00000000", "3f800000"]
}
input {
  id: "boxes"
  shape {
    dims: 1
    dims: 1
    dims: 7
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_FLOAT
  position: 0
  scale: 1
  offset: 0
  value_h: ["00000000", "00000000", "00000000", "40000000", "40000000", "40000000", "00000000"]
}
output {
  id: "points_indices"
  shape {
    dims: 1
    dims: 1
  }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_INT32
  position: 0
  scale: 1
  offset: 0
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

TEST_F(BoxesCaseText, ExtensionsAndCallsWithoutBoxesLeaveNone) {
  mluOpSetGenCaseMode(2);
  for (const Variant* variant : points_in_boxes::variants) {
    ASSERT_EQ(run(*variant, 0), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    if (std::string_view{variant->op} == "points_in_boxes") continue;
    ASSERT_EQ(run(*variant, 1), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  }
  EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace mluop::recorder
