// grad_mask: products of grad_output and input over the channels of a group, for each cell of a window.
//
// A product is summed in `slot` lanes, channel c in lane c % slot, and the lanes are added in halves: the same
// order for every vector width up to a slot.
#include <algorithm>

#include "ops/carafe/backward/general/grad_mask.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/backward/general/grad_mask_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/backward/lane_sums-inl.hpp"
#include "ops/carafe/rows/convert-inl.hpp"
#include "ops/carafe/rows/pin-inl.hpp"
#include "ops/carafe/rows/prefetch-inl.hpp"
#include "ops/carafe/rows/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// AVX2 and AVX-512 must give equal bits, so both sum in the lanes of a slot; others use their own width.
template <class Real>
inline constexpr int slot_vectors = (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3)
                                        ? static_cast<int>(slot<Real> /
                                                           hn::MaxLanes(hn::ScalableTag<Real>()))
                                        : 1;

/// One group of some output pixels of one input pixel.
template <class Real>
struct Products {
  const Real* const* delta;  // of each output
  const Real* cell;          // the first of the cells
  std::int64_t pixel;        // to the next cell
  std::int64_t channels;
  Real* partials;  // a vector for each product; next output `output` elements on
  std::int64_t output;
  Lines* lines;  // to prefetch one by one: fill buffers are few
};

