// Instruction-set levels: names, order, detection.
#include "runtime/isa.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

namespace mluop {
namespace {

constexpr Isa all[] = {Isa::generic, Isa::sse4, Isa::avx2, Isa::avx512, Isa::amx, Isa::neon};

TEST(Isa, Names) {
  const char* const names[] = {"generic", "sse4", "avx2", "avx512", "amx", "neon"};
  for (int i = 0; i < 6; ++i) EXPECT_STREQ(name_of(all[i]), names[i]);
}

TEST(Isa, AllowsItselfAndWhatIsBelow) {
  // Rows: the handle's limit; columns: the kernel.
  const bool expected[6][6] = {
      {true, false, false, false, false, false}, {true, true, false, false, false, false},
      {true, true, true, false, false, false},   {true, true, true, true, false, false},
      {true, true, true, true, true, false},     {true, false, false, false, false, true}};
  for (int limit = 0; limit < 6; ++limit) {
    for (int kernel = 0; kernel < 6; ++kernel) {
      EXPECT_EQ(isa_allows(all[limit], all[kernel]), expected[limit][kernel])
          << name_of(all[limit]) << ' ' << name_of(all[kernel]);
    }
  }
}

TEST(Isa, DetectedLevelIsWhatHighwayWouldDispatchTo) {
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if ((HWY_TARGETS & HWY_AVX3) == 0 || !avx512) {
    EXPECT_FALSE(isa_allows(detected_isa(), Isa::avx512));
  }
  if (!__builtin_cpu_supports("avx2")) {
    EXPECT_NE(detected_isa(), Isa::avx2);
  }
  if ((HWY_TARGETS & HWY_SSE4) != 0 && __builtin_cpu_supports("sse4.2")) {
    EXPECT_TRUE(isa_allows(detected_isa(), Isa::sse4));
  }
  EXPECT_NE(detected_isa(), Isa::neon);
#endif
  EXPECT_TRUE(isa_allows(detected_isa(), Isa::generic));
}

TEST(Isa, LoweringNeverRaises) {
  const Isa detected = detected_isa();
  EXPECT_EQ(lowered_isa(Isa::generic), Isa::generic);
  EXPECT_EQ(lowered_isa(detected), detected);
  for (Isa wanted : all) {
    const Isa effective = lowered_isa(wanted);
    EXPECT_TRUE(isa_allows(detected, effective)) << name_of(wanted);
    if (isa_allows(detected, wanted)) {
      EXPECT_EQ(effective, wanted);
    } else if (isa_allows(wanted, detected)) {
      EXPECT_EQ(effective, detected) << "more than the machine has";
    } else {
      EXPECT_EQ(effective, Isa::generic) << "another architecture";
    }
  }
}

}  // namespace
}  // namespace mluop
