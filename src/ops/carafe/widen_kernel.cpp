// Copies: of maps in the type kernels compute in, their groups padded to whole vectors, and of bytes past
// the caches.
#include <hwy/cache_control.h>

#include <cstdint>
#include <cstring>

#include "ops/carafe/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/widen_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/convert-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

template <class T>
void widen(const Widening<T>& widening) {
  widen_pixels(widening);
}

const PerType<WidenKernel>& widen_table() {
  static constexpr PerType<WidenKernel> all{widen<float>, widen<double>, widen<Half>,
                                            widen<BFloat16>};
  return all;
}

void stream(const std::byte* from, std::byte* to, std::int64_t bytes) {
  const hn::ScalableTag<std::uint8_t> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto beyond = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to)) % 64;
  const std::int64_t head = HWY_MIN(beyond == 0 ? 0 : 64 - beyond, bytes);
  std::memcpy(to, from, static_cast<std::size_t>(head));
  std::int64_t at = head;
  for (; at + 64 <= bytes; at += 64) {
    for (std::int64_t i = 0; i < 64; i += lanes) {
      const auto* const line = reinterpret_cast<const std::uint8_t*>(from + at + i);
      hn::Stream(hn::LoadU(d, line), d, reinterpret_cast<std::uint8_t*>(to + at + i));
    }
  }
  hwy::FlushStream();
  std::memcpy(to + at, from + at, static_cast<std::size_t>(bytes - at));
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const PerIsa<const PerType<WidenKernel>& (*)()> widen_kernels = MLUOP_PER_ISA(widen_table);
const PerIsa<StreamKernel> stream_kernels = MLUOP_PER_ISA(stream);

}  // namespace mluop::carafe
#endif
