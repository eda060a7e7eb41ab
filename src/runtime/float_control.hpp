// The floating-point state that kernels compute in: the caller's rounding mode and treatment of
// subnormals, with every exception masked.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace mluop {

#if defined(__SSE2__)

/// The state that a loop gives to its workers. Vector code depends on MXCSR only.
class FloatControl {
 public:
  /// Unset, not to be applied; all bits zero, so that static memory needs no initialiser.
  constexpr FloatControl() noexcept = default;
  /// This thread's rounding and subnormal modes; exceptions masked, flags clear.
  static FloatControl of_this_thread() noexcept {
    return FloatControl{(_mm_getcsr() & ~unsigned{_MM_EXCEPT_MASK}) | _MM_MASK_MASK};
  }
  void apply() const noexcept { _mm_setcsr(mxcsr_); }

 private:
  explicit constexpr FloatControl(unsigned mxcsr) noexcept : mxcsr_(mxcsr) {}
  unsigned mxcsr_ = 0;
};

/// Masks the exceptions of this thread until the end of the scope, then restores masks and sticky flags:
/// exceptions that a kernel raises on padding or stale scratch are irrelevant to the caller.
class MaskedExceptions {
 public:
  MaskedExceptions() noexcept { FloatControl::of_this_thread().apply(); }
  ~MaskedExceptions() { _mm_setcsr(former_); }
  MaskedExceptions(const MaskedExceptions&) = delete;
  MaskedExceptions& operator=(const MaskedExceptions&) = delete;

 private:
  unsigned former_ = _mm_getcsr();
};

#else

class FloatControl {
 public:
  constexpr FloatControl() noexcept = default;
  static FloatControl of_this_thread() noexcept {
    FloatControl control;
    std::fenv_t former;
    std::feholdexcept(&former);
    std::fegetenv(&control.environment_);
    std::fesetenv(&former);
    return control;
  }
  void apply() const noexcept { std::fesetenv(&environment_); }

 private:
  std::fenv_t environment_{};
};

class MaskedExceptions {
 public:
  MaskedExceptions() noexcept { std::feholdexcept(&former_); }
  ~MaskedExceptions() { std::fesetenv(&former_); }
  MaskedExceptions(const MaskedExceptions&) = delete;
  MaskedExceptions& operator=(const MaskedExceptions&) = delete;

 private:
  std::fenv_t former_;
};

#endif

}  // namespace mluop
