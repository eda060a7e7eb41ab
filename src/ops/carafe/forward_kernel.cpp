// Forward: a block of output pixels times a few vectors of channels in registers, over the window.
#include "ops/carafe/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/forward_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/convert-inl.hpp"
#include "ops/carafe/fetch-inl.hpp"
#include "ops/carafe/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// The used part of the window around one input pixel: rows [kh_begin, kh_end) of `row`, from element
/// `first`, `columns` pixels each; the weight of the first of them is cell (kh, kw_begin).
template <class Real>
struct Window {
  const Real* const* row;
  std::int64_t first, pixel;
  std::int64_t kh_begin, kh_end, kw_begin, columns;
  std::int64_t k;
};

/// The weights and the results of some output pixels of one window, from the first vector on.
template <class Real>
struct Outputs {
  const Real* mask[most_outputs];
  Real* to[most_outputs];
};

/// to[p] = Σ over the window of mask[p][cell] · input[cell], `vectors` vectors of each; where they span
/// several groups, group_of[v] says where the weights of a vector start.
template <int outputs, int vectors, bool one_group, bool stream, class Real>
HWY_NOINLINE void reassemble(const Window<Real>& window, const Outputs<Real>& pixels,
                             const std::int64_t* group_of) {
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  hn::Vec<decltype(d)> sums[outputs][vectors];
  HWY_UNROLL(8)
  for (int p = 0; p < outputs; ++p) {
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v) sums[p][v] = hn::Zero(d);
  }
  for (std::int64_t kh = window.kh_begin; kh < window.kh_end; ++kh) {
    const Real* from = window.row[kh] + window.first;
    const std::int64_t begin = kh * window.k + window.kw_begin;
    for (std::int64_t m = begin; m < begin + window.columns; ++m, from += window.pixel) {
      hn::Vec<decltype(d)> cell[vectors];
      HWY_UNROLL(8)
      for (int v = 0; v < vectors; ++v) cell[v] = hn::LoadU(d, from + v * lanes);
      HWY_UNROLL(8)
      for (int p = 0; p < outputs; ++p) {
        const auto shared = hn::Set(d, pixels.mask[p][m]);
        HWY_UNROLL(8)
        for (int v = 0; v < vectors; ++v) {
          const auto weight = one_group ? shared : hn::Set(d, pixels.mask[p][m + group_of[v]]);
          sums[p][v] = hn::MulAdd(weight, cell[v], sums[p][v]);
        }
      }
    }
  }
  HWY_UNROLL(8)
  for (int p = 0; p < outputs; ++p) {
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v) {
      if constexpr (stream) {
        hn::Stream(sums[p][v], d, pixels.to[p] + v * lanes);
      } else {
        hn::StoreU(sums[p][v], d, pixels.to[p] + v * lanes);
      }
    }
  }
}

/// Picks the loop for `count` vectors, at most `vectors`.
template <int outputs, int vectors, class Real>
HWY_INLINE void reassemble_vectors(const Window<Real>& window, const Outputs<Real>& pixels,
                                   const std::int64_t* group_of, std::int64_t count, bool one_group,
                                   bool stream) {
  if constexpr (vectors > 1) {
    if (count < vectors) {
      return reassemble_vectors<outputs, vectors - 1>(window, pixels, group_of, count, one_group,
                                                      stream);
    }
  }
  if (!one_group) return reassemble<outputs, vectors, false, false>(window, pixels, group_of);
  if (stream) return reassemble<outputs, vectors, true, true>(window, pixels, group_of);
  reassemble<outputs, vectors, true, false>(window, pixels, group_of);
}

/// One input pixel after the other: its s² output pixels, some at a time, and all channels of the block.
/// What only depends on the block is divided out once for all of them.
template <class T>
class ForwardPixels {
 public:
  using Real = Compute<T>;

  explicit ForwardPixels(const ForwardRow<T>& row)
      : row_(row),
        outputs_(row.s * row.s),
        streams_(row.output.stream && row.output.staging == nullptr),
        parts_((outputs_ + most_outputs - 1) / most_outputs),
        part_(outputs_ / parts_),
        longer_parts_(outputs_ % parts_),
        pieces_{{row.block, lanes, forward_vectors<1>},
                {row.block, lanes, forward_vectors<3>},
                {row.block, lanes, forward_vectors<4>}} {
    const Pieces& pieces = pieces_[part_ == 4 ? 2 : part_ == 3 ? 1 : 0];
    pace_ =
        fetching_pace(row.fetched_bytes, (row.columns.end - row.columns.begin) * parts_ *
                                             pieces.runs * ((pieces.run - 1) / pieces.step + 1));
    const std::int64_t per_group = row.block.padded / lanes;
    if (per_group >= most_vectors) return;  // pieces never span groups
    for (std::int64_t v = 0; v < per_group * row.block.groups; ++v) {
      group_of_[v] = v / per_group * row.k * row.k;
    }
  }

