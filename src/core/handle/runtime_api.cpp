// The runtime functions of mlu_op.h: handles, modes, versions, error names.
#include <array>

#include "core/check/arguments.hpp"
#include "core/handle/handle.hpp"
#include "core/numbers/dtype.hpp"
#include "core/status/status.hpp"
#include "mlu_op.h"

using namespace mluop;  // NOLINT(google-build-using-namespace): the C entry points are global

mluOpStatus_t mluOpCreate(mluOpHandle_t* handle) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}});
    *handle = new mluOpContext;
  });
}

mluOpStatus_t mluOpDestroy(mluOpHandle_t handle) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}});
    delete handle;
  });
}

mluOpStatus_t mluOpUpdateContextInformation(mluOpHandle_t handle) {
  return guarded(__func__, [&] { require_present({{"handle", handle}}); });
}

mluOpStatus_t mluOpSetQueue(mluOpHandle_t handle, cnrtQueue_t queue) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}});
    handle->queue = queue;
  });
}

mluOpStatus_t mluOpGetQueue(mluOpHandle_t handle, cnrtQueue_t* queue) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}, {"queue", queue}});
    *queue = handle->queue;
  });
}

mluOpStatus_t mluOpSetQuantizeRoundMode(mluOpHandle_t handle, mluOpQuantizeRoundMode_t round_mode) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}});
    require("round_mode", round_mode,
            one_of(MLUOP_ROUND_HALF_TO_EVEN, MLUOP_ROUND_HALF_UP, MLUOP_ROUND_HALF_OFF_ZERO));
    handle->round_mode = round_mode;
  });
}

mluOpStatus_t mluOpGetQuantizeRoundMode(mluOpHandle_t handle,
                                        mluOpQuantizeRoundMode_t* round_mode) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}, {"round_mode", round_mode}});
    *round_mode = handle->round_mode;
  });
}

mluOpStatus_t mluOpSetAtomicsMode(mluOpHandle_t handle, mluOpAtomicsMode_t atomics_mode) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}});
    handle->atomics_mode = atomics_mode;
  });
}

mluOpStatus_t mluOpGetAtomicsMode(mluOpHandle_t handle, mluOpAtomicsMode_t* atomics_mode) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}, {"atomics_mode", atomics_mode}});
    *atomics_mode = handle->atomics_mode;
  });
}

const char* mluOpGetErrorString(mluOpStatus_t status) {
  static constexpr std::array names{
      "MLUOP_STATUS_SUCCESS",           "MLUOP_STATUS_NOT_INITIALIZED",
      "MLUOP_STATUS_ALLOC_FAILED",      "MLUOP_STATUS_BAD_PARAM",
      "MLUOP_STATUS_INTERNAL_ERROR",    "MLUOP_STATUS_ARCH_MISMATCH",
      "MLUOP_STATUS_EXECUTION_FAILED",  "MLUOP_STATUS_NOT_SUPPORTED",
      "MLUOP_STATUS_NUMERICAL_OVERFLOW"};
  const auto index = static_cast<std::size_t>(status);
  return index < names.size() ? names[index] : "MLUOP_STATUS_UNKNOWN";
}

mluOpStatus_t mluOpGetSizeOfDataType(mluOpDataType_t data_type, size_t* size) {
  return guarded(__func__, [&] {
    require_present({{"size", size}});
    if (data_type == MLUOP_DTYPE_INVALID) {
      throw Failure{MLUOP_STATUS_BAD_PARAM, "data_type must not be INVALID"};
    }
    *size = size_of(data_type);
  });
}

void mluOpGetLibVersion(int* major, int* minor, int* patch) {
  if (major != nullptr) *major = MLUOP_MAJOR;
  if (minor != nullptr) *minor = MLUOP_MINOR;
  if (patch != nullptr) *patch = MLUOP_PATCHLEVEL;
}
