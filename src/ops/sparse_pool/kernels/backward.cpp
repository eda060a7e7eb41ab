// Gradients, and the winners that mode EXACT needs, compiled per instruction set.
#include "ops/sparse_pool/kernels/pool.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sparse_pool/kernels/backward.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/sparse_pool/kernels/by_pair-inl.hpp"
#include "ops/sparse_pool/kernels/fold-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_pool::HWY_NAMESPACE {

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

/// Source-row numbers are bit-cast to the value type, to be blended with it.
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
void equal_backward_by_pair(const EqualBackward<T>& pool, const PairTile<Compute<T>>& tile) {
  fold_all_pairs(EqualFold<T>{{pool}}, tile);
}
template <class T>
void mean_backward_by_pair(const MeanBackward<T>& pool, const PairTile<Compute<T>>& tile) {
  fold_all_pairs(MeanBackwardFold<T>{{pool}}, tile);
}

template <class T>
constexpr BackwardKernels<T> backward_kernels_of{{equal_backward<T>, equal_backward_by_pair<T>},
                                                 find_winners<T>,
                                                 winners_backward<T>,
                                                 {mean_backward<T>, mean_backward_by_pair<T>}};

const PerDtype<BackwardKernels>& backward_of_level() {
  static constexpr PerDtype<BackwardKernels> all{
      backward_kernels_of<float>, backward_kernels_of<double>, backward_kernels_of<Half>,
      backward_kernels_of<BFloat16>};
  return all;
}

}  // namespace mluop::sparse_pool::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::sparse_pool {

const PerIsa<const PerDtype<BackwardKernels>& (*)()> backward_kernels =
    MLUOP_PER_ISA(backward_of_level);

}  // namespace mluop::sparse_pool
#endif
