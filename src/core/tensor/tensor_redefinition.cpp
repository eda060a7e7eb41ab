// Judging and applying new sizes, layouts and dtypes.
#include "core/tensor/tensor_redefinition.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/status/log.hpp"
#include "core/status/text.hpp"

namespace mluop {
namespace {

using Sizes = std::vector<std::int64_t>;

/// The API lets a product overflow the caller's integers and only warns.
template <class Int>
void warn_of_overflow(const char* function, const Sizes& dims) {
  if (!log_enabled(MLUOP_CPU_LOG_WARNING)) return;
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return;
  Int product = 1;
  for (std::int64_t size : dims) {
    if (__builtin_mul_overflow(product, size, &product)) {
      log(MLUOP_CPU_LOG_WARNING, std::string{function} + ": the number of elements of " +
                                     list_of(dims) + " does not fit a " + text_of(8 * sizeof(Int)) +
                                     "-bit integer");
      return;
    }
  }
}

}  // namespace

void require_rank(int dimNb, const mluOpTensorStruct& desc) {
  if (dimNb == 0 && desc.pointer_mode != MLUOP_POINTER_MODE_HOST) {
    throw Failure{MLUOP_STATUS_BAD_PARAM,
                  "dimNb must be at least 1 unless the pointer mode is HOST, got 0"};
  }
}

template <class Int>
mluOpTensorStruct reshaped(const char* function, const mluOpTensorStruct& desc, int dimNb,
                           const Int* dimSize, const PointerArgument* dimStride) {
  require("dimNb", dimNb, at_least(0));
  mluOpTensorStruct next = desc;
  if (dimNb == 0) {
    next.reshape({}, {});
    return next;
  }
  require_present({{"dimSize", dimSize}});
  if (dimStride != nullptr) require_present({*dimStride});

  Sizes dims(dimSize, dimSize + dimNb);
  warn_of_overflow<Int>(function, dims);
  if (dimStride == nullptr) {
    Sizes strides = dense_strides(dims);
    next.reshape(std::move(dims), std::move(strides));
  } else {
    const Int* const given = static_cast<const Int*>(dimStride->pointer);
    next.reshape(std::move(dims), Sizes(given, given + dimNb));
  }
  return next;
}

template <class Int>
mluOpTensorStruct redefined(const char* function, const mluOpTensorStruct& desc, TensorKind kind,
                            int dimNb, const Int* dimSize, const PointerArgument* dimStride) {
  require("layout", kind.layout, at_least(0));
  require("dtype", kind.dtype, at_least(0));
  require_rank(dimNb, desc);
  mluOpTensorStruct next = reshaped(function, desc, dimNb, dimSize, dimStride);
  next.layout = kind.layout;
  next.dtype = kind.dtype;
  return next;
}

template mluOpTensorStruct reshaped(const char*, const mluOpTensorStruct&, int, const int*,
                                    const PointerArgument*);
template mluOpTensorStruct reshaped(const char*, const mluOpTensorStruct&, int, const std::int64_t*,
                                    const PointerArgument*);
template mluOpTensorStruct redefined(const char*, const mluOpTensorStruct&, TensorKind, int,
                                     const int*, const PointerArgument*);
template mluOpTensorStruct redefined(const char*, const mluOpTensorStruct&, TensorKind, int,
                                     const std::int64_t*, const PointerArgument*);

}  // namespace mluop