  HWY_INLINE void run(std::int64_t w) {
    const std::int64_t r = (row_.k - 1) / 2;
    w_ = w;
    window_ = {
        row_.input.row, 0, row_.input.pixel, row_.kh_begin, row_.kh_end, HWY_MAX(r - w, 0), 0,
        row_.k};
    window_.columns = HWY_MIN(row_.columns.W + r - w, row_.k) - window_.kw_begin;
    column_ = (w + window_.kw_begin - r - row_.input.column) * row_.input.pixel;
    if (row_.mask_pixels != nullptr) widen_masks();
    // Equal parts of at most four, so that none is left with a single output: 1, 3 or 4.
    sy_ = sx_ = 0;
    for (std::int64_t part = 0, first = 0; part < parts_; ++part) {
      const std::int64_t size = part_ + (part < longer_parts_ ? 1 : 0);
      if (size == 4) {
        run_outputs<4>(first, pieces_[2]);
      } else if (size == 3) {
        run_outputs<3>(first, pieces_[1]);
      } else {
        run_outputs<1>(first, pieces_[0]);
      }
      first += size;
    }
    if (row_.output.staging != nullptr) narrow();
  }

 private:
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  static constexpr std::int64_t most_vectors = 8;

  template <int outputs>
  HWY_INLINE void run_outputs(std::int64_t first, const Pieces& pieces) {
    Outputs<Real> pixels;
    for (int p = 0; p < outputs; ++p) {
      pixels.mask[p] = mask(first + p);
      pixels.to[p] = output_pixel(first + p);
      if (++sx_ == row_.s) sx_ = 0, ++sy_;
    }
    window_.first = column_;
    const std::int64_t* group_of = group_of_;
    for (std::int64_t run = 0; run < pieces.runs; ++run) {
      for (std::int64_t left = pieces.run; left > 0; left -= pieces.step) {
        fetch(*row_.fetching, pace_);
        const std::int64_t count = HWY_MIN(left, pieces.step);
        reassemble_vectors<outputs, forward_vectors<outputs>>(window_, pixels, group_of, count,
                                                              pieces.one_group, streams_);
        window_.first += count * lanes;
        group_of += count;
        for (int p = 0; p < outputs; ++p) pixels.to[p] += count * lanes;
      }
      for (int p = 0; p < outputs; ++p) pixels.mask[p] += row_.k * row_.k;
    }
  }

  HWY_INLINE const T* stored_mask(std::int64_t sy, std::int64_t sx) const {
    return row_.mask[sy] + (w_ * row_.s + sx) * row_.mask_pixel;
  }

  HWY_INLINE const Real* mask(std::int64_t output) const {
    if constexpr (std::is_same_v<T, Real>) {
      if (row_.mask_pixels == nullptr) return stored_mask(sy_, sx_);
    }
    return row_.mask_pixels + output * row_.block.groups * row_.k * row_.k;
  }

  HWY_INLINE void widen_masks() const {
    const std::int64_t size = row_.block.groups * row_.k * row_.k;
    Real* to = row_.mask_pixels;
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      for (std::int64_t sx = 0; sx < row_.s; ++sx, to += size) {
        widen_run(stored_mask(sy, sx), to, size);
      }
    }
  }

  HWY_INLINE Real* output_pixel(std::int64_t output) const {
    if constexpr (std::is_same_v<T, Real>) {
      if (row_.output.staging == nullptr) return stored_pixel(sy_, sx_);
    }
    return row_.output.staging + output * row_.block.padded_total();
  }

  HWY_INLINE T* stored_pixel(std::int64_t sy, std::int64_t sx) const {
    return row_.output.row + sy * row_.output.pitch + (w_ * row_.s + sx) * row_.output.pixel;
  }

  HWY_INLINE void narrow() const {
    const Real* from = row_.output.staging;
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      for (std::int64_t sx = 0; sx < row_.s; ++sx, from += row_.block.padded_total()) {
        if (row_.output.stream) {
          alignas(64) T pixel[forward_block];
          narrow_pixel(from, pixel, row_.block.channels);
          stream_lines(pixel, stored_pixel(sy, sx), row_.block.groups * row_.block.channels);
        } else {
          narrow_pixel(from, stored_pixel(sy, sx), row_.output.group);
        }
      }
    }
  }

  HWY_INLINE void narrow_pixel(const Real* from, T* to, std::int64_t group) const {
    for (std::int64_t g = 0; g < row_.block.groups; ++g, from += row_.block.padded, to += group) {
      narrow_run(from, to, row_.block.channels);
    }
  }

  const ForwardRow<T>& row_;
  std::int64_t outputs_;
  bool streams_;  // straight from the registers
  std::int64_t parts_, part_, longer_parts_;
  Pieces pieces_[3];
  std::int64_t group_of_[forward_block / lanes];
  Window<Real> window_;
  std::int64_t w_, column_, sy_, sx_;
  std::int64_t pace_;  // of fetching, for each piece
};

template <class T>
void forward_row(const ForwardRow<T>& row) {
  ForwardPixels<T> pixels{row};
  for (std::int64_t w = row.columns.begin; w < row.columns.end; ++w) pixels.run(w);
}

const PerType<ForwardKernel>& forward_table() {
  static constexpr PerType<ForwardKernel> all{forward_row<float>, forward_row<double>,
                                              forward_row<Half>, forward_row<BFloat16>};
  return all;
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const PerIsa<const PerType<ForwardKernel>& (*)()> forward_kernels = MLUOP_PER_ISA(forward_table);

}  // namespace mluop::carafe
#endif
