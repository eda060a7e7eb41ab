// The loops, written once for every vector width and compiled per instruction set.
#include "ops/sparse_pool/kernels/pool.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sparse_pool/kernels/pool.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_pool::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

// A fold computes one vector of channels of a target row:
//   start(d, row, c)             before the first source row
//   add(d, so_far, row, x, c)    with one more source row x
//   finish(d, row, n, all, c)    stores it, n being the length of the list
//   fetch(x, c, lines)           prefetches as many cache lines of what it reads of a source row

template <class T>
HWY_INLINE void fetch_lines(const T* from, int lines) {
  HWY_UNROLL(8)
  for (int i = 0; i < lines; ++i) __builtin_prefetch(reinterpret_cast<const char*>(from) + 64 * i);
}

/// The new value if it is greater than the old one, which is no NaN: NaN never wins, and of zeros of both
/// signs the first stays.
template <class V>
HWY_INLINE V greater(V value, V old) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Max(value, old);  // as the instruction defines it
#else
  return hn::IfThenElse(hn::Gt(value, old), value, old);
#endif
}

template <class T, bool exact>
struct MaxFold {
  using Stored = T;
  const MaxForward<T>& pool;

  template <class D>
  HWY_INLINE hn::Vec<D> start(D d, std::int64_t, std::int64_t) const {
    if constexpr (exact) return hn::Neg(hn::Inf(d));
    return hn::Zero(d);
  }
  template <class D>
  HWY_INLINE hn::Vec<D> add(D d, hn::Vec<D> so_far, std::int64_t, std::int64_t x,
                            std::int64_t c) const {
    return greater(load_as(d, at(x) + c), so_far);
  }
  template <class D>
  HWY_INLINE void finish(D d, std::int64_t y, std::int64_t, hn::Vec<D> all, std::int64_t c) const {
    if constexpr (exact) {
      all = hn::IfThenZeroElse(hn::Eq(all, hn::Neg(hn::Inf(d))), all);
    }
    store_as(d, all, pool.features_out + y * pool.C + c);
  }
  HWY_INLINE void fetch(std::int64_t x, std::int64_t c, int lines) const {
    fetch_lines(at(x) + c, lines);
  }
  HWY_INLINE const T* at(std::int64_t x) const { return pool.features + x * pool.C; }
};

template <class T>
struct MeanFold {
  using Stored = T;
  const MeanForward<T>& pool;

  template <class D>
  HWY_INLINE hn::Vec<D> start(D d, std::int64_t, std::int64_t) const {
    return hn::Zero(d);
  }
  template <class D>
  HWY_INLINE hn::Vec<D> add(D d, hn::Vec<D> so_far, std::int64_t, std::int64_t x,
                            std::int64_t c) const {
    return hn::Add(so_far, load_as(d, at(x) + c));
  }
  template <class D>
  HWY_INLINE void finish(D d, std::int64_t y, std::int64_t n, hn::Vec<D> all,
                         std::int64_t c) const {
    const auto count = static_cast<hn::TFromD<D>>(HWY_MAX(n, std::int64_t{1}));
    store_as(d, hn::Div(all, hn::Set(d, count)), pool.features_out + y * pool.C + c);
  }
  HWY_INLINE void fetch(std::int64_t x, std::int64_t c, int lines) const {
    fetch_lines(at(x) + c, lines);
  }
  HWY_INLINE const T* at(std::int64_t x) const { return pool.features + x * pool.C; }
};

/// What the gradients share: a sum, stored in input_grad.
template <class Pool, class T>
struct SumFold {
  using Stored = T;
  const Pool& pool;

  template <class D>
  HWY_INLINE hn::Vec<D> start(D d, std::int64_t, std::int64_t) const {
    return hn::Zero(d);
  }
  template <class D>
  HWY_INLINE void finish(D d, std::int64_t x, std::int64_t, hn::Vec<D> all, std::int64_t c) const {
    store_as(d, all, pool.input_grad + x * pool.C + c);
  }
  HWY_INLINE void fetch(std::int64_t y, std::int64_t c, int lines) const {
    fetch_lines(at(y) + c, lines);
  }
  HWY_INLINE const T* at(std::int64_t y) const { return pool.output_grad + y * pool.C; }
};

