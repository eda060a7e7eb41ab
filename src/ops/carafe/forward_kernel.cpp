// Forward: a block of output pixels times a few vectors of channels in registers, over the window.
#include <hwy/cache_control.h>

#include "ops/carafe/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/forward_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/convert-inl.hpp"
#include "ops/carafe/fetch-inl.hpp"
#include "ops/carafe/reassemble-inl.hpp"
#include "ops/carafe/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// One input pixel after the other: its s² output pixels, some at a time, and all channels of the block.
/// What only depends on the block is divided out once for all of them.
template <class T>
class ForwardPixels {
 public:
  using Real = Compute<T>;

  explicit ForwardPixels(const ForwardRow<T>& row)
      : row_(row),
        outputs_(row.s * row.s),
        parts_((outputs_ + most_outputs - 1) / most_outputs),
        part_(outputs_ / parts_),
        longer_parts_(outputs_ % parts_),
        pieces_{{row.block, lanes, forward_vectors<1>, 2},
                {row.block, lanes, forward_vectors<3>, 2},
                {row.block, lanes, forward_vectors<4>, 2}} {
    const Pieces& pieces = pieces_[part_ == 4 ? 2 : part_ == 3 ? 1 : 0];
    pace_ = fetching_pace(row.fetched_bytes,
                          (row.columns.end - row.columns.begin) * parts_ * pieces.runs);
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
  }

 private:
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  static constexpr std::int64_t most_vectors = 8;

  template <int outputs>
  HWY_INLINE void run_outputs(std::int64_t first, const Pieces& pieces) {
    const Real* masks[outputs];
    T* stored[outputs];
    for (int p = 0; p < outputs; ++p) {
      masks[p] = mask(first + p);
      stored[p] = stored_pixel();
      if (++sx_ == row_.s) sx_ = 0, ++sy_;
    }
    if (straight(pieces)) return run_pieces<outputs, T>(masks, stored, pieces);
    Real* staged[outputs];
    for (int p = 0; p < outputs; ++p) {
      staged[p] = row_.output.staging + p * row_.block.padded_total();
    }
    run_pieces<outputs, Real>(masks, staged, pieces);
    for (int p = 0; p < outputs; ++p) store_pixel(staged[p], stored[p]);
  }

  /// Whether results go to memory from registers: what is left of groups that are padded does not, nor
  /// parts of lines past the caches.
  HWY_INLINE bool straight(const Pieces& pieces) const {
    if (row_.output.staging == nullptr) return true;
    if (!row_.output.stream || !streams_vectors<T, 4>) return false;
    return std::is_same_v<T, Real> || (pieces.step % 2 == 0 && pieces.run % 2 == 0);
  }

  template <int outputs, class To>
  HWY_INLINE void run_pieces(const Real* const* masks, To* const* to, const Pieces& pieces) {
    Outputs<To> pixels;
    for (int p = 0; p < outputs; ++p) pixels.mask[p] = masks[p], pixels.to[p] = to[p];
    pixels.stream = std::is_same_v<T, To> && row_.output.stream && straight(pieces);
    window_.first = column_;
    const std::int64_t* group_of = group_of_;
    const std::int64_t rest = pieces.run % pieces.step;
    const auto some = [&](std::int64_t vectors, std::int64_t count) HWY_ATTR {
      run_vectors<outputs, forward_vectors<outputs>>(pixels, group_of, vectors, count,
                                                     pieces.one_group);
      window_.first += vectors * count * lanes;
      group_of += vectors * count;
      for (int p = 0; p < outputs; ++p) pixels.to[p] += vectors * count * lanes;
    };
    for (std::int64_t run = 0; run < pieces.runs; ++run) {
      fetch(*row_.fetching, pace_);
      some(pieces.step, pieces.run / pieces.step);
      if (rest > 0) some(rest, 1);
      for (int p = 0; p < outputs; ++p) pixels.mask[p] += row_.k * row_.k;
    }
  }

  /// Picks the loop for `count` pieces of some vectors, at most `most`.
  template <int outputs, int most, class To>
  HWY_INLINE void run_vectors(const Outputs<To>& pixels, const std::int64_t* group_of,
                              std::int64_t vectors, std::int64_t count, bool one_group) {
    if constexpr (most > 1) {
      if (vectors < most) {
        return run_vectors<outputs, most - 1>(pixels, group_of, vectors, count, one_group);
      }
    }
    if (one_group) {
      run_window<outputs, most, true>(pixels, group_of, count);
    } else {
      run_window<outputs, most, false>(pixels, group_of, count);
    }
  }

  template <int outputs, int vectors, bool one_group, class To>
  HWY_INLINE void run_window(const Outputs<To>& pixels, const std::int64_t* group_of,
                             std::int64_t count) {
    if constexpr (outputs == most_outputs) {
      if (row_.k == 5 && window_.columns == 5 && row_.kh_end - row_.kh_begin == 5) {
        return reassemble_whole<outputs, vectors, one_group, 5>(window_, pixels, group_of, count);
      }
    }
    reassemble<outputs, vectors, one_group>(window_, pixels, group_of, count);
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

  /// Those of the next pixel are asked for: multiply-adds wait for weights that are widened too late.
  HWY_INLINE void widen_masks() const {
    const std::int64_t size = row_.block.groups * row_.k * row_.k;
    Real* to = row_.mask_pixels;
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      const auto* const next = reinterpret_cast<const std::byte*>(stored_mask(sy, row_.s));
      const std::int64_t bytes = row_.s * row_.mask_pixel * std::int64_t{sizeof(T)};
      for (std::int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(next + at, 0, 3);
      for (std::int64_t sx = 0; sx < row_.s; ++sx, to += size) {
        widen_run(stored_mask(sy, sx), to, size);
      }
    }
  }

  HWY_INLINE T* stored_pixel() const {
    return row_.output.row + sy_ * row_.output.pitch + (w_ * row_.s + sx_) * row_.output.pixel;
  }

  HWY_INLINE void store_pixel(const Real* from, T* to) const {
    if (row_.output.stream) return stream_run(from, to, row_.block.padded_total());
    for (std::int64_t g = 0; g < row_.block.groups; ++g) {
      narrow_run(from + g * row_.block.padded, to + g * row_.output.group, row_.block.channels);
    }
  }

  const ForwardRow<T>& row_;
  std::int64_t outputs_;
  std::int64_t parts_, part_, longer_parts_;
  Pieces pieces_[3];
  std::int64_t group_of_[forward_block / lanes];
  Window<Real> window_;
  std::int64_t w_, column_, sy_, sx_;
  std::int64_t pace_;  // of fetching, for each run of pieces
};

template <class T>
void forward_row(const ForwardRow<T>& row) {
  ForwardPixels<T> pixels{row};
  for (std::int64_t w = row.columns.begin; w < row.columns.end; ++w) pixels.run(w);
  if (row.output.stream) hwy::FlushStream();
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
