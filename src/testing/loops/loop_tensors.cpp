// Conversion of whole tensors between half or bfloat16 and float, for loops in float.
#include "testing/loops/loop_tensors.hpp"

#include <cstdint>
#include <cstring>

#include "core/handle/handle.hpp"
#include "runtime/parallel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "testing/loops/loop_tensors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::testing {
namespace HWY_NAMESPACE {
namespace {

using Widen = void (*)(const void* from, std::int64_t count, float* to);
using Narrow = void (*)(const float* from, std::int64_t count, void* to);

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

template <class Stored>
void widen(const void* from, std::int64_t count, float* to) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> d1;
  const auto* stored = static_cast<const Stored*>(from);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(load_as(d, stored + i), d, to + i);
  for (; i < count; ++i) hn::StoreU(load_as(d1, stored + i), d1, to + i);
}

template <class Stored>
void narrow(const float* from, std::int64_t count, void* to) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> d1;
  auto* stored = static_cast<Stored*>(to);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) store_as(d, hn::LoadU(d, from + i), stored + i);
  for (; i < count; ++i) store_as(d1, hn::LoadU(d1, from + i), stored + i);
}

Widen widen_of(mluOpDataType_t dtype) {
  return dtype == MLUOP_DTYPE_HALF ? &widen<Half> : &widen<BFloat16>;
}
Narrow narrow_of(mluOpDataType_t dtype) {
  return dtype == MLUOP_DTYPE_HALF ? &narrow<Half> : &narrow<BFloat16>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace mluop::testing
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::testing {
namespace {

using WidenOf = void (*(*)(mluOpDataType_t))(const void*, std::int64_t, float*);
using NarrowOf = void (*(*)(mluOpDataType_t))(const float*, std::int64_t, void*);

constexpr std::int64_t grain = 1 << 14;  // elements
constexpr std::int64_t narrow_bytes = 2;

}  // namespace

LoopSettings::LoopSettings(mluOpHandle_t handle)
    : threads(handle->threads), isa(vector_isa(handle->isa)) {}

void LoopTensor::widen(const HostTensor& tensor, const LoopSettings& settings) {
  converted_.resize(static_cast<std::size_t>(tensor.count()));
  const auto convert = settings.of(PerIsa<WidenOf>{MLUOP_PER_ISA(widen_of)})(tensor.dtype());
  const auto* from = static_cast<const std::byte*>(tensor.data());
  parallel_for(settings.threads, tensor.count(), grain,
               [&](std::int64_t begin, std::int64_t end, int) {
                 convert(from + narrow_bytes * begin, end - begin, converted_.data() + begin);
               });
}

void LoopTensor::store(HostTensor& tensor, const LoopSettings& settings) const {
  if (is_in_place(tensor)) return;
  const auto convert = settings.of(PerIsa<NarrowOf>{MLUOP_PER_ISA(narrow_of)})(tensor.dtype());
  auto* to = static_cast<std::byte*>(tensor.data());
  parallel_for(settings.threads, tensor.count(), grain,
               [&](std::int64_t begin, std::int64_t end, int) {
                 convert(converted_.data() + begin, end - begin, to + narrow_bytes * begin);
               });
}

}  // namespace mluop::testing
#endif
