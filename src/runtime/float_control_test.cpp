// The floating-point state of callers and workers: rounding, subnormals, masks, flags.
#include "runtime/float_control.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <thread>

#include "runtime/parallel.hpp"

namespace mluop {
namespace {

/// A loop whose chunks last long enough for workers to join.
template <class Body>
void loop_with_workers(const Body& body) {
  std::atomic<int> helped{0};
  for (int attempt = 0; attempt < 1000 && helped == 0;
       ++attempt) {  // on a busy machine they are late
    parallel_for(4, 64, 1, [&](std::int64_t, std::int64_t, int worker) {
      body(worker);
      if (worker != 0) ++helped;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    });
  }
  EXPECT_GT(helped, 0);
}

/// 1 / 3 in the current rounding mode.
float third() {
  volatile float one = 1, three = 3;
  return one / three;
}

TEST(FloatControl, WorkersUseTheCallersRounding) {
  for (int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    std::fesetround(mode);
    const float expected = third();
    std::atomic<int> strangers{0};
    loop_with_workers([&](int) {
      if (third() != expected) ++strangers;
    });
    EXPECT_EQ(strangers, 0) << mode;
    EXPECT_EQ(std::fegetround(), mode) << "the caller's own is untouched";
  }
}

TEST(FloatControl, MasksUntilTheEndOfTheScope) {
  std::feclearexcept(FE_ALL_EXCEPT);
  std::feraiseexcept(FE_UNDERFLOW);
  feenableexcept(FE_DIVBYZERO | FE_INVALID);
  {
    const MaskedExceptions masked;
    volatile double zero = 0, quotient = 1 / zero;  // would be SIGFPE
    (void)quotient;
  }
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), FE_UNDERFLOW) << "as before, and nothing new";
  EXPECT_EQ(fegetexcept(), FE_DIVBYZERO | FE_INVALID);
  fedisableexcept(FE_ALL_EXCEPT);
  std::feclearexcept(FE_ALL_EXCEPT);
}

TEST(FloatControl, WorkersHaveTheirExceptionsMasked) {
  feenableexcept(FE_DIVBYZERO);
  loop_with_workers([&](int worker) {
    volatile double zero = 0;
    volatile double quotient = worker == 0 ? 0 : 1 / zero;  // worker 0 is this thread
    (void)quotient;
  });
  fedisableexcept(FE_ALL_EXCEPT);
  std::feclearexcept(FE_ALL_EXCEPT);
}

#if defined(__SSE2__)
TEST(FloatControl, WorkersFlushSubnormalsIfTheCallerDoes) {
  constexpr unsigned flush = 0x8040;  // FTZ and DAZ
  const unsigned before = _mm_getcsr();
  for (unsigned mode : {before, before | flush, before}) {
    _mm_setcsr(mode);
    std::atomic<int> strangers{0};
    loop_with_workers([&](int) {
      if ((_mm_getcsr() & flush) != (mode & flush)) ++strangers;
    });
    EXPECT_EQ(strangers, 0) << mode;
  }
  _mm_setcsr(before);
}
#endif

}  // namespace
}  // namespace mluop
