// What the tests of Check share: descriptors, and the sentence that a rule leaves.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/check/check.hpp"

namespace mluop {

inline mluOpTensorStruct descriptor(const std::vector<std::int64_t>& dims,
                                    mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT,
                                    mluOpTensorLayout_t layout = MLUOP_LAYOUT_NHWC) {
  mluOpTensorStruct desc;
  desc.dtype = dtype;
  desc.layout = layout;
  desc.reshape(dims, dense_strides(dims));
  return desc;
}

/// A sentence about a limit of the card.
inline std::string on_card(std::string sentence) { return sentence.append(Check::card_suffix); }

class CheckTest : public ::testing::Test {
 protected:
  /// The status and sentence of a check with one tensor x.
  template <class Rules>
  std::string failure(const mluOpTensorStruct* desc, Rules&& rules, const void* data = nullptr) {
    Check check{"f", &handle_};
    const Tensor x{"x", desc, data};
    rules(check, x);
    if (check.status() == MLUOP_STATUS_SUCCESS) return "";
    return std::to_string(check.status()) + " " + last_error();
  }

  mluOpContext handle_;
};

inline constexpr auto group = [](Check& check, const Tensor& x) { return check.tensors(x); };

}  // namespace mluop
