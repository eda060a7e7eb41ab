// Copies: maps widened to the type kernels compute in with groups padded to whole vectors, and bytes with
// non-temporal stores.
#include <hwy/cache_control.h>

#include <cstdint>

#include "ops/carafe/rows/rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/rows/copy_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/rows/convert-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

template <class T>
void widen(const Widening<T>& widening) {
  widen_pixels(widening);
}

const PerDtype<WidenKernel>& widen_table() {
  static constexpr PerDtype<WidenKernel> all{widen<float>, widen<double>, widen<Half>,
                                             widen<BFloat16>};
  return all;
}

void stream(const std::byte* from, std::byte* to, std::int64_t bytes) {
  stream_bytes(from, to, bytes);
  hwy::FlushStream();
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const KernelTable<PerDtype<WidenKernel>> widen_kernels = MLUOP_PER_ISA(widen_table);
const PerIsa<StreamKernel> stream_kernels = MLUOP_PER_ISA(stream);

}  // namespace mluop::carafe
#endif
