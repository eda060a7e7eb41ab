// The tile registers of AMX: their configuration, and the instructions that kernels use.
//
// Written in assembly because compilers differ in what their intrinsics accept as a register number,
// and because GCC's tile loads do not tell it that they read memory: here every instruction that
// touches memory is a barrier to the compiler, so tile code and vector code stay in the order written.
#pragma once

#if defined(__x86_64__)

#include <cstddef>
#include <cstdint>

namespace mluop::sparse_conv::tiled {

/// Every tile is 16 rows of 64 bytes, contiguous in memory.
inline constexpr std::int64_t tile_rows = 16;
inline constexpr std::int64_t tile_row_bytes = 64;
inline constexpr std::int64_t tile_bytes = tile_rows * tile_row_bytes;

/// Eight full tiles, for the thread that made it and as long as it lives. The process must have been
/// granted the registers (detected_isa() asks).
class Tiles {
 public:
  Tiles() noexcept {
    Configuration configuration;
    for (int tile = 0; tile < 8; ++tile) {
      configuration.row_bytes[tile] = tile_row_bytes;
      configuration.rows[tile] = tile_rows;
    }
    asm volatile("ldtilecfg %0" : : "m"(configuration));
  }
  ~Tiles() { asm volatile("tilerelease" : :); }
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;

 private:
  struct alignas(64) Configuration {
    std::uint8_t palette = 1;
    std::uint8_t reserved[15] = {};
    std::uint16_t row_bytes[16] = {};
    std::uint8_t rows[16] = {};
  };
};

template <int tile>
inline void zero() noexcept {
  asm volatile("tilezero %%tmm%c0" : : "i"(tile));
}

template <int tile>
inline void load(const std::byte* from) noexcept {
  asm volatile("tileloadd (%0,%1,1), %%tmm%c2"
               :
               : "r"(from), "r"(tile_row_bytes), "i"(tile)
               : "memory");
}

/// A load with a non-temporal hint: the data is not kept in L1.
template <int tile>
inline void load_once(const std::byte* from) noexcept {
  asm volatile("tileloaddt1 (%0,%1,1), %%tmm%c2"
               :
               : "r"(from), "r"(tile_row_bytes), "i"(tile)
               : "memory");
}

/// Rows `pitch` bytes apart.
template <int tile>
inline void store(std::byte* to, std::int64_t pitch) noexcept {
  asm volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(to), "r"(pitch), "i"(tile) : "memory");
}

/// sum[m, n] += Σ_q rows[m, 2q] · columns[q, 2n] + rows[m, 2q + 1] · columns[q, 2n + 1], operands
/// bfloat16, sums float; rounds to nearest even and flushes subnormals whatever the thread's mode.
template <int sum, int rows, int columns>
inline void multiply_add() noexcept {
  asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(sum), "i"(rows), "i"(columns));
}

}  // namespace mluop::sparse_conv::tiled

#endif
