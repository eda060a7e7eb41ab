// Loads and stores between stored types and the vectors kernels compute in; included per target.
//
// Highway 1.0's own half conversions assume finite values where F16C is missing, and its bfloat16
// store truncates; these round to nearest even and keep infinities and NaN on every target.
#if defined(MLUOPS_CORE_SIMD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CORE_SIMD_INL_HPP
#undef MLUOPS_CORE_SIMD_INL_HPP
#else
#define MLUOPS_CORE_SIMD_INL_HPP
#endif

#include <hwy/highway.h>

#include "core/numbers/dtype.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
#define MLUOPS_NATIVE_HALF 1
#else
#define MLUOPS_NATIVE_HALF 0
#endif

template <class D>
HWY_INLINE hn::Vec<D> load_as(D d, const float* from) {
  return hn::LoadU(d, from);
}

template <class D>
HWY_INLINE hn::Vec<D> load_as(D d, const double* from) {
  return hn::LoadU(d, from);
}

template <class D>
HWY_INLINE hn::Vec<D> load_as(D d, const BFloat16* from) {
  const hn::Rebind<std::uint16_t, D> d16;
  const hn::Rebind<std::uint32_t, D> d32;
  const auto bits = hn::PromoteTo(d32, hn::LoadU(d16, &from->bits));
  return hn::BitCast(d, hn::ShiftLeft<16>(bits));
}

template <class D>
HWY_INLINE hn::Vec<D> load_as(D d, const Half* from) {
  const hn::Rebind<std::uint16_t, D> d16;
  const auto stored = hn::LoadU(d16, &from->bits);
#if MLUOPS_NATIVE_HALF
  const hn::Rebind<hwy::float16_t, D> dh;
  return hn::PromoteTo(d, hn::BitCast(dh, stored));
#else
  const hn::Rebind<std::uint32_t, D> d32;
  const auto bits = hn::PromoteTo(d32, stored);
  const auto magnitude = hn::And(bits, hn::Set(d32, 0x7FFFu));
  const auto sign = hn::ShiftLeft<16>(hn::Xor(bits, magnitude));
  // Subnormals are converted as integers, so that a caller's denormals-are-zero mode keeps them.
  const hn::RebindToSigned<decltype(d32)> di32;
  const auto subnormal = hn::BitCast(
      d32, hn::Mul(hn::ConvertTo(d, hn::BitCast(di32, magnitude)), hn::Set(d, 0x1p-24f)));
  const auto normal = hn::Add(hn::ShiftLeft<13>(magnitude), hn::Set(d32, 112u << 23));
  const auto scaled = hn::IfThenElse(hn::Lt(magnitude, hn::Set(d32, 0x400u)), subnormal, normal);
  const auto special = hn::VecFromMask(d32, hn::Gt(magnitude, hn::Set(d32, 0x7BFFu)));
  const auto exponent = hn::And(special, hn::Set(d32, 0x7F800000u));
  return hn::BitCast(d, hn::Or(sign, hn::Or(scaled, exponent)));
#endif
}

template <class D>
HWY_INLINE void store_as(D d, hn::Vec<D> value, float* to) {
  hn::StoreU(value, d, to);
}

template <class D>
HWY_INLINE void store_as(D d, hn::Vec<D> value, double* to) {
  hn::StoreU(value, d, to);
}

template <class D>
HWY_INLINE void store_as(D /*d*/, hn::Vec<D> value, BFloat16* to) {
  const hn::Rebind<std::uint32_t, D> d32;
  const auto bits = hn::BitCast(d32, value);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d32, 1u));
  const auto rounded = hn::Add(bits, hn::Add(odd, hn::Set(d32, 0x7FFFu)));
  const auto quiet = hn::Or(bits, hn::Set(d32, 0x400000u));
  const auto is_nan = hn::RebindMask(d32, hn::IsNaN(value));
  const auto high = hn::ShiftRight<16>(hn::IfThenElse(is_nan, quiet, rounded));
  const hn::Rebind<std::uint16_t, D> d16;
  hn::StoreU(hn::TruncateTo(d16, high), d16, &to->bits);
}

template <class D>
HWY_INLINE void store_as([[maybe_unused]] D d, hn::Vec<D> value, Half* to) {
  const hn::Rebind<std::uint16_t, D> d16;
#if MLUOPS_NATIVE_HALF
  const hn::Rebind<hwy::float16_t, D> dh;
  hn::StoreU(hn::BitCast(d16, hn::DemoteTo(dh, value)), d16, &to->bits);
#else
  const hn::Rebind<std::uint32_t, D> d32;
  const auto bits = hn::BitCast(d32, value);
  const auto magnitude = hn::And(bits, hn::Set(d32, 0x7FFFFFFFu));
  const auto sign = hn::ShiftRight<16>(hn::Xor(bits, magnitude));
  // Below 2^-14 the float adder rounds at the right place when 0.5 supplies the leading bit.
  const auto half = hn::Set(d, 0.5f);
  const auto small =
      hn::Sub(hn::BitCast(d32, hn::Add(hn::BitCast(d, magnitude), half)), hn::BitCast(d32, half));
  const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(d32, 1u));
  const auto rebiased = hn::Sub(magnitude, hn::Set(d32, 112u << 23));
  const auto normal = hn::ShiftRight<13>(hn::Add(rebiased, hn::Add(odd, hn::Set(d32, 0xFFFu))));
  const auto payload = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(d32, 0x3FFu));
  const auto nan = hn::Or(payload, hn::Set(d32, 0x7E00u));
  const auto infinite = hn::Set(d32, 0x7C00u);
  const auto below = [&](std::uint32_t bound) { return hn::Lt(magnitude, hn::Set(d32, bound)); };
  auto result = hn::IfThenElse(below(0x38800000u), small, normal);
  result = hn::IfThenElse(below(0x47800000u), result, infinite);
  result = hn::IfThenElse(below(0x7F800001u), result, nan);
  hn::StoreU(hn::TruncateTo(d16, hn::Or(result, sign)), d16, &to->bits);
#endif
}

#undef MLUOPS_NATIVE_HALF

}  // namespace mluop::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
