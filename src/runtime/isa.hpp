// The instruction set of a handle's kernels: the best of the machine, lowered by MLUOP_ISA.
#pragma once

#include <array>
#include <cstddef>

namespace mluop {

/// Levels in ascending order within one architecture; `generic` runs everywhere. avx512_bf16 and amx are
/// both avx512 with another unit for products of bfloat16, and neither includes the other.
enum class Isa { generic, sse4, avx2, avx512, avx512_bf16, amx, neon };
inline constexpr std::size_t isa_count = 7;

const char* name_of(Isa isa) noexcept;

/// The best level of this machine that this library was built for. amx implies that Linux has granted the
/// tile registers to this process, avx512_bf16 that vdpbf16ps has twice the rate of float.
Isa detected_isa() noexcept;

/// The level of the vector kernels used with `isa`: avx512 for the levels that only add a unit to it.
constexpr Isa vector_isa(Isa isa) noexcept {
  return isa == Isa::avx512_bf16 || isa == Isa::amx ? Isa::avx512 : isa;
}

/// Whether this library was built with kernels of that level.
bool is_built(Isa isa) noexcept;

/// Whether a kernel of level `kernel` may run on a handle limited to `limit`.
bool isa_allows(Isa limit, Isa kernel) noexcept;

/// The highest level that `wanted`, the machine and the build all have; a level of another architecture
/// gives generic.
Isa lowered_isa(Isa wanted) noexcept;

/// One value per level; null for levels that are not built.
template <class T>
using PerIsa = std::array<T, isa_count>;

}  // namespace mluop

/// The functions that Highway compiled from one source, by level. Use after HWY_ONCE, in the namespace
/// that encloses HWY_NAMESPACE. HWY_DISABLED_TARGETS excludes levels from the build. Highway has no target
/// for avx512_bf16 and amx: an operator adds such a kernel itself.
#define MLUOP_PER_ISA(function)                                                          \
  {                                                                                      \
    HWY_CHOOSE_FALLBACK(function), HWY_CHOOSE_SSE4(function), HWY_CHOOSE_AVX2(function), \
        HWY_CHOOSE_AVX3(function), nullptr, nullptr, HWY_CHOOSE_NEON(function)           \
  }
