// The loop of `half_lines`: a gather whose loads and stores never cross a cache line.
#pragma once

#include <cstdint>

#include "core/numbers/dtype.hpp"
#include "core/numbers/per_dtype.hpp"
#include "ops/rotated_feature_align/gather/gather_kernel.hpp"
#include "ops/rotated_feature_align/gather/tiles.hpp"
#include "runtime/isa.hpp"

namespace mluop::rotated_feature_align {

inline bool starts_line(const void* address) {
  constexpr std::size_t line = 64;
  return reinterpret_cast<std::uintptr_t>(address) % line == 0;
}

/// A gather of a tile of at most tile_side × tile_side pixels whose rows are an odd number of half cache
/// lines long. List l has the taps of even cells up to middle[l], those of odd cells from there on.
template <class T>
struct HalfLinesGather {
  Gather<T> tile;
  const std::int64_t* middle;
  bool stream;  // non-temporal stores where lines are whole: the result is too large for the caches
};

/// Whether the kernel can take a tile: even cells start with a cache line, and the channels fill one.
template <class T>
bool suits_half_lines(const Gather<T>& tile) {
  constexpr std::int64_t line = 64 / sizeof(T);
  return starts_line(tile.image) && tile.channel_end - tile.channel_begin >= line;
}

template <class T>
using HalfLinesKernel = void (*)(const HalfLinesGather<T>& gather);

/// For float and double on AVX-512 alone, whose vectors are as long as cache lines.
extern const PerIsa<const PerDtype<HalfLinesKernel>& (*)()> half_lines_kernels;

}  // namespace mluop::rotated_feature_align
