// The two operators as data: they take the same arguments, and each is the transpose of the other.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mlu_op.h"
#include "ops/rotated_feature_align/kit/plain.hpp"
#include "ops/rotated_feature_align/kit/reference.hpp"
#include "testing/data/handle.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::rotated_feature_align {

struct Direction {
  const char* op;        // as in the table of implementations
  const char* function;  // of the C API
  const char* from;      // its arguments, as messages name them
  const char* to;
  decltype(&mluOpRotatedFeatureAlignForward) call;
  bool backward;

  std::string name() const { return backward ? "backward" : "forward"; }

  mluOpStatus_t run(mluOpHandle_t handle, const reference::Shape& shape,
                    const testing::HostTensor& source, const testing::HostTensor& boxes,
                    testing::HostTensor& result) const {
    return call(handle, source.descriptor(), source.data(), boxes.descriptor(), boxes.data(),
                shape.spatial_scale, shape.points, result.descriptor(), result.data());
  }

  /// The operator on numbers that are rounded to `dtype` first; throws unless it succeeds.
  std::vector<double> compute(mluOpHandle_t handle, const reference::Shape& shape,
                              mluOpDataType_t dtype, std::span<const double> source,
                              std::span<const double> boxes) const {
    const std::vector<std::int64_t> dims{shape.N, shape.H, shape.W, shape.C};
    testing::HostTensor features(from, dtype, MLUOP_LAYOUT_NHWC, dims);
    testing::HostTensor bboxes("bboxes", dtype, MLUOP_LAYOUT_ARRAY, {shape.N, shape.H, shape.W, 5});
    testing::HostTensor result(to, dtype, MLUOP_LAYOUT_NHWC, dims);
    features.assign(source);
    bboxes.assign(boxes);
    testing::expect_success(run(handle, shape, features, bboxes, result), function);
    return result.values();
  }

  /// Computed at least one precision above the dtype, so that its own error does not count.
  std::vector<double> reference(const reference::Shape& shape, const testing::HostTensor& source,
                                const testing::HostTensor& boxes) const {
    const std::vector<double> values = source.values(), box_values = boxes.values();
    const auto compute = [&]<class Real>(Real) {
      return backward ? reference::backward<Real>(shape, values, box_values)
                      : reference::forward<Real>(shape, values, box_values);
    };
    return source.dtype() == MLUOP_DTYPE_DOUBLE ? compute(0.0L) : compute(0.0);
  }

  /// Computed as kernels have to: in double for double, else in float.
  std::vector<double> plain(const reference::Shape& shape, const testing::HostTensor& source,
                            const testing::HostTensor& boxes) const {
    const std::vector<double> values = source.values(), box_values = boxes.values();
    const auto compute = [&]<class Real>(Real) {
      return backward ? plain::backward<Real>(shape, values, box_values, source.dtype())
                      : plain::forward<Real>(shape, values, box_values, source.dtype());
    };
    return source.dtype() == MLUOP_DTYPE_DOUBLE ? compute(0.0) : compute(0.0f);
  }
};

inline constexpr Direction forward_direction{"rotated_feature_align_forward",
                                             "mluOpRotatedFeatureAlignForward",
                                             "input",
                                             "output",
                                             mluOpRotatedFeatureAlignForward,
                                             false};
inline constexpr Direction backward_direction{"rotated_feature_align_backward",
                                              "mluOpRotatedFeatureAlignBackward",
                                              "top_output",
                                              "bottom_input",
                                              mluOpRotatedFeatureAlignBackward,
                                              true};

}  // namespace mluop::rotated_feature_align
