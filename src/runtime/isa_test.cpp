// Instruction-set levels: names, order, detection.
#include "runtime/isa.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

namespace mluop {
namespace {

constexpr Isa all[] = {Isa::generic,     Isa::sse4, Isa::avx2, Isa::avx512,
                       Isa::avx512_bf16, Isa::amx,  Isa::neon};

TEST(Isa, Names) {
  const char* const names[] = {"generic", "sse4", "avx2", "avx512", "avx512_bf16", "amx", "neon"};
  for (int i = 0; i < 7; ++i) EXPECT_STREQ(name_of(all[i]), names[i]);
}

TEST(Isa, AllowsItselfAndWhatIsBelow) {
  // Rows: the handle's limit; columns: the kernel.
  const bool expected[7][7] = {
      {true, false, false, false, false, false, false},
      {true, true, false, false, false, false, false},
      {true, true, true, false, false, false, false},
      {true, true, true, true, false, false, false},
      {true, true, true, true, true, false, false},
      {true, true, true, true, false, true, false},  // amx does not include avx512_bf16
      {true, false, false, false, false, false, true}};
  for (int limit = 0; limit < 7; ++limit) {
    for (int kernel = 0; kernel < 7; ++kernel) {
      EXPECT_EQ(isa_allows(all[limit], all[kernel]), expected[limit][kernel])
          << name_of(all[limit]) << ' ' << name_of(all[kernel]);
    }
  }
}

TEST(Isa, DetectedLevelIsWhatHighwayWouldDispatchTo) {
  const auto targets = hwy::SupportedTargets() & HWY_TARGETS;
  const Isa detected = detected_isa();
  EXPECT_TRUE(isa_allows(detected, Isa::generic));
#if HWY_ARCH_X86
  EXPECT_EQ(isa_allows(detected, Isa::sse4), (targets & (HWY_SSE4 | HWY_AVX2 | HWY_AVX3)) != 0);
  EXPECT_EQ(isa_allows(detected, Isa::avx2), (targets & (HWY_AVX2 | HWY_AVX3)) != 0);
  EXPECT_EQ(isa_allows(detected, Isa::avx512), (targets & HWY_AVX3) != 0);
  EXPECT_NE(detected, Isa::neon);
#else
  EXPECT_EQ(detected == Isa::neon, (targets & HWY_NEON) != 0);
#endif
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
    } else if (isa_allows(detected, Isa::avx512) && isa_allows(wanted, Isa::avx512)) {
      EXPECT_EQ(effective, Isa::avx512) << "the machine has the other unit";
    } else {
      EXPECT_EQ(effective, Isa::generic) << "another architecture";
    }
  }
}

}  // namespace
}  // namespace mluop
