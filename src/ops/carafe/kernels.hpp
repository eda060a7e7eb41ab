// The loops of CARAFE, one row of pixels at a time, as the drivers of both directions call them.
//
// Kernels compute on `Real` (float, or double for double). Maps in that type whose groups are whole
// vectors are read in place; others are first copied row by row, widened and padded with zeros.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.hpp"
#include "core/implementation.hpp"
#include "core/per_dtype.hpp"
#include "runtime/isa.hpp"

namespace mluop::carafe {

/// The channels of a group are padded to this many: a vector of the widest instruction set. Narrower
/// ones take several vectors, and sum across lanes in the same order.
template <class Real>
inline constexpr std::int64_t slot = 64 / sizeof(Real);

template <class Real>
constexpr std::int64_t padded_to_slots(std::int64_t channels) {
  return (channels + slot<Real> - 1) / slot<Real> * slot<Real>;
}

/// Elements of the largest blocks of channels: in forward a window of them stays in L1, and for
/// grad_input a band of outputs in L2.
inline constexpr std::int64_t forward_block = 256;
inline constexpr std::int64_t grad_input_block = 256;

/// What is computed together: all channels of several groups, or some channels of one.
struct ChannelBlock {
  std::int64_t first_group, groups;
  std::int64_t first_channel, channels;  // within each group
  std::int64_t padded;                   // channels, up to whole slots

  std::int64_t padded_total() const noexcept { return groups * padded; }
};

/// Rows of a map as a kernel reads them; a row begins at low-resolution column `column`, and a pixel
/// has `pixel` elements.
template <class Real>
struct Rows {
  const Real* const* row;
  std::int64_t column;
  std::int64_t pixel;
};

/// The part of a low-resolution row that a call computes: columns [begin, end) of [0, W).
struct Columns {
  std::int64_t begin, end, W;
};

/// Where results go: `direct` in place, or, where groups are padded and where parts of lines would go past
/// the caches, through `staging`.
template <class T>
struct Destination {
  T* row;               // channel 0 of the first group of the block, at column 0
  std::int64_t pitch;   // from row to row
  std::int64_t pixel;   // from pixel to pixel
  std::int64_t group;   // from group to group
  Compute<T>* staging;  // null: direct
  bool stream = false;  // past the caches: aligned, and too large to stay there
};

/// Memory that a later call will read, to be fetched into L2 bit by bit while this one computes: the
/// hardware does not foresee how these loops go through rows. One stretch after the other, upwards.
struct Fetching {
  struct Stretch {
    const std::byte* from;
    std::int64_t bytes;
  };
  const Stretch* next = nullptr;
  const Stretch* end = nullptr;
  std::int64_t at = 0;  // within the next one