template <class T>
struct EqualFold : SumFold<EqualBackward<T>, T> {
  template <class D>
  HWY_INLINE hn::Vec<D> add(D d, hn::Vec<D> so_far, std::int64_t x, std::int64_t y,
                            std::int64_t c) const {
    const auto equal = hn::Eq(load_as(d, this->pool.features + x * this->pool.C + c),
                              load_as(d, this->pool.features_out + y * this->pool.C + c));
    return hn::Add(so_far, hn::IfThenElseZero(equal, load_as(d, this->at(y) + c)));
  }
  HWY_INLINE void fetch(std::int64_t y, std::int64_t c, int lines) const {
    fetch_lines(this->at(y) + c, lines);
    fetch_lines(this->pool.features_out + y * this->pool.C + c, lines);
  }
};

template <class T>
struct WinnersFold : SumFold<WinnersBackward<T>, T> {
  template <class D>
  HWY_INLINE hn::Vec<D> add(D d, hn::Vec<D> so_far, std::int64_t x, std::int64_t y,
                            std::int64_t c) const {
    const hn::Rebind<RowName<T>, D> names;
    const auto winner = hn::LoadU(names, this->pool.winners + y * this->pool.C + c);
    const auto won = hn::RebindMask(d, hn::Eq(winner, hn::Set(names, static_cast<RowName<T>>(x))));
    return hn::Add(so_far, hn::IfThenElseZero(won, load_as(d, this->at(y) + c)));
  }
  HWY_INLINE void fetch(std::int64_t y, std::int64_t c, int lines) const {
    constexpr int wider = static_cast<int>(sizeof(RowName<T>) / sizeof(T));
    fetch_lines(this->at(y) + c, lines);
    fetch_lines(this->pool.winners + y * this->pool.C + c, wider * lines);
  }
};

template <class T>
struct MeanBackwardFold : SumFold<MeanBackward<T>, T> {
  template <class D>
  HWY_INLINE hn::Vec<D> add(D d, hn::Vec<D> so_far, std::int64_t, std::int64_t y,
                            std::int64_t c) const {
    return hn::Add(so_far, hn::Div(load_as(d, this->at(y) + c), hn::Set(d, this->pool.counts[y])));
  }
};

/// Names travel through vectors of values as bits.
template <class T>
struct FindFold {
  using Stored = T;
  const FindWinners<T>& pool;

  template <class D>
  HWY_INLINE hn::Vec<D> start(D d, std::int64_t, std::int64_t) const {
    return hn::BitCast(d, hn::Set(hn::Rebind<RowName<T>, D>(), RowName<T>{-1}));
  }
  template <class D>
  HWY_INLINE hn::Vec<D> add(D d, hn::Vec<D> so_far, std::int64_t y, std::int64_t x,
                            std::int64_t c) const {
    const hn::Rebind<RowName<T>, D> names;
    const auto found = hn::BitCast(names, so_far);
    const auto equal = hn::RebindMask(
        names, hn::Eq(load_as(d, at(x) + c), load_as(d, pool.features_out + y * pool.C + c)));
    const auto first = hn::And(equal, hn::Lt(found, hn::Zero(names)));
    const auto name = hn::Set(names, static_cast<RowName<T>>(x));
    return hn::BitCast(d, hn::IfThenElse(first, name, found));
  }
  template <class D>
  HWY_INLINE void finish(D d, std::int64_t y, std::int64_t, hn::Vec<D> all, std::int64_t c) const {
    const hn::Rebind<RowName<T>, D> names;
    hn::StoreU(hn::BitCast(names, all), names, pool.winners + y * pool.C + c);
    (void)d;
  }
  HWY_INLINE void fetch(std::int64_t x, std::int64_t c, int lines) const {
    fetch_lines(at(x) + c, lines);
  }
  HWY_INLINE const T* at(std::int64_t x) const { return pool.features + x * pool.C; }
};

/// One row, `vectors` vectors of channels from `channel`; the last vector starts at `last_offset`, where
/// it may overlap its neighbour: a channel computed twice gets the same bits twice.
template <int vectors, class D, class Fold>
HWY_INLINE void fold_vectors(D d, const Fold& fold, const Lists& lists, std::int64_t r,
                             std::int64_t channel, std::int64_t last_offset) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto at = [&](int k) { return channel + (k == vectors - 1 ? last_offset : k * lanes); };
  const std::int64_t row = lists.first_row + r;
  const std::int64_t begin = lists.begin_of(r), end = lists.ends[r];
  // The hardware does not foresee rows. Those to come are asked for, also of the next lists, as many as
  // are 12 KB: a fifth less time than 2 KB; lines farther ahead leave L1 before use.
  constexpr int lines =
      static_cast<int>(vectors * hn::MaxLanes(d) * sizeof(typename Fold::Stored) + 63) / 64;
  constexpr std::int64_t ahead = HWY_MIN(192 / lines, 64);
  const std::int64_t last = lists.ends[lists.rows - 1];
  hn::Vec<D> all[vectors];
  HWY_UNROLL(8)
  for (int k = 0; k < vectors; ++k) all[k] = fold.start(d, row, at(k));
  for (std::int64_t p = begin; p < end; ++p) {
    if (p + ahead < last) fold.fetch(lists.sources[p + ahead], channel, lines);
    const std::int64_t source = lists.sources[p];
    HWY_UNROLL(8)
    for (int k = 0; k < vectors; ++k) all[k] = fold.add(d, all[k], row, source, at(k));
  }
  HWY_UNROLL(8)
  for (int k = 0; k < vectors; ++k) fold.finish(d, row, end - begin, all[k], at(k));
}

