// Detection of the instruction set, as Highway sees the machine and as the library was built.
#include "runtime/isa.hpp"

#include <hwy/highway.h>

#include <atomic>

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace mluop {
namespace {

constexpr PerIsa<const char*> names{"generic", "sse4", "avx2", "avx512", "amx", "neon"};

constexpr bool is_x86(Isa isa) { return isa != Isa::generic && isa != Isa::neon; }

/// Tiles and their bfloat16 product are there, and Linux lets this process use them: it keeps 8 KiB
/// of state per thread for who asks, once, by ARCH_REQ_XCOMP_PERM for the feature XTILEDATA.
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

const char* name_of(Isa isa) noexcept { return names[static_cast<std::size_t>(isa)]; }

Isa detected_isa() noexcept {
  // Not a static with an initialiser: a fork while another thread runs it leaves the child waiting.
  static constinit std::atomic<int> known{-1};
  if (const int level = known.load(std::memory_order_relaxed); level >= 0) {
    return static_cast<Isa>(level);
  }
  const Isa detected = [] {
    const auto targets = hwy::SupportedTargets() & HWY_TARGETS;
#if HWY_ARCH_X86
    if ((targets & HWY_AVX3) != 0) return amx_granted() ? Isa::amx : Isa::avx512;
    if ((targets & HWY_AVX2) != 0) return Isa::avx2;
    if ((targets & HWY_SSE4) != 0) return Isa::sse4;
#elif HWY_ARCH_ARM
    if ((targets & HWY_NEON) != 0) return Isa::neon;
#endif
    return (void)targets, Isa::generic;
  }();
  known.store(static_cast<int>(detected), std::memory_order_relaxed);
  return detected;
}

bool isa_allows(Isa limit, Isa kernel) noexcept {
  if (kernel == Isa::generic || kernel == limit) return true;
  return is_x86(kernel) && is_x86(limit) && kernel < limit;
}

Isa lowered_isa(Isa wanted) noexcept {
  const Isa detected = detected_isa();
  if (isa_allows(detected, wanted)) return wanted;
  return is_x86(wanted) == is_x86(detected) ? detected : Isa::generic;
}

}  // namespace mluop
