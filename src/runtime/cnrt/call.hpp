// How a call of cnrt.h or cn_api.h ends: no exception crosses the C boundary.
#pragma once

#include <new>

#include "cn_api.h"
#include "cnrt.h"

namespace mluop::cnrt {

/// The result of `body`; exceptions become errors.
template <class Body>
cnrtRet_t caught(Body&& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return cnrtErrorNoMem;
  } catch (...) {
    return cnrtErrorUnknown;
  }
}

/// Keeps an error as the last one of this thread.
void remember_error(cnrtRet_t error) noexcept;

/// The body of a function of cnrt.h.
template <class Body>
cnrtRet_t runtime_call(Body&& body) noexcept {
  const cnrtRet_t result = caught(body);
  if (result != cnrtSuccess) remember_error(result);
  return result;
}

/// An error of cnrt.h in terms of cn_api.h: most have the same number. What a handle that is not live
/// means depends on the function.
CNresult driver_result(cnrtRet_t result, CNresult invalid_handle) noexcept;

/// The body of a function of cn_api.h, which has no last error.
template <class Body>
CNresult driver_call(Body&& body, CNresult invalid_handle = CN_ERROR_INVALID_HANDLE) noexcept {
  return driver_result(caught(body), invalid_handle);
}

inline cnrtRet_t valid_if(bool condition, cnrtRet_t otherwise = cnrtErrorArgsInvalid) noexcept {
  return condition ? cnrtSuccess : otherwise;
}

/// Writes a result; a null pointer is an invalid argument.
template <class Value>
cnrtRet_t report(Value* pointer, Value value) noexcept {
  if (pointer == nullptr) return cnrtErrorArgsInvalid;
  *pointer = value;
  return cnrtSuccess;
}

/// Writes three numbers of a version.
inline cnrtRet_t report_version(int* major, int* minor, int* patch, int x, int y, int z) noexcept {
  if (major == nullptr || minor == nullptr || patch == nullptr) return cnrtErrorArgsInvalid;
  *major = x;
  *minor = y;
  *patch = z;
  return cnrtSuccess;
}

}  // namespace mluop::cnrt
