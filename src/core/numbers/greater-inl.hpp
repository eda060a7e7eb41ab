// The maximum that NaN never wins; included per target.
#if defined(MLUOPS_CORE_GREATER_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CORE_GREATER_INL_HPP
#undef MLUOPS_CORE_GREATER_INL_HPP
#else
#define MLUOPS_CORE_GREATER_INL_HPP
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::HWY_NAMESPACE {

/// The new value if it is greater than the old one, which is no NaN: NaN never wins, and of zeros of both
/// signs the first stays.
template <class V>
HWY_INLINE V greater(V value, V old) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Max(value, old);  // as the instruction defines it
#else
  return hn::IfThenElse(hn::Gt(value, old), value, old);
#endif
}

}  // namespace mluop::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
