// grad_mask: products of grad_output and input over the channels of a group, for each cell of a window.
//
// A product is summed in `slot` lanes, channel c in lane c % slot, and the lanes are added in halves:
// the same order for every vector width up to a slot.
#include "ops/carafe/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/grad_mask_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/convert-inl.hpp"
#include "ops/carafe/lane_sums-inl.hpp"
#include "ops/carafe/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// Levels that owe each other equal bits share the virtual width of a slot; others use their own.
template <class Real>
inline constexpr int slot_vectors = (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3)
                                        ? static_cast<int>(slot<Real> /
                                                           hn::MaxLanes(hn::ScalableTag<Real>()))
                                        : 1;

/// One group of some output pixels of one input pixel.
template <class Real>
struct Products {
  const Real* delta[most_outputs];
  const Real* cell;    // the first of the window's cells in question
  std::int64_t pixel;  // to the next cell
  std::int64_t channels;
  Real* partials;  // a vector for each product; next output `output` elements on
  std::int64_t output;
};

template <int outputs, int cells, class Real>
HWY_NOINLINE void multiply(const Products<Real>& products) {
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  constexpr int parts = slot_vectors<Real>;
  hn::Vec<decltype(d)> sums[parts][outputs][cells];
  for (int part = 0; part < parts; ++part) {
    for (int p = 0; p < outputs; ++p) {
      for (int m = 0; m < cells; ++m) sums[part][p][m] = hn::Zero(d);
    }
  }
  for (std::int64_t c = 0; c < products.channels; c += parts * lanes) {
    for (int part = 0; part < parts; ++part) {
      hn::Vec<decltype(d)> delta[outputs];
      for (int p = 0; p < outputs; ++p) {
        delta[p] = hn::LoadU(d, products.delta[p] + c + part * lanes);
      }
      for (int m = 0; m < cells; ++m) {
        const auto cell = hn::LoadU(d, products.cell + m * products.pixel + c + part * lanes);
        for (int p = 0; p < outputs; ++p) {
          sums[part][p][m] = hn::MulAdd(delta[p], cell, sums[part][p][m]);
        }
      }
    }
  }
  for (int p = 0; p < outputs; ++p) {
    for (int m = 0; m < cells; ++m) {
      auto sum = sums[0][p][m];
      if constexpr (parts == 2) sum = hn::Add(sum, sums[1][p][m]);
      hn::Store(sum, d, products.partials + p * products.output + m * lanes);
    }
  }
}

/// Picks the loop for `count` cells, at most `cells`.
template <int outputs, int cells, class Real>
HWY_INLINE void multiply_cells(const Products<Real>& products, std::int64_t count) {
  if constexpr (cells > 1) {
    if (count < cells) return multiply_cells<outputs, cells - 1>(products, count);
  }
  multiply<outputs, cells>(products);
}

template <int outputs, class Real>
HWY_INLINE void multiply_outputs(const Products<Real>& products, std::int64_t size,
                                 std::int64_t count) {
  if constexpr (outputs > 1) {
    if (size < outputs) return multiply_outputs<outputs - 1>(products, size, count);
  }
  multiply_cells<outputs, grad_mask_cells>(products, count);
}

template <class T>
class GradMaskPixel {
 public:
  using Real = Compute<T>;

  explicit GradMaskPixel(const GradMaskRow<T>& row)
      : row_(row),
        padded_(row.widen_delta ? padded_to_slots<Real>(row.group_channels) : row.group_channels),
        pixel_channels_(row.G * row.group_channels) {}

  HWY_INLINE void run(std::int64_t w) {
    const std::int64_t count = row_.s * row_.s, r = (row_.k - 1) / 2;
    w_ = w;
    kw_begin_ = HWY_MAX(r - w, 0);
    kw_end_ = HWY_MIN(row_.columns.W + r - w, row_.k);
    if (row_.widen_delta) widen();
    const std::int64_t parts = (count + grad_mask_outputs - 1) / grad_mask_outputs;
    for (std::int64_t g = 0; g < row_.G; ++g) {
      for (std::int64_t part = 0; part < parts; ++part) {
        first_ = part * count / parts;
        size_ = (part + 1) * count / parts - first_;
        run_outputs(g);
      }
    }
  }

