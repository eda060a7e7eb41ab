// Calls with finite halves whose results overflow half.
#pragma once

#include <memory>
#include <string_view>

#include "mlu_op.h"

namespace mluop::testing {

class OverflowingCall {
 public:
  virtual ~OverflowingCall() = default;
  virtual mluOpStatus_t run(mluOpHandle_t handle) = 0;
  /// In the outputs of the last run.
  virtual bool has_infinities() const = 0;
};

/// Null for operators whose results cannot be larger than their data.
std::unique_ptr<OverflowingCall> overflowing_call(std::string_view op);

}  // namespace mluop::testing
