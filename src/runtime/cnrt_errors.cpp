// Names and descriptions of the errors of cnrt.h.
#include "cnrt.h"

namespace {

struct ErrorInfo {
  cnrtRet_t error;
  const char* name;
  const char* text;
};

constexpr ErrorInfo unknown_error{cnrtErrorUnknown, "cnrtErrorUnknown", "unknown error"};
constexpr ErrorInfo errors[]{
    {cnrtSuccess, "cnrtSuccess", "success"},
    {cnrtErrorNotReady, "cnrtErrorNotReady", "not ready yet"},
    {cnrtErrorInit, "cnrtErrorInit", "initialization failed"},
    {cnrtErrorNoDevice, "cnrtErrorNoDevice", "no device"},
    {cnrtErrorDeviceInvalid, "cnrtErrorDeviceInvalid", "invalid device ordinal"},
    {cnrtErrorArgsInvalid, "cnrtErrorArgsInvalid", "invalid argument"},
    {cnrtErrorSys, "cnrtErrorSys", "system call failed"},
    {cnrtErrorSysNoMem, "cnrtErrorSysNoMem", "out of host memory"},
    {cnrtErrorInvalidResourceHandle, "cnrtErrorInvalidResourceHandle",
     "not a live queue or notifier"},
    {cnrtErrorIllegalState, "cnrtErrorIllegalState", "notifier not placed yet"},
    {cnrtErrorNotSupport, "cnrtErrorNotSupport", "not supported"},
    {cnrtErrorNoMem, "cnrtErrorNoMem", "out of memory"},
    {cnrtErrorMemcpyDirectionInvalid, "cnrtErrorMemcpyDirectionInvalid",
     "invalid memcpy direction"},
};

const ErrorInfo& info_of(cnrtRet_t error) {
  for (const ErrorInfo& info : errors) {
    if (info.error == error) return info;
  }
  return unknown_error;
}

}  // namespace

const char* cnrtGetErrorName(cnrtRet_t error) { return info_of(error).name; }

const char* cnrtGetErrorStr(cnrtRet_t error) { return info_of(error).text; }
