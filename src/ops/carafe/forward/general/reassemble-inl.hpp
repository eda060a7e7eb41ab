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

#include "ops/carafe/rows/convert-inl.hpp"
#include "ops/carafe/rows/prefetch-inl.hpp"
#include "ops/carafe/rows/rows.hpp"

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

/// The weights and the results of some output pixels of one window, `weights` and `channel` elements before those
/// of the first vector. Channels are counted with the padding of groups, which results do not have: `gap` of it is
/// before the group, and its channels end at `end`. Vectors that span groups hold `group` channels each.
/// `stream`: with non-temporal stores, which need whole cache lines.
template <class T>
struct Outputs {
  const Compute<T>* mask[most_outputs];
  T* to[most_outputs];
  std::int64_t weights, channel;
  std::int64_t gap, end, group;
  bool stream;
};

/// Stores the first `count` lanes, which may be none.
template <class D, class T>
HWY_INLINE void store_first(D d, hn::Vec<D> sums, std::int64_t count, T* to) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  if (count >= lanes) return store_as(d, sums, to);
  if (count <= 0) return;
#if HWY_TARGET == HWY_AVX3
  if constexpr (std::is_same_v<T, Compute<T>>) {
    return hn::BlendedStore(sums, hn::FirstN(d, static_cast<std::size_t>(count)), d, to);
  }
#endif
  alignas(64) Compute<T> all[lanes];
  hn::Store(sums, d, all);
  narrow_run(all, to, count);
}

/// Keeps GCC from loading several pointers as one vector. Such a load waits until the stores of the pointers have
/// left the store queue, which is full of non-temporal stores.
template <class P>
HWY_INLINE P* by_itself(P* pointer) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  asm("" : "+r"(pointer));
#endif
  return pointer;
}

/// The sums of some output pixels, `vectors` vectors of each: of one group, or each of a group of its own.
template <int outputs, int vectors, bool one_group, class Real>
class Sums {
 public:
  HWY_INLINE Sums() {
    HWY_UNROLL(8)
    for (int p = 0; p < outputs; ++p) {
      HWY_UNROLL(8)
      for (int v = 0; v < vectors; ++v) sums_[p][v] = hn::Zero(d);
    }
  }

  /// sums[p] += mask[p][m] · the cell; the weights of groups are `cells` apart. If that is a constant, a
  /// multiply-add and the broadcast of its weight are one micro-operation.
  HWY_INLINE void add(const Real* from, const Real* const* mask, std::int64_t m,
                      std::int64_t cells) {
    hn::Vec<decltype(d)> cell[vectors];
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v) cell[v] = hn::LoadU(d, from + v * lanes);
    HWY_UNROLL(8)
    for (int p = 0; p < outputs; ++p) {
      const auto shared = hn::Set(d, mask[p][m]);
      HWY_UNROLL(8)
      for (int v = 0; v < vectors; ++v) {
        const auto weight = one_group ? shared : hn::Set(d, mask[p][m + v * cells]);
        sums_[p][v] = hn::MulAdd(weight, cell[v], sums_[p][v]);
      }
    }
  }

  template <class T>
  HWY_INLINE void store(const Outputs<T>& pixels, std::int64_t at) const {
    if constexpr (streams_vectors<T, vectors>) {
      if (pixels.stream) {
        HWY_UNROLL(8)
        for (int p = 0; p < outputs; ++p) {
          stream_vectors<vectors>(sums_[p], by_itself(pixels.to[p]) + at);
        }
        return;
      }
    }
    if (one_group ? at + vectors * lanes > pixels.end : pixels.group < lanes) {
      return store_part(pixels, at);
    }
    HWY_UNROLL(8)
    for (int p = 0; p < outputs; ++p) {
      HWY_UNROLL(8)
      for (int v = 0; v < vectors; ++v) {
        store_as(d, sums_[p][v], by_itself(pixels.to[p]) + (at - pixels.gap) + v * lanes);
      }
    }
  }

  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));

 private:
  /// Without the padding of groups.
  template <class T>
  HWY_INLINE void store_part(const Outputs<T>& pixels, std::int64_t at) const {
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v) {
      const std::int64_t first = at + v * lanes;
      const std::int64_t to = one_group ? first - pixels.gap : first / lanes * pixels.group;
      const std::int64_t count = one_group ? pixels.end - first : pixels.group;
      HWY_UNROLL(8)
      for (int p = 0; p < outputs; ++p) store_first(d, sums_[p][v], count, pixels.to[p] + to);
    }
  }

  static constexpr hn::ScalableTag<Real> d{};
  hn::Vec<decltype(d)> sums_[outputs][vectors];
};

/// to[p] = Σ over the window of mask[p][cell] · input[cell], `pieces` times `vectors` vectors of each.
template <int outputs, int vectors, bool one_group, class T>
HWY_NOINLINE void reassemble(const Window<Compute<T>>& window, const Outputs<T>& pixels,
                             std::int64_t pieces) {
  using Piece = Sums<outputs, vectors, one_group, Compute<T>>;
  constexpr std::int64_t step = vectors * Piece::lanes;
  const std::int64_t cells = window.k * window.k;
  const Compute<T>* mask[outputs];
  for (int p = 0; p < outputs; ++p) mask[p] = by_itself(pixels.mask[p]) + pixels.weights;
  const std::int64_t end = pixels.channel + pieces * step;
  for (std::int64_t at = pixels.channel; at < end; at += step) {
    Piece sums;
    for (std::int64_t kh = window.kh_begin; kh < window.kh_end; ++kh) {
      const Compute<T>* from = window.row[kh] + window.first + at;
      const std::int64_t begin = kh * window.k + window.kw_begin;
      for (std::int64_t m = begin; m < begin + window.columns; ++m, from += window.pixel) {
        sums.add(from, mask, m, cells);
      }
    }
    sums.store(pixels, at);
    for (int p = 0; p < outputs && !one_group; ++p) mask[p] += vectors * cells;
  }
}

/// The same for a whole window with side k, without branches between its cells. Prefetches `bytes_per_row` of
/// `lines` with each row of the window.
template <int outputs, int vectors, bool one_group, int k, class T>
HWY_NOINLINE void reassemble_whole(const Window<Compute<T>>& window, const Outputs<T>& pixels,
                                   std::int64_t pieces, Lines& lines, std::int64_t bytes_per_row) {
  using Piece = Sums<outputs, vectors, one_group, Compute<T>>;
  constexpr std::int64_t step = vectors * Piece::lanes;
  const Compute<T>* mask[outputs];
  for (int p = 0; p < outputs; ++p) mask[p] = by_itself(pixels.mask[p]) + pixels.weights;
  const std::int64_t pixel = window.pixel, end = pixels.channel + pieces * step;
  const std::byte* next = lines.next;
  const std::byte* const last = lines.end;
  for (std::int64_t at = pixels.channel; at < end; at += step) {
    Piece sums;
    HWY_UNROLL(8)
    for (int kh = 0; kh < k; ++kh) {
      const Compute<T>* from = window.row[kh] + window.first + at;
      const std::byte* const some = HWY_MIN(next + bytes_per_row, last);
      for (; next < some; next += 64) __builtin_prefetch(next, 0, 2);
      HWY_UNROLL(8)
      for (int kw = 0; kw < k; ++kw, from += pixel) sums.add(from, mask, kh * k + kw, k * k);
    }
    sums.store(pixels, at);
    for (int p = 0; p < outputs && !one_group; ++p) mask[p] += vectors * k * k;
  }
  lines.next = next;
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