/// All parts of a slot at once: loads alternate between the halves of a cache line, which some caches need to serve
/// two loads per cycle.
template <int outputs, int cells, class Real>
HWY_NOINLINE void multiply(const Products<Real>& arguments) {
  const Products<Real> products = arguments;  // a copy, which no store can change
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  constexpr int parts = slot_vectors<Real>;
  hn::Vec<decltype(d)> sums[parts][outputs][cells];
  HWY_UNROLL(2)
  for (int part = 0; part < parts; ++part) {
    HWY_UNROLL(8)
    for (int p = 0; p < outputs; ++p) {
      HWY_UNROLL(8)
      for (int m = 0; m < cells; ++m) sums[part][p][m] = hn::Zero(d);
    }
  }
  Lines lines = *products.lines;
  for (std::int64_t slots = 0; slots < products.channels; slots += parts * lanes) {
    prefetch_line(lines);
    HWY_UNROLL(2)
    for (int part = 0; part < parts; ++part) {
      const std::int64_t c = slots + part * lanes;
      hn::Vec<decltype(d)> delta[outputs];
      HWY_UNROLL(8)
      for (int p = 0; p < outputs; ++p) delta[p] = pinned(hn::LoadU(d, products.delta[p] + c));
      HWY_UNROLL(8)
      for (int m = 0; m < cells; ++m) {
        const auto cell = pinned(hn::LoadU(d, products.cell + m * products.pixel + c));
        HWY_UNROLL(8)
        for (int p = 0; p < outputs; ++p) {
          sums[part][p][m] = hn::MulAdd(delta[p], cell, sums[part][p][m]);
        }
      }
    }
  }
  *products.lines = lines;
  HWY_UNROLL(8)
  for (int p = 0; p < outputs; ++p) {
    HWY_UNROLL(8)
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
  multiply_cells<outputs, grad_mask_cells<slot_vectors<Real>>>(products, count);
}

/// All groups of the s² output pixels of one input pixel after the other, some outputs at a time.
template <class T, class Stored>
class GradMaskPixels {
 public:
  using Real = Compute<T>;

  explicit GradMaskPixels(const GeneralGradMaskRow<T, Stored>& row)
      : row_(row),
        outputs_(row.s * row.s),
        rows_(window_part(row.k)),
        pace_(prefetch_pace(row.prefetch_bytes, (row.columns.end - row.columns.begin) *
                                                    (row.kh_end - row.kh_begin) * row.G *
                                                    ceil_div(outputs_, most_outputs))) {}

  HWY_INLINE void run(std::int64_t w) {
    const std::int64_t r = (row_.k - 1) / 2;
    w_ = w;
    kw_begin_ = HWY_MAX(r - w, 0);
    kw_end_ = HWY_MIN(row_.columns.W + r - w, row_.k);
    column_ = (w - r + kw_begin_ - row_.input.column) * row_.input.pixel;
    if (copies()) copy_outputs();
    for (std::int64_t g = 0; g < row_.G; ++g) {
      sy_ = sx_ = 0;
      for (std::int64_t first = 0; first < outputs_; first += most_outputs) {
        run_outputs(g, HWY_MIN(outputs_ - first, most_outputs));
      }
    }
  }

 private:
  static constexpr bool widens = !std::is_same_v<Stored, Real>;
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));

  /// Outputs that are widened, or that are read in place and have to be padded.
  bool copies() const { return widens || row_.delta.pixel < row_.padded; }

  HWY_INLINE void copy_outputs() const {
    const std::int64_t count = HWY_MIN(row_.delta.pixel, row_.G * row_.padded);
    Real* to = row_.pixels;
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      const Stored* from = row_.delta.row[sy] + w_ * row_.s * row_.delta.pixel;
      for (std::int64_t sx = 0; sx < row_.s; ++sx, to += row_.G * row_.padded) {
        widen_run(from + sx * row_.delta.pixel, to, count);
        std::fill(to + count, to + row_.G * row_.padded, Real{});
      }
    }
  }

  /// The output at (sy_, sx_).
  HWY_INLINE const Real* output() const {
    if (copies()) return row_.pixels + (sy_ * row_.s + sx_) * row_.G * row_.padded;
    if constexpr (widens) {
      return nullptr;
    } else {
      return row_.delta.row[sy_] + ((w_ - row_.delta.column) * row_.s + sx_) * row_.delta.pixel;
    }
  }

  HWY_INLINE T* stored_result(std::int64_t g) const {
    const std::int64_t x = sy_ * row_.pitch + (w_ - row_.grad_mask_column) * row_.s + sx_;
    return row_.grad_mask + (x * row_.G + g) * row_.k * row_.k;
  }

  /// The used cells of the window in parts of whole rows; the others are zero.
  HWY_INLINE void run_outputs(std::int64_t g, std::int64_t size) {
    const bool whole = used() == row_.k && row_.kh_end - row_.kh_begin == row_.k;
    const Real* delta[most_outputs];
    T* to[most_outputs];
    for (std::int64_t p = 0; p < size; ++p) {
      delta[p] = output() + g * row_.padded;
      to[p] = stored_result(g);
      if (!whole) std::fill_n(to[p], row_.k * row_.k, T{});
      if (++sx_ == row_.s) sx_ = 0, ++sy_;
    }
    for (std::int64_t begin = row_.kh_begin; begin < row_.kh_end; begin += rows_) {
      const std::int64_t end = HWY_MIN(begin + rows_, row_.kh_end);
      const std::int64_t cells = (end - begin) * used();
      multiply_part(delta, g * row_.padded, size, begin, end);
      add_lanes(row_.partials, size * cells, row_.sums);
      for (std::int64_t p = 0; p < size; ++p) {
        store_part(row_.sums + p * cells, to[p] + kw_begin_, begin, end);
      }
    }
  }

  /// Rows [begin, end) of the window.
  HWY_INLINE void multiply_part(const Real* const* delta, std::int64_t channel, std::int64_t size,
                                std::int64_t begin, std::int64_t end) const {
    const std::int64_t cells = (end - begin) * used();
    Products<Real> products;
    products.pixel = row_.input.pixel;
    products.channels = row_.padded;
    products.output = cells * lanes;
    for (std::int64_t kh = begin; kh < end; ++kh) {
      Lines lines = take_lines(*row_.prefetch, pace_);
      products.lines = &lines;
      for (std::int64_t kw = 0, count; kw < used(); kw += count) {
        count = next_cells(used() - kw);
        products.cell = row_.input.row[kh] + column_ + channel + kw * row_.input.pixel;
        for (std::int64_t p = 0; p < size; p += grad_mask_outputs) {
          products.delta = delta + p;
          products.partials = row_.partials + (p * cells + (kh - begin) * used() + kw) * lanes;
          multiply_outputs<grad_mask_outputs>(products, HWY_MIN(size - p, grad_mask_outputs),
                                              count);
        }
      }
      while (lines.next < lines.end) prefetch_line(lines);
    }
  }

  /// From the first used column on.
  HWY_INLINE void store_part(const Real* sums, T* to, std::int64_t begin, std::int64_t end) const {
    if (used() == row_.k) return narrow_run(sums, to + begin * row_.k, (end - begin) * row_.k);
    for (std::int64_t kh = begin; kh < end; ++kh, sums += used()) {
      narrow_run(sums, to + kh * row_.k, used());
    }
  }

  /// Cells of a row of the window.
  std::int64_t used() const { return kw_end_ - kw_begin_; }

  /// How many of the `left` cells of a row to sum together next: pieces as equal as possible.
  static std::int64_t next_cells(std::int64_t left) {
    constexpr std::int64_t most = grad_mask_cells<slot_vectors<Real>>;
    if (left <= most) return left;
    return ceil_div(left, ceil_div(left, most));
  }

  const GeneralGradMaskRow<T, Stored>& row_;
  std::int64_t outputs_;  // of one input pixel
  std::int64_t rows_;     // of a part of the window
  std::int64_t pace_;     // of prefetch, for each row of a window
  std::int64_t w_, kw_begin_, kw_end_, column_;
  std::int64_t sy_, sx_;
};

template <class T, class Stored>
void grad_mask_row(const GeneralGradMaskRow<T, Stored>& row) {
  GradMaskPixels<T, Stored> pixels{row};
  for (std::int64_t w = row.columns.begin; w < row.columns.end; ++w) pixels.run(w);
}

template <class T>
constexpr GeneralGradMaskKernels<T> grad_mask_kernels{grad_mask_row<T, T>,
                                                      grad_mask_row<T, Compute<T>>};

const PerDtype<GeneralGradMaskKernels>& grad_mask_table() {
  static constexpr PerDtype<GeneralGradMaskKernels> all{
      grad_mask_kernels<float>, grad_mask_kernels<double>, grad_mask_kernels<Half>,
      grad_mask_kernels<BFloat16>};
  return all;
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const KernelTable<PerDtype<GeneralGradMaskKernels>> general_grad_mask_kernels =
    MLUOP_PER_ISA(grad_mask_table);

}  // namespace mluop::carafe
#endif
