// What the row kernels of both directions share: rows of maps, blocks of channels, results, prefetch.
//
// Kernels compute in `Real`: float, or double for double. Maps of that type whose groups are whole vectors are
// read in place. Other maps are copied row by row first, widened and padded with zeros.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/numbers/dtype.hpp"
#include "core/numbers/integers.hpp"
#include "core/numbers/per_dtype.hpp"
#include "runtime/isa.hpp"

namespace mluop::carafe {

/// The channels of a group are padded to a multiple of this: a vector of the widest instruction set. Narrower
/// instruction sets take several vectors and add the lanes in the same order.
template <class Real>
inline constexpr std::int64_t slot = 64 / sizeof(Real);

template <class Real>
constexpr std::int64_t padded_to_slots(std::int64_t channels) {
  return round_up(channels, slot<Real>);
}

/// What is computed together: all channels of several groups, or some channels of one.
struct ChannelBlock {
  std::int64_t first_group, groups;
  std::int64_t first_channel, channels;  // within each group
  std::int64_t padded;                   // channels, rounded up to whole slots

  std::int64_t padded_total() const noexcept { return groups * padded; }
};

/// Output pixels of a window that are computed together.
inline constexpr std::int64_t most_outputs = 4;

/// Rows of a map as a kernel reads them. A row begins at low-resolution column `column`; a pixel has `pixel`
/// elements.
template <class Element>
struct Rows {
  const Element* const* row;
  std::int64_t column;
  std::int64_t pixel;
};

/// The part of a low-resolution row that a call computes: columns [begin, end) of [0, W).
struct Columns {
  std::int64_t begin, end, W;
};

/// Where results go: straight to memory, or through `staging` where groups are padded and where non-temporal
/// stores would write parts of cache lines.
template <class T>
struct Destination {
  T* row;               // channel 0 of the first group of the block, at column 0
  std::int64_t pitch;   // from row to row
  std::int64_t pixel;   // from pixel to pixel
  std::int64_t group;   // from group to group
  bool staged;          // through `staging`
  Compute<T>* staging;  // used only if `staged`
  bool stream;          // non-temporal stores: aligned, and too large for the caches
};

/// Memory that the next call reads. The kernels prefetch it into L2 a few lines at a time, in ascending order:
/// they read rows in an order that the hardware prefetcher does not follow.
struct Prefetch {
  struct Range {
    const std::byte* from;
    std::int64_t bytes;
  };
  const Range* next = nullptr;
  const Range* end = nullptr;
  std::int64_t at = 0;  // bytes of *next that are done

  std::int64_t left() const noexcept {
    std::int64_t bytes = -at;
    for (const Range* range = next; range != end; ++range) bytes += range->bytes;
    return next == end ? 0 : bytes;
  }
};

/// The bytes to prefetch in each of `steps` steps: whole cache lines.
constexpr std::int64_t prefetch_pace(std::int64_t bytes, std::int64_t steps) {
  return round_up(bytes / steps, 64);
}

/// Widens `count` pixels: `groups` groups of `channels` each, `group` apart, into padded ones.
template <class T>
struct Widening {
  const T* from;
  Compute<T>* to;
  std::int64_t count, pixel;  // from pixel to pixel of the source
  std::int64_t groups, group, channels, padded;
};

template <class T>
using WidenKernel = void (*)(const Widening<T>& widening);

/// Copies bytes with non-temporal stores.
using StreamKernel = void (*)(const std::byte* from, std::byte* to, std::int64_t bytes);

/// The kernels of one source file, for each instruction set.
template <class Kernels>
using KernelTable = PerIsa<const Kernels& (*)()>;

template <class Kernels>
const Kernels& kernels_for(Isa isa, const KernelTable<Kernels>& table) {
  return table[static_cast<std::size_t>(isa)]();
}

extern const KernelTable<PerDtype<WidenKernel>> widen_kernels;
extern const PerIsa<StreamKernel> stream_kernels;

}  // namespace mluop::carafe
