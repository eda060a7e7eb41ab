// Non-default rounding modes: every thread uses the mode of the caller, which is unchanged afterwards.
#include <gtest/gtest.h>

#include <cfenv>

#include "small_calls.hpp"

namespace mluop::testing {
namespace {

/// Sets the rounding mode until the end of the scope.
class ScopedRounding {
 public:
  explicit ScopedRounding(int mode) : former_(std::fegetround()) { std::fesetround(mode); }
  ~ScopedRounding() { std::fesetround(former_); }
  ScopedRounding(const ScopedRounding&) = delete;
  ScopedRounding& operator=(const ScopedRounding&) = delete;

 private:
  int former_;
};

class RoundingModes : public ::testing::TestWithParam<const Suite*> {
 protected:
  /// The bits of a call in a mode, which the call must not change.
  Bits run(Call& call, const Handle& handle, int mode) {
    for (HostTensor& output : call.outputs()) output.poison();
    int left = 0;
    mluOpStatus_t status = MLUOP_STATUS_SUCCESS;
    {
      const ScopedRounding rounding(mode);
      status = call.run(handle);
      left = std::fegetround();
    }
    EXPECT_EQ(status, MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(left, mode);
    return snapshot(call.outputs());
  }

  /// Whether a mode gave other bits than rounding to nearest.
  bool expect_one_result_per_mode(Call& call, Handle& handle) {
    bool differs = false;
    const Bits nearest = run(call, handle.threads(1), FE_TONEAREST);
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      const Bits expected = run(call, handle.threads(1), mode);
      run(call, handle.threads(3), mode);
      EXPECT_EQ(first_difference(call.outputs(), expected), "") << "mode " << mode;
      differs |= expected != nearest;
    }
    return differs;
  }
};

TEST_P(RoundingModes, GiveTheSameBitsWithOneThreadAndWithThree) {
  const Suite& suite = *GetParam();
  bool differs = false;
  for (const Case& test_case : several_cases(suite)) {
    for (const mluOpDataType_t dtype : suite.dtypes) {
      const auto call = test_case.make(dtype);
      for (const std::string& level : Handle{}.levels()) {
        SCOPED_TRACE(test_case.shape + ' ' + mluop::name_of(dtype) + ", " + level);
        Handle handle;
        handle.isa(level);
        differs |= expect_one_result_per_mode(*call, handle);
      }
    }
  }
  // The gradient of dynamic point to voxel is a copy, but for means of several points. The others differ only for
  // points within a rounding error of a side, or for overlaps as near the threshold; their own tests cover that.
  if (suite.op.starts_with("points_in_boxes") || suite.op == "voxelization" ||
      suite.op == "dynamic_voxelize" || suite.op.ends_with("nms") || suite.op == "nms3d" ||
      suite.op == "nms_rotated" || suite.op == "dynamic_point_to_voxel_backward") {
    return;
  }
  const bool has_sums = suite.op != "get_indice_pairs" && suite.op != "indice_maxpool_forward";
  EXPECT_EQ(differs, has_sums) << "the caller's mode is not the one that kernels run in";
}

INSTANTIATE_TEST_SUITE_P(, RoundingModes, ::testing::ValuesIn(all_suites()), name_of_test);

}  // namespace
}  // namespace mluop::testing
