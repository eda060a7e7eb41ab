// Detection of the instruction set, as Highway would detect it and as the library was built.
#include "runtime/isa.hpp"

#include <hwy/highway.h>

#include <atomic>

#if HWY_ARCH_X86
#include <cpuid.h>
#elif HWY_ARCH_ARM_A64 && defined(__linux__)
#include <sys/auxv.h>
#endif
#if defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace mluop {
namespace {

constexpr PerIsa<const char*> names{"generic",     "sse4", "avx2", "avx512",
                                    "avx512_bf16", "amx",  "neon"};

constexpr bool is_x86(Isa isa) { return isa != Isa::generic && isa != Isa::neon; }

/// The best vector level that processor and system support, as hwy::SupportedTargets reports it. Detected
/// here because that function is the only part of Highway that is not header-only: without it the library
/// does not depend on libhwy.so.
Isa vectors_of_the_machine() noexcept {
#if HWY_ARCH_X86
  __builtin_cpu_init();
  unsigned a = 0, b = 0, c = 0, d = 0;
  const bool f16c = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
  const bool lzcnt = __get_cpuid(0x80000001, &a, &b, &c, &d) != 0 && (c & bit_LZCNT) != 0;
  const bool sse4 = __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1") &&
                    __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul") &&
                    __builtin_cpu_supports("aes");
  const bool avx2 = sse4 && f16c && lzcnt && __builtin_cpu_supports("avx2") &&
                    __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  return avx512 ? Isa::avx512 : avx2 ? Isa::avx2 : sse4 ? Isa::sse4 : Isa::generic;
#elif HWY_ARCH_ARM_A64 && defined(__linux__)
  // NEON is part of the architecture. AES is optional, and Highway compiles for both.
  return (getauxval(AT_HWCAP) & HWCAP_AES) != 0 ? Isa::neon : Isa::generic;
#else
  return Isa::generic;
#endif
}

/// Whether vdpbf16ps, which multiplies and adds two pairs of bfloat16, has the rate of a float FMA, so that
/// bfloat16 takes half the time: on Zen 4 and later. Intel's CPUs execute it at a quarter of that rate.
bool fast_bf16_products() noexcept {
#if HWY_ARCH_X86
  __builtin_cpu_init();
  return __builtin_cpu_is("amd") && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

/// Whether the CPU has AMX tiles with bfloat16 products and Linux grants them to this process. The 8 KiB of
/// state per thread must be requested once, by ARCH_REQ_XCOMP_PERM for the feature XTILEDATA.
bool amx_granted() noexcept {
#if defined(__x86_64__) && defined(__linux__)
  constexpr unsigned tile_bf16 = 1u << 22, tile = 1u << 24;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  if ((d & tile_bf16) == 0 || (d & tile) == 0) return false;
  constexpr long request_permission = 0x1023, tile_data = 18;
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
  return false;
#endif
}

}  // namespace

bool is_built(Isa isa) noexcept {
  switch (isa) {
    case Isa::generic:
      return true;
#if HWY_ARCH_X86
    case Isa::sse4:
      return (HWY_TARGETS & HWY_SSE4) != 0;
    case Isa::avx2:
      return (HWY_TARGETS & HWY_AVX2) != 0;
    case Isa::avx512:
    case Isa::avx512_bf16:
    case Isa::amx:
      return (HWY_TARGETS & HWY_AVX3) != 0;
#else
    case Isa::neon:
      return (HWY_TARGETS & HWY_NEON) != 0;
#endif
    default:
      return false;
  }
}

/// The highest level of the build that both limits allow.
static Isa highest_built(Isa limit, Isa other) noexcept {
  for (const Isa isa : {Isa::neon, Isa::amx, Isa::avx512_bf16, Isa::avx512, Isa::avx2, Isa::sse4}) {
    if (isa_allows(limit, isa) && isa_allows(other, isa) && is_built(isa)) return isa;
  }
  return Isa::generic;
}

const char* name_of(Isa isa) noexcept { return names[static_cast<std::size_t>(isa)]; }

Isa detected_isa() noexcept {
  // Not a static with an initialiser: after a fork during its initialisation the child would deadlock.
  static constinit std::atomic<int> known{-1};
  if (const int level = known.load(std::memory_order_relaxed); level >= 0) {
    return static_cast<Isa>(level);
  }
  const Isa detected = [] {
    const Isa machine = vectors_of_the_machine();
    if (machine == Isa::avx512 && is_built(Isa::avx512)) {
      if (amx_granted()) return Isa::amx;
      if (fast_bf16_products()) return Isa::avx512_bf16;
    }
    return highest_built(machine, machine);
  }();
  known.store(static_cast<int>(detected), std::memory_order_relaxed);
  return detected;
}

bool isa_allows(Isa limit, Isa kernel) noexcept {
  if (kernel == Isa::generic || kernel == limit) return true;
  if (kernel == Isa::avx512_bf16) return false;
  return is_x86(kernel) && is_x86(limit) && kernel < limit;
}

Isa lowered_isa(Isa wanted) noexcept { return highest_built(wanted, detected_isa()); }

}  // namespace mluop