  std::int64_t left() const noexcept {
    std::int64_t bytes = -at;
    for (const Stretch* stretch = next; stretch != end; ++stretch) bytes += stretch->bytes;
    return next == end ? 0 : bytes;
  }
};

/// How many bytes to fetch in each of `steps` steps: whole lines.
constexpr std::int64_t fetching_pace(std::int64_t bytes, std::int64_t steps) {
  return (bytes / steps + 63) / 64 * 64;
}

/// Widens `count` pixels: `groups` groups of `channels` each, `group` apart, into padded ones.
template <class T>
struct Widening {
  const T* from;
  Compute<T>* to;
  std::int64_t count, pixel;  // from pixel to pixel of the source
  std::int64_t groups, group, channels, padded;
};

/// output of the pixels of row h: s rows of s pixels for each.
/// input.row[kh] is row h + kh - r, for kh in [kh_begin, kh_end); mask[sy] is row s·h + sy from column 0
/// on, at the first group of the block.
template <class T>
struct ForwardRow {
  ChannelBlock block;
  Columns columns;
  std::int64_t k, s;
  std::int64_t kh_begin, kh_end;
  Rows<Compute<T>> input;
  Widening<T>
      next_input;  // row h + 1 + r, to be widened over row h - r; no columns: not by this call
  const T* const* mask;
  std::int64_t mask_pixel;
  Compute<T>* mask_pixels;  // s runs of mask_columns, to widen weights into; null: read in place
  std::int64_t mask_columns, mask_run;  // whole vectors, if possible
  Destination<T> output;
  Fetching* fetching;
  std::int64_t fetched_bytes;  // in the whole row
};

/// Output pixels that are computed together.
inline constexpr std::int64_t most_outputs = 4;

/// What grad_mask of small groups keeps: columns side by side, channel by channel.
template <class Real>
struct Transposed {
  std::int64_t channels;  // of a group
  Real* const* input;     // by kh: all channels, groups padded, from column columns.begin - r on
  std::int64_t pitch;     // from channel to channel
  std::int64_t fresh;     // from this kh on, rows are yet to be transposed
  Real* delta;            // a slot for each channel of a group of the outputs of a pixel
  Real* products;         // a slot for each of their cells
};

/// The windows whose sums fit the registers of AVX-512, one vector of channels of each: small groups have
/// loops of their own for them.
inline constexpr std::int64_t register_window = 5;

/// Columns whose weights those loops keep in L1 for all groups, and outputs of two pixels that they take
/// together.
inline constexpr std::int64_t weight_columns = 2 * register_window;
inline constexpr std::int64_t paired_outputs = 8;

/// What grad_mask of such groups keeps: by channel, the rows of a window side by side for each column, from
/// column columns.begin - r on.
template <class T>
struct Windows {
  std::int64_t channels;  // of a group
  Compute<T>* rows;
  std::int64_t pitch;   // from channel to channel
  std::int64_t top;     // which of the rows is that of kh = 0
  std::int64_t fresh;   // from this kh on, rows are yet to be placed there
  std::byte* columns;   // room for 16 columns of a group
  Compute<T>* delta;    // paired_outputs of all channels, to be widened
  std::int64_t buffer;  // from one of two for results to the other
  T* streamed;  // where results go past the caches, at row s·h and column 0; null: they stay
};

/// Columns whose results are collected to be written past the caches: pairs, and whole lines if possible.
constexpr std::int64_t streamed_columns(std::int64_t pixel_bytes) {
  std::int64_t columns = 2;
  while (columns * pixel_bytes % 64 != 0) columns *= 2;
  return columns;
}

/// grad_mask of the pixels of row h, all groups, `padded` channels in each. input.row[kh] as in
/// ForwardRow, delta.row[sy] row s·h + sy of grad_output.
template <class T>
struct GradMaskRow {
  std::int64_t G, padded;
  Columns columns;
  std::int64_t k, s;
  std::int64_t kh_begin, kh_end;
  Rows<Compute<T>> input;
  Rows<T> stored_input;  // instead, for `windows` of groups without padding
  Rows<Compute<T>> delta;
  Rows<T> stored_delta;           // instead, likewise or where `pixels` is there to widen into
  Compute<T>* pixels;             // the outputs of a pixel; null: delta
  Compute<T>* packed;             // for a group of those of two pixels, in blocks; null: not so
  T* grad_mask;                   // row s·h
  std::int64_t grad_mask_column;  // of the map, where that begins
  std::int64_t pitch;             // from row to row, in pixels
  Compute<T>* partials;           // part_sums(k) slots, on a cache line
  Compute<T>* sums;               // part_sums(k)
  Transposed<Compute<T>> transposed;
  Windows<T> windows;
  Fetching* fetching;
  std::int64_t fetched_bytes;  // in the whole row
};

/// Room for the outputs of a strip of columns, in the channels that grad_input takes at once: part of L1.
inline constexpr std::int64_t strip_elements = 4096;

/// What the outputs of row h add to grad_input of rows h + kh - r, for kh in [kh_begin, kh_end).
template <class T>
struct GradInputRow {
  ChannelBlock block;
  Columns columns;
  std::int64_t k, s;
  std::int64_t kh_begin, kh_end;
  bool first, last;         // row of the map
  Rows<T> stored_delta;     // rows s·h + sy, where results go in place
  Rows<Compute<T>> delta;   // else
  Rows<Compute<T>> mask;    // likewise, at the first group of the block
  Rows<T> stored_mask;      // instead, for windows in registers
  Compute<T>* weights;      // those of weight_columns, to widen them into
  Compute<T>* const* sums;  // by kh: columns of a block of channels, to be kept from row to row
  Compute<T>* strip;        // strip_elements, to widen outputs of stored_delta into
  Fetching* fetching;
  std::int64_t fetched_bytes;  // in the whole row
  Destination<T> grad_input;   // of kh_begin; what is staged are rows of columns

  /// Whether the sums of a row of targets begin with this row, and whether they are complete after it.
  bool begins(std::int64_t kh) const noexcept { return first || kh == k - 1; }
  bool ends(std::int64_t kh) const noexcept { return last || kh == 0; }
};

/// Rows of the window whose sums over channels are completed together: about 64 cells.
constexpr std::int64_t window_part(std::int64_t k) {
  const std::int64_t rows = 64 / k;
  return rows < 1 ? 1 : rows < k ? rows : k;
}
/// Sums of a part, and room for those that a last vector of sums overhangs.
constexpr std::int64_t part_sums(std::int64_t k) {
  return most_outputs * window_part(k) * k + slot<float>;
}

template <class T>
using ForwardKernel = void (*)(const ForwardRow<T>& row);
template <class T>
using GradMaskKernel = void (*)(const GradMaskRow<T>& row);
template <class T>
using GradInputKernel = void (*)(const GradInputRow<T>& row);
template <class T>
using WidenKernel = void (*)(const Widening<T>& widening);

/// Copies bytes past the caches.
using StreamKernel = void (*)(const std::byte* from, std::byte* to, std::int64_t bytes);

extern const PerIsa<StreamKernel> stream_kernels;
extern const PerIsa<const PerDtype<ForwardKernel>& (*)()> forward_kernels;
extern const PerIsa<const PerDtype<GradMaskKernel>& (*)()> grad_mask_kernels;
extern const PerIsa<const PerDtype<GradMaskKernel>& (*)()> transposed_grad_mask_kernels;
extern const PerIsa<const PerDtype<GradInputKernel>& (*)()> grad_input_kernels;
/// For small groups and windows of register_window; null where registers do not hold them.
extern const PerIsa<const PerDtype<GradMaskKernel>& (*)()> window_grad_mask_kernels;
extern const PerIsa<const PerDtype<GradInputKernel>& (*)()> window_grad_input_kernels;
extern const PerIsa<const PerDtype<WidenKernel>& (*)()> widen_kernels;

/// Those of the instruction set that a handle uses for an operator.
template <class Table>
decltype(auto) chosen_kernels(const PerIsa<Table>& tables, const OperatorInfo& op,
                              const mluOpContext& handle) {
  return tables[static_cast<std::size_t>(chosen(op, handle).isa)]();
}

}  // namespace mluop::carafe
