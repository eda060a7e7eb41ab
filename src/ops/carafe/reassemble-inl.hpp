// Sums over a window for some output pixels and some vectors of channels, all in registers; included per
// target.
#if defined(MLUOPS_CARAFE_REASSEMBLE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_REASSEMBLE_INL_HPP
#undef MLUOPS_CARAFE_REASSEMBLE_INL_HPP
#else
#define MLUOPS_CARAFE_REASSEMBLE_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "ops/carafe/convert-inl.hpp"
#include "ops/carafe/kernels.hpp"

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

/// The weights and the results of some output pixels of one window, from the first vector on. `stream`:
/// past the caches, which takes whole lines.
template <class T>
struct Outputs {
  const Compute<T>* mask[most_outputs];
  T* to[most_outputs];
  bool stream;
};

/// The sums of some output pixels, `vectors` vectors of each; where they span several groups,
/// group_of[v] says where the weights of a vector start.
template <int outputs, int vectors, bool one_group, class Real>
class Sums {
 public:
  HWY_INLINE explicit Sums(const std::int64_t* group_of) : group_of_(group_of) {
    HWY_UNROLL(8)
    for (int p = 0; p < outputs; ++p) {
      HWY_UNROLL(8)
      for (int v = 0; v < vectors; ++v) sums_[p][v] = hn::Zero(d);
    }
  }

  /// sums[p] += mask[p][m] · the cell.
  HWY_INLINE void add(const Real* from, const Real* const* mask, std::int64_t m) {
    hn::Vec<decltype(d)> cell[vectors];
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v) cell[v] = hn::LoadU(d, from + v * lanes);
    HWY_UNROLL(8)
    for (int p = 0; p < outputs; ++p) {
      const auto shared = hn::Set(d, mask[p][m]);
      HWY_UNROLL(8)
      for (int v = 0; v < vectors; ++v) {
        const auto weight = one_group ? shared : hn::Set(d, mask[p][m + group_of_[v]]);
        sums_[p][v] = hn::MulAdd(weight, cell[v], sums_[p][v]);
      }
    }
  }

  template <class T>
  HWY_INLINE void store(const Outputs<T>& pixels, std::int64_t at) const {
    if constexpr (streams_vectors<T, vectors>) {
      if (pixels.stream) {
        HWY_UNROLL(8)
        for (int p = 0; p < outputs; ++p) stream_vectors<vectors>(sums_[p], pixels.to[p] + at);
        return;
      }
    }
    HWY_UNROLL(8)
    for (int p = 0; p < outputs; ++p) {
      HWY_UNROLL(8)
      for (int v = 0; v < vectors; ++v) store_as(d, sums_[p][v], pixels.to[p] + at + v * lanes);
    }
  }

  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));

 private:
  static constexpr hn::ScalableTag<Real> d{};
  const std::int64_t* group_of_;
  hn::Vec<decltype(d)> sums_[outputs][vectors];
};

/// to[p] = Σ over the window of mask[p][cell] · input[cell], `pieces` times `vectors` vectors of each.
template <int outputs, int vectors, bool one_group, class T>
HWY_NOINLINE void reassemble(const Window<Compute<T>>& window, const Outputs<T>& pixels,
                             const std::int64_t* group_of, std::int64_t pieces) {
  using Piece = Sums<outputs, vectors, one_group, Compute<T>>;
  constexpr std::int64_t step = vectors * Piece::lanes;
  for (std::int64_t at = 0; at < pieces * step; at += step, group_of += vectors) {
    Piece sums{group_of};
    for (std::int64_t kh = window.kh_begin; kh < window.kh_end; ++kh) {
      const Compute<T>* from = window.row[kh] + window.first + at;
      const std::int64_t begin = kh * window.k + window.kw_begin;
      for (std::int64_t m = begin; m < begin + window.columns; ++m, from += window.pixel) {
        sums.add(from, pixels.mask, m);
      }
    }
    sums.store(pixels, at);
  }
}

/// The same for a whole window with side k, without branches between its cells.
template <int outputs, int vectors, bool one_group, int k, class T>
HWY_NOINLINE void reassemble_whole(const Window<Compute<T>>& window, const Outputs<T>& pixels,
                                   const std::int64_t* group_of, std::int64_t pieces) {
  using Piece = Sums<outputs, vectors, one_group, Compute<T>>;
  constexpr std::int64_t step = vectors * Piece::lanes;
  const Compute<T>* mask[outputs];
  for (int p = 0; p < outputs; ++p) mask[p] = pixels.mask[p];
  const std::int64_t pixel = window.pixel;
  for (std::int64_t at = 0; at < pieces * step; at += step, group_of += vectors) {
    Piece sums{group_of};
    HWY_UNROLL(8)
    for (int kh = 0; kh < k; ++kh) {
      const Compute<T>* from = window.row[kh] + window.first + at;
      HWY_UNROLL(8)
      for (int kw = 0; kw < k; ++kw, from += pixel) sums.add(from, mask, kh * k + kw);
    }
    sums.store(pixels, at);
  }
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