/// Channels [channel, channel + width), which fill at least one vector and at most `vectors`.
template <int vectors, class D, class Fold>
HWY_INLINE void fold_piece(D d, const Fold& fold, const Lists& lists, std::int64_t r,
                           std::int64_t channel, std::int64_t width) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if constexpr (vectors > 1) {
    if (width <= (vectors - 1) * lanes) {
      return fold_piece<vectors - 1>(d, fold, lists, r, channel, width);
    }
  }
  fold_vectors<vectors>(d, fold, lists, r, channel, width - lanes);
}

/// Rows of C channels, which fill at least one vector, in pieces of at most `most` vectors.
template <int most, class D, class Fold>
HWY_INLINE void fold_rows(D d, const Fold& fold, const Lists& lists) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t C = fold.pool.C, step = most * lanes;
  for (std::int64_t r = 0; r < lists.rows; ++r) {
    for (std::int64_t channel = 0; channel < C; channel += step) {
      // A remainder narrower than a vector reaches back into the piece before it.
      const std::int64_t left = C - channel, back = left < lanes ? lanes - left : 0;
      fold_piece<most>(d, fold, lists, r, channel - back, HWY_MIN(left + back, step));
    }
  }
}

/// Narrows the vector until the channels fill one; two of a narrowed one then hold them.
template <int lanes, class Fold>
HWY_INLINE void fold_narrow(const Fold& fold, const Lists& lists) {
  if constexpr (lanes > 1) {
    if (fold.pool.C < lanes) return fold_narrow<lanes / 2>(fold, lists);
  }
  fold_rows<2>(hn::CappedTag<Compute<typename Fold::Stored>, lanes>(), fold, lists);
}

template <class Fold>
HWY_INLINE void fold_all(const Fold& fold, const Lists& lists) {
  const hn::ScalableTag<Compute<typename Fold::Stored>> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  if (fold.pool.C < lanes) return fold_narrow<HWY_MAX(lanes / 2, 1)>(fold, lists);
  fold_rows<8>(d, fold, lists);
}

template <class T>
void max_forward(const MaxForward<T>& pool, const Lists& lists) {
  if (pool.exact) return fold_all(MaxFold<T, true>{pool}, lists);
  fold_all(MaxFold<T, false>{pool}, lists);
}
template <class T>
void mean_forward(const MeanForward<T>& pool, const Lists& lists) {
  fold_all(MeanFold<T>{pool}, lists);
}
template <class T>
void equal_backward(const EqualBackward<T>& pool, const Lists& lists) {
  fold_all(EqualFold<T>{{pool}}, lists);
}
template <class T>
void find_winners(const FindWinners<T>& pool, const Lists& lists) {
  fold_all(FindFold<T>{pool}, lists);
}
template <class T>
void winners_backward(const WinnersBackward<T>& pool, const Lists& lists) {
  fold_all(WinnersFold<T>{{pool}}, lists);
}
template <class T>
void mean_backward(const MeanBackward<T>& pool, const Lists& lists) {
  fold_all(MeanBackwardFold<T>{{pool}}, lists);
}

template <class T>
constexpr PoolKernels<T> kernels_of{max_forward<T>,  mean_forward<T>,     equal_backward<T>,
                                    find_winners<T>, winners_backward<T>, mean_backward<T>};

const PerDtype<PoolKernels>& kernels() {
  static constexpr PerDtype<PoolKernels> all{kernels_of<float>, kernels_of<double>,
                                             kernels_of<Half>, kernels_of<BFloat16>};
  return all;
}

}  // namespace mluop::sparse_pool::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::sparse_pool {

const PerIsa<const PerDtype<PoolKernels>& (*)()> pool_kernels = MLUOP_PER_ISA(kernels);

}  // namespace mluop::sparse_pool
#endif
