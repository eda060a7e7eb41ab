// Names and descriptions of the errors of cnrt.h and cn_api.h, and the last error of each thread.
#include <utility>

#include "runtime/cnrt/call.hpp"

namespace {

struct ErrorInfo {
  int error;
  const char* name;
  const char* text;
};

/// The row of an error, or the first one, which is about unknown errors.
template <std::size_t count>
const ErrorInfo& info_of(const ErrorInfo (&errors)[count], int error) {
  for (const ErrorInfo& info : errors) {
    if (info.error == error) return info;
  }
  return errors[0];
}

#define ROW(error, text) \
  { error, #error, text }

constexpr ErrorInfo runtime_errors[]{
    ROW(cnrtErrorUnknown, "unknown error"),
    ROW(cnrtSuccess, "success"),
    ROW(cnrtErrorNotReady, "not ready yet"),
    ROW(cnrtErrorInit, "initialization failed"),
    ROW(cnrtErrorNoDevice, "no device"),
    ROW(cnrtErrorDeviceInvalid, "invalid device ordinal"),
    ROW(cnrtErrorArgsInvalid, "invalid argument"),
    ROW(cnrtErrorSys, "system call failed"),
    ROW(cnrtErrorSysNoMem, "out of host memory"),
    ROW(cnrtErrorInvalidResourceHandle, "not a live queue or notifier"),
    ROW(cnrtErrorIllegalState, "notifier not placed yet"),
    ROW(cnrtErrorNotSupport, "not supported"),
    ROW(cnrtErrorOpsNotPermitted, "not permitted"),
    ROW(cnrtErrorQueue, "no default queue"),
    ROW(cnrtErrorNoMem, "out of memory"),
    ROW(cnrtErrorAssert, "an assertion of device code failed"),
    ROW(cnrtErrorKernelTrap, "device code trapped"),
    ROW(cnrtErrorKernelUserTrap, "device code trapped on request"),
    ROW(cnrtErrorNotFound, "not found"),
    ROW(cnrtErrorInvalidKernel, "invalid kernel"),
    ROW(cnrtErrorUnsupportedKernelVersion, "unsupported version of a kernel"),
    ROW(cnrtErrorQueueCaptureUnsupported, "not permitted during queue capture"),
    ROW(cnrtErrorQueueCaptureInvalidated, "queue capture invalidated"),
    ROW(cnrtErrorQueueCaptureWrongThread, "queue capture of another thread"),
    ROW(cnrtErrorQueueCaptureMerged, "two queue captures merged"),
    ROW(cnrtErrorQueueCaptureUnjoined, "a fork of a queue capture not joined"),
    ROW(cnrtErrorQueueCaptureIsolation, "dependency across a queue capture"),
    ROW(cnrtErrorQueueCaptureUnmatched, "not the queue where the capture began"),
    ROW(cnrtErrorTaskTopoEntityUpdateFailure, "update of a task topology failed"),
    ROW(cnrtErrorNoKernel, "no such kernel"),
    ROW(cnrtErrorNoModule, "no such module"),
    ROW(cnrtErrorSetOnActiveProcess, "the process is active already"),
    ROW(cnrtErrorDevice, "resource of another device"),
    ROW(cnrtErrorNoAttribute, "no such attribute"),
    ROW(cnrtErrorMemcpyDirectionInvalid, "invalid memcpy direction"),
    ROW(cnrtErrorBusy, "busy"),
    ROW(cnrtErrorCndrvFuncCall, "call of the driver failed"),
    ROW(cnrtErrorCndevFuncCall, "call of the device library failed"),
    ROW(cnrtErrorNoCnrtContext, "no context"),
    ROW(cnrtErrorCndrvFuncNotFound, "function of the driver not found"),
    ROW(cnrtErrorInvalidSymbol, "invalid symbol"),
};

constexpr ErrorInfo driver_errors[]{
    ROW(CN_ERROR_UNKNOWN, "unknown error"),
    ROW(CN_SUCCESS, "success"),
    ROW(CN_ERROR_NOT_READY, "not ready yet"),
    ROW(CN_ERROR_NOT_INITIALIZED, "not initialized"),
    ROW(CN_ERROR_DEINITIALIZED, "no longer initialized"),
    ROW(CN_ERROR_NO_DEVICE, "no device"),
    ROW(CN_ERROR_INVALID_DEVICE, "invalid device"),
    ROW(CN_ERROR_INVALID_VALUE, "invalid argument"),
    ROW(CN_ERROR_OPERATING_SYSTEM, "system call failed"),
    ROW(CN_ERROR_SYSTEM_NOT_READY, "system not ready"),
    ROW(CN_ERROR_SYSTEM_DRIVER_MISMATCH, "versions of library and driver differ"),
    ROW(CN_ERROR_SYSTEM_OUT_OF_MEMORY, "out of host memory"),
    ROW(CN_ERROR_INVALID_ADDRESS, "invalid host address"),
    ROW(CN_ERROR_FILE_NOT_FOUND, "file not found"),
    ROW(CN_ERROR_COMPAT_NOT_SUPPORT_ON_SYSTEM, "incompatible devices"),
    ROW(CN_ERROR_INVALID_HANDLE, "invalid handle"),
    ROW(CN_ERROR_ILLEGAL_STATE, "illegal state"),
    ROW(CN_ERROR_ECC_UNCORRECTABLE, "uncorrectable memory error"),
    ROW(CN_OPS_ERROR_NOT_SUPPORTED, "not supported"),
    ROW(CN_OPS_ERROR_NOT_PERMITTED, "not permitted"),
    ROW(CN_OPS_ERROR_TIMEOUT, "timeout"),
    ROW(CN_OPS_ERROR_OUT_OF_RESOURCES, "out of resources"),
    ROW(CN_QUEUE_ERROR_INVALID, "not a live queue"),
    ROW(CN_QUEUE_ERROR_OUT_OF_RESOURCES, "out of queues"),
    ROW(CN_NOTIFIER_ERROR_INVALID, "not a live notifier that measures time"),
    ROW(CN_NOTIFIER_ERROR_OUT_OF_RESOURCES, "out of notifiers"),
    ROW(CN_MEMORY_ERROR_OUT_OF_MEMORY, "out of memory"),
    ROW(CN_MEMORY_ERROR_OUT_OF_PROCESS_MAX_MEMORY, "above the memory limit of the process"),
    ROW(CN_MEMORY_ERROR_INVALID_ADDRESS, "not live device memory"),
    ROW(CN_INVOKE_ERROR_OUT_OF_RESOURCES, "out of resources for a kernel"),
    ROW(CN_INVOKE_ERROR_EXECUTED_TIMEOUT, "a kernel runs too long"),
    ROW(CN_INVOKE_ERROR_TIMEOUT, "a kernel waits too long"),
    ROW(CN_INVOKE_ERROR, "a kernel failed"),
    ROW(CN_CONTEXT_ERROR_INVALID, "no live context"),
    ROW(CN_CONTEXT_ERROR_OUT_OF_RESOURCES, "out of contexts"),
    ROW(CN_ERROR_INVALID_FATBIN, "invalid device code"),
    ROW(CN_ERROR_NOT_FOUND, "not found"),
    ROW(CN_ERROR_INVALID_KERNEL, "invalid kernel"),
};

#undef ROW

thread_local cnrtRet_t last_error = cnrtSuccess;

}  // namespace

namespace mluop::cnrt {

void remember_error(cnrtRet_t error) noexcept { last_error = error; }

CNresult driver_result(cnrtRet_t result, CNresult invalid_handle) noexcept {
  static_assert(int{cnrtErrorDeviceInvalid} == int{CN_ERROR_INVALID_DEVICE});
  static_assert(int{cnrtErrorArgsInvalid} == int{CN_ERROR_INVALID_VALUE});
  static_assert(int{cnrtErrorNotSupport} == int{CN_OPS_ERROR_NOT_SUPPORTED});
  static_assert(int{cnrtErrorNoMem} == int{CN_MEMORY_ERROR_OUT_OF_MEMORY});
  switch (result) {
    case cnrtErrorInvalidResourceHandle:
      return invalid_handle;
    case cnrtErrorIllegalState:
      return CN_ERROR_NOT_READY;
    case cnrtErrorUnknown:
      return CN_ERROR_UNKNOWN;
    default:
      return static_cast<CNresult>(result);
  }
}

}  // namespace mluop::cnrt

const char* cnrtGetErrorName(cnrtRet_t error) { return info_of(runtime_errors, error).name; }

const char* cnrtGetErrorStr(cnrtRet_t error) { return info_of(runtime_errors, error).text; }

cnrtRet_t cnrtGetLastError(void) { return std::exchange(last_error, cnrtSuccess); }

cnrtRet_t cnrtPeekAtLastError(void) { return last_error; }

CNresult cnGetErrorString(CNresult error, const char** pStr) {
  return mluop::cnrt::driver_call(
      [&] { return mluop::cnrt::report(pStr, info_of(driver_errors, error).text); });
}

CNresult cnGetErrorName(CNresult error, const char** pStr) {
  return mluop::cnrt::driver_call(
      [&] { return mluop::cnrt::report(pStr, info_of(driver_errors, error).name); });
}
