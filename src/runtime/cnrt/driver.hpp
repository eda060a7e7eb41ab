// What the functions of cn_api.h share.
#pragma once

#include "cn_api.h"
#include "runtime/cnrt/call.hpp"

namespace mluop::cnrt {

/// The body of a function about a device.
template <class Body>
CNresult on_device(CNdev device, Body&& body) noexcept {
  if (device != 0) return CN_ERROR_INVALID_DEVICE;
  return driver_call(body);
}

}  // namespace mluop::cnrt