 private:
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));

  HWY_INLINE void widen() const {
    for (std::int64_t output = 0; output < row_.s * row_.s; ++output) {
      widen_pixels(Widening<T>{stored_delta(output), row_.delta_pixels + output * row_.G * padded_,
                               1, 0, row_.G, row_.group_channels, row_.group_channels, padded_});
    }
  }

  HWY_INLINE const T* stored_delta(std::int64_t output) const {
    return row_.delta[output / row_.s] + (w_ * row_.s + output % row_.s) * pixel_channels_;
  }

  HWY_INLINE const Real* delta(std::int64_t output, std::int64_t g) const {
    if constexpr (std::is_same_v<T, Real>) {
      if (!row_.widen_delta) return stored_delta(output) + g * padded_;
    }
    return row_.delta_pixels + (output * row_.G + g) * padded_;
  }

  /// The window in parts of whole rows, unused rows included: they are all zeros.
  HWY_INLINE void run_outputs(std::int64_t g) {
    const std::int64_t rows = window_part(row_.k);
    for (std::int64_t begin = 0; begin < row_.k; begin += rows) {
      const std::int64_t end = HWY_MIN(begin + rows, row_.k);
      const std::int64_t cells = (end - begin) * row_.k;
      const bool whole =
          kw_begin_ == 0 && kw_end_ == row_.k && begin >= row_.kh_begin && end <= row_.kh_end;
      if (!whole) {
        for (std::int64_t i = 0; i < size_ * cells * lanes; ++i) row_.partials[i] = 0;
      }
      const std::int64_t kh_end = HWY_MIN(end, row_.kh_end);
      for (std::int64_t kh = HWY_MAX(begin, row_.kh_begin); kh < kh_end; ++kh) {
        multiply_row(g, kh, (kh - begin) * row_.k, cells);
      }
      add_lanes(row_.partials, size_ * cells, row_.sums);
      for (std::int64_t p = 0; p < size_; ++p) {
        narrow_run(row_.sums + p * cells, stored(first_ + p, g) + begin * row_.k, cells);
      }
    }
  }

  HWY_INLINE void multiply_row(std::int64_t g, std::int64_t kh, std::int64_t at,
                               std::int64_t cells) {
    const std::int64_t r = (row_.k - 1) / 2;
    Products<Real> products;
    for (std::int64_t p = 0; p < size_; ++p) products.delta[p] = delta(first_ + p, g);
    products.pixel = row_.input.pixel;
    products.channels = padded_;
    products.output = cells * lanes;
    const Real* const row =
        row_.input.row[kh] + (w_ - r - row_.input.column) * row_.input.pixel + g * padded_;
    const std::int64_t count = kw_end_ - kw_begin_;
    const std::int64_t pieces = (count + grad_mask_cells - 1) / grad_mask_cells;
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
      const std::int64_t kw = kw_begin_ + piece * count / pieces;
      const std::int64_t end = kw_begin_ + (piece + 1) * count / pieces;
      products.cell = row + kw * row_.input.pixel;
      products.partials = row_.partials + (at + kw) * lanes;
      multiply_outputs<grad_mask_outputs>(products, size_, end - kw);
    }
  }

  HWY_INLINE T* stored(std::int64_t output, std::int64_t g) const {
    const std::int64_t cells = row_.k * row_.k, s = row_.s;
    const std::int64_t x = output / s * (row_.columns.W * s) + w_ * s + output % s;
    return row_.grad_mask + (x * row_.G + g) * cells;
  }

  const GradMaskRow<T>& row_;
  std::int64_t padded_, pixel_channels_;
  std::int64_t w_, kw_begin_, kw_end_;
  std::int64_t first_, size_;  // of the output pixels at work
};

template <class T>
void grad_mask_row(const GradMaskRow<T>& row) {
  GradMaskPixel<T> pixel{row};
  for (std::int64_t w = row.columns.begin; w < row.columns.end; ++w) pixel.run(w);
}

const PerType<GradMaskKernel>& grad_mask_table() {
  static constexpr PerType<GradMaskKernel> all{grad_mask_row<float>, grad_mask_row<double>,
                                               grad_mask_row<Half>, grad_mask_row<BFloat16>};
  return all;
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const PerIsa<const PerType<GradMaskKernel>& (*)()> grad_mask_kernels =
    MLUOP_PER_ISA(grad_mask_table);

}  // namespace mluop::carafe
#endif
