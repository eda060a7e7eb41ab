// Keeping a loaded vector in its register; included per target.
#if defined(MLUOPS_CARAFE_PIN_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_PIN_INL_HPP
#undef MLUOPS_CARAFE_PIN_INL_HPP
#else
#define MLUOPS_CARAFE_PIN_INL_HPP
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// GCC folds a load into every multiply-add that uses it. With two uses the loop would be bound by loads.
template <class V>
HWY_INLINE V pinned(V v) {
#if (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3) && HWY_COMPILER_GCC
  asm("" : "+v"(v.raw));
#endif
  return v;
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
