// Which instruction set the kernels of a handle use: the machine's best, lowered by MLUOP_ISA.
#pragma once

#include <array>
#include <cstddef>

namespace mluop {

/// Levels in ascending order within one architecture; `generic` runs everywhere.
enum class Isa { generic, sse4, avx2, avx512, amx, neon };
inline constexpr std::size_t isa_count = 6;

const char* name_of(Isa isa) noexcept;

/// The best level of this machine that this library was built for. For amx the kernel, too, has
/// granted the tile registers to this process.
Isa detected_isa() noexcept;

/// The level of the vector kernels beside those of `isa`: amx has none of its own.
constexpr Isa vector_isa(Isa isa) noexcept { return isa == Isa::amx ? Isa::avx512 : isa; }

/// Whether a kernel of level `kernel` may run on a handle limited to `limit`.
bool isa_allows(Isa limit, Isa kernel) noexcept;

/// The lower of `wanted` and what the machine has; a level of another architecture gives generic.
Isa lowered_isa(Isa wanted) noexcept;

/// One value per level; a level the compiler could not build holds a null pointer.
template <class T>
using PerIsa = std::array<T, isa_count>;

}  // namespace mluop

/// The functions that Highway compiled from one source, by level. Use after HWY_ONCE, in the
/// namespace that encloses HWY_NAMESPACE; HWY_DISABLED_TARGETS names what is left out of the build.
/// Highway has no target for amx: an operator adds such a kernel by hand.
#define MLUOP_PER_ISA(function)                                                          \
  {                                                                                      \
    HWY_CHOOSE_FALLBACK(function), HWY_CHOOSE_SSE4(function), HWY_CHOOSE_AVX2(function), \
        HWY_CHOOSE_AVX3(function), nullptr, HWY_CHOOSE_NEON(function)                    \
  }
