// The loop of `general` in both directions: each row is a weighted sum of other rows.
#pragma once

#include <cstdint>

#include "core/numbers/dtype.hpp"
#include "core/numbers/per_dtype.hpp"
#include "runtime/isa.hpp"

namespace mluop::rotated_feature_align {

/// One term of a row: the cell of the same image it reads and the bilinear weight.
template <class Weight>
struct Tap {
  std::uint32_t cell;
  Weight weight;
};

/// Lists of taps: list l is [first[l], last[l]).
template <class Weight>
struct TapLists {
  const Tap<Weight>* taps;
  const std::int64_t* first;
  const std::int64_t* last;

  TapLists from(std::int64_t list) const noexcept { return {taps, first + list, last + list}; }
};

/// A tile of pixels of one image, `height` × `width`, for a range of channels:
/// result[r, c] = self[r, c] + Σ_t taps[t].weight · image[taps[t].cell, c], t in list l ascending,
/// where pixel (y, x) of the tile is row r = y · pitch + x of `self` and `result`, which have C
/// channels, and l = y · list_pitch + x.
template <class T>
struct Gather {
  const T* image;
  const T* self;
  T* result;
  std::int64_t C, pitch;
  TapLists<Compute<T>> lists;
  std::int64_t list_pitch;
  std::int64_t height, width;
  std::int64_t channel_begin, channel_end;
};

template <class T>
using GatherKernel = void (*)(const Gather<T>& gather);

extern const PerIsa<const PerDtype<GatherKernel>& (*)()> gather_kernels;

}  // namespace mluop::rotated_feature_align
