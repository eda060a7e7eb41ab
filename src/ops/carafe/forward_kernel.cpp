// Forward: a block of output pixels times a few vectors of channels in registers, over the window.
#include "ops/carafe/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/forward_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/convert-inl.hpp"
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
  for (int p = 0; p < outputs; ++p) {
    for (int v = 0; v < vectors; ++v) sums[p][v] = hn::Zero(d);
  }
  for (std::int64_t kh = window.kh_begin; kh < window.kh_end; ++kh) {
    const Real* from = window.row[kh] + window.first;
    const std::int64_t begin = kh * window.k + window.kw_begin;
    for (std::int64_t m = begin; m < begin + window.columns; ++m, from += window.pixel) {
      hn::Vec<decltype(d)> cell[vectors];
      for (int v = 0; v < vectors; ++v) cell[v] = hn::LoadU(d, from + v * lanes);
      for (int p = 0; p < outputs; ++p) {
        const auto shared = hn::Set(d, pixels.mask[p][m]);
        for (int v = 0; v < vectors; ++v) {
          const auto weight = one_group ? shared : hn::Set(d, pixels.mask[p][m + group_of[v]]);
          sums[p][v] = hn::MulAdd(weight, cell[v], sums[p][v]);
        }
      }
    }
  }
  for (int p = 0; p < outputs; ++p) {
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

/// One input pixel: its s² output pixels, some at a time, and all channels of the block.
template <class T>
class ForwardPixel {
 public:
  using Real = Compute<T>;

  explicit ForwardPixel(const ForwardRow<T>& row) : row_(row) {}

  HWY_INLINE void run(std::int64_t w) {
    const std::int64_t s = row_.s, count = s * s, r = (row_.k - 1) / 2;
    w_ = w;
    window_.row = row_.input.row;
    window_.pixel = row_.input.pixel;
    window_.kh_begin = row_.kh_begin;
    window_.kh_end = row_.kh_end;
    window_.kw_begin = HWY_MAX(r - w, 0);
    window_.columns = HWY_MIN(row_.columns.W + r - w, row_.k) - window_.kw_begin;
    window_.k = row_.k;
    column_ = (w + window_.kw_begin - r - row_.input.column) * row_.input.pixel;
    // Equal parts of at most four, so that none is left with a single output: 1, 3 or 4.
    const std::int64_t parts = (count + most_outputs - 1) / most_outputs;
    for (std::int64_t part = 0; part < parts; ++part) {
      const std::int64_t begin = part * count / parts;
      const std::int64_t size = (part + 1) * count / parts - begin;
      if (size == 4) {
        run_outputs<4>(begin);
      } else if (size == 3) {
        run_outputs<3>(begin);
      } else {
        run_outputs<1>(begin);
      }
    }
    if (row_.output.staging != nullptr) narrow();
  }

 private:
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));

  template <int outputs>
  HWY_INLINE void run_outputs(std::int64_t begin) {
    const std::int64_t per_group = row_.block.padded / lanes;
    const bool one_group = per_group >= forward_vectors<outputs> || row_.block.groups == 1;
    const std::int64_t runs = one_group ? row_.block.groups : 1;
    const std::int64_t run = one_group ? per_group : per_group * row_.block.groups;
    const std::int64_t pieces = (run + forward_vectors<outputs> - 1) / forward_vectors<outputs>;
    for (std::int64_t g = 0; g < runs; ++g) {
      for (std::int64_t piece = 0; piece < pieces; ++piece) {
        const std::int64_t first = g * run + piece * run / pieces;
        const std::int64_t count = g * run + (piece + 1) * run / pieces - first;
        run_vectors<outputs>(begin, first, count, one_group);
      }
    }
  }

  template <int outputs>
  HWY_INLINE void run_vectors(std::int64_t begin, std::int64_t first, std::int64_t count,
                              bool one_group) {
    const std::int64_t s = row_.s, cells = row_.k * row_.k;
    const std::int64_t per_group = row_.block.padded / lanes;
    Outputs<Real> pixels;
    for (int p = 0; p < outputs; ++p) {
      const std::int64_t sy = (begin + p) / s, sx = (begin + p) % s;
      pixels.mask[p] = row_.mask.row[sy] + ((w_ - row_.mask.column) * s + sx) * row_.mask.pixel +
                       first / per_group * cells;
      pixels.to[p] = output_pixel(begin + p, sy, sx) + first * lanes;
    }
    std::int64_t group_of[8];
    if (!one_group) {
      for (std::int64_t v = 0; v < count; ++v) {
        group_of[v] = ((first + v) / per_group - first / per_group) * cells;
      }
    }
    window_.first = column_ + first * lanes;
    reassemble_vectors<outputs, forward_vectors<outputs>>(window_, pixels, group_of, count,
                                                          one_group, row_.output.stream);
  }

  HWY_INLINE Real* output_pixel(std::int64_t output, std::int64_t sy, std::int64_t sx) const {
    if constexpr (std::is_same_v<T, Real>) {
      if (row_.output.staging == nullptr) return stored_pixel(sy, sx);
    }
    return row_.output.staging + output * row_.block.padded_total();
  }

  HWY_INLINE T* stored_pixel(std::int64_t sy, std::int64_t sx) const {
    return row_.output.row + sy * row_.output.pitch + (w_ * row_.s + sx) * row_.output.pixel;
  }

  HWY_INLINE void narrow() const {
    const Real* from = row_.output.staging;
    for (std::int64_t output = 0; output < row_.s * row_.s; ++output) {
      T* const to = stored_pixel(output / row_.s, output % row_.s);
      for (std::int64_t g = 0; g < row_.block.groups; ++g, from += row_.block.padded) {
        narrow_run(from, to + g * row_.output.group, row_.block.channels);
      }
    }
  }

  const ForwardRow<T>& row_;
  Window<Real> window_;
  std::int64_t w_, column_;
};

template <class T>
void forward_row(const ForwardRow<T>& row) {
  ForwardPixel<T> pixel{row};
  for (std::int64_t w = row.columns.begin; w < row.columns.end; ++w) pixel.run(w);
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
