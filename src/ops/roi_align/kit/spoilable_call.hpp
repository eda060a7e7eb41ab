// Calls of RoI align that rows of a table can spoil.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "mlu_op.h"
#include "ops/roi_align/descriptor.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/bad_calls.hpp"
#include "testing/suite/tensor_argument.hpp"

namespace mluop::roi_align::checks {

inline constexpr mluOpStatus_t BAD_PARAM = MLUOP_STATUS_BAD_PARAM;
inline constexpr mluOpStatus_t NOT_SUPPORTED = MLUOP_STATUS_NOT_SUPPORTED;

using testing::TensorArgument;

/// average_backward is the older function of the gradient, which the card does not have.
enum class Function { forward, backward, average_backward };

/// What a table is about.
struct Variant {
  Function function;
  bool maximum;

  bool backward() const { return function != Function::forward; }
  const char* name() const;
  /// The tensors' names in messages.
  std::string images() const { return backward() ? "grads_image" : "input"; }
  std::string bins() const { return backward() ? "grads" : "output"; }
  /// The first tensor, whose dtype others must have.
  std::string first() const { return backward() ? bins() : images(); }
};

/// A valid call until a row spoils it: three RoIs of two images.
struct Args {
  Variant variant{Function::forward, false};
  TensorArgument images{{2, 5, 6, 8}, MLUOP_LAYOUT_NHWC};
  TensorArgument boxes{{3, 5}};
  TensorArgument bins{{3, 2, 4, 8}, MLUOP_LAYOUT_NHWC};
  TensorArgument argmax_x = bins, argmax_y = bins;
  /// Written without mluOpSetRoiAlignForwardDescriptor_v2, which would refuse some values.
  cnnlRoiAlignStruct roialign{2, 4, 0, 0.5f, 1, true};
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  bool has_handle = true, has_roialign = true;

  // The data fit the valid call; a larger tensor must be refused before they are read.
  static constexpr float untouched = -7;
  std::vector<float> image_data = std::vector<float>(480, untouched);
  std::vector<float> box_data = {0, 1, 1, 8, 8, 1, 0, 2, 6, 5, 1, 3, 3, 9, 9};
  std::vector<float> bin_data = std::vector<float>(192, untouched);
  std::vector<float> x_data = bin_data, y_data = bin_data;

  bool outputs_untouched() const {
    const auto same = [](const std::vector<float>& data) {
      return std::ranges::all_of(data, [](float value) { return value == untouched; });
    };
    if (variant.backward()) return same(image_data);
    return same(bin_data) && same(x_data) && same(y_data);
  }

  void dtypes(mluOpDataType_t dtype) {
    for (TensorArgument* tensor : {&images, &boxes, &bins, &argmax_x, &argmax_y}) {
      tensor->dtype = dtype;
    }
  }
  void bin_dim(std::size_t axis, std::int64_t size) {
    for (TensorArgument* tensor : {&bins, &argmax_x, &argmax_y}) tensor->dims[axis] = size;
  }
  void without_argmax() {
    for (TensorArgument* tensor : {&argmax_x, &argmax_y}) {
      tensor->has_desc = tensor->has_data = false;
    }
  }
  std::vector<testing::PlaceableMemory> memory();
};

mluOpStatus_t call(Args& args);

/// An argument by its name in messages.
struct Named {
  std::string name;
  TensorArgument Args::*tensor;
};
/// Those that the variant reads or writes, in the order of the parameters.
std::vector<Named> tensors_of(const Variant& variant);

/// Rows under construction for one variant.
class BadCalls {
 public:
  explicit BadCalls(const Variant& tried) : variant(tried) {}

 protected:
  std::vector<Named> tensors() const { return tensors_of(variant); }
  Args valid_call(mluOpCpuLimits_t limits) const;
  /// On the card there is nothing to try of average_backward.
  void expect_refused(mluOpCpuLimits_t limits) const;
  /// The same rows must hold whether or not the card's limits apply.
  void expect_refused_in_both_modes() const {
    expect_refused(MLUOP_CPU_LIMITS_NONE);
    expect_refused(MLUOP_CPU_LIMITS_MLU);
  }

  const Variant variant;
  testing::BadCallTable<Args> table;
};

/// Tries every row of the tables, of averages and of maxima; those of backward include average_backward.
std::vector<testing::BadCallOutcome> bad_calls(Function function);

}  // namespace mluop::roi_align::checks
