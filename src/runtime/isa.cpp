// Detection of the instruction set, as Highway sees the machine and as the library was built.
#include "runtime/isa.hpp"

#include <hwy/highway.h>

namespace mluop {
namespace {

constexpr PerIsa<const char*> names{"generic", "sse4", "avx2", "avx512", "neon"};

constexpr bool is_x86(Isa isa) { return isa != Isa::generic && isa != Isa::neon; }

}  // namespace

const char* name_of(Isa isa) noexcept { return names[static_cast<std::size_t>(isa)]; }

Isa detected_isa() noexcept {
  static const Isa detected = [] {
    const auto targets = hwy::SupportedTargets() & HWY_TARGETS;
#if HWY_ARCH_X86
    if ((targets & HWY_AVX3) != 0) return Isa::avx512;
    if ((targets & HWY_AVX2) != 0) return Isa::avx2;
    if ((targets & HWY_SSE4) != 0) return Isa::sse4;
#elif HWY_ARCH_ARM
    if ((targets & HWY_NEON) != 0) return Isa::neon;
#endif
    return (void)targets, Isa::generic;
  }();
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
