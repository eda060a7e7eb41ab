// Maximum and average of the rows of a list, compiled per instruction set.
#include "ops/sparse_pool/kernels/pool.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sparse_pool/kernels/forward.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/greater-inl.hpp"
#include "ops/sparse_pool/kernels/by_pair-inl.hpp"
#include "ops/sparse_pool/kernels/fold-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_pool::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::greater;

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
void max_forward_by_pair(const MaxForward<T>& pool, const PairTile<Compute<T>>& tile) {
  if (pool.exact) return fold_all_pairs(MaxFold<T, true>{pool}, tile);
  fold_all_pairs(MaxFold<T, false>{pool}, tile);
}
template <class T>
void mean_forward_by_pair(const MeanForward<T>& pool, const PairTile<Compute<T>>& tile) {
  fold_all_pairs(MeanFold<T>{pool}, tile);
}

template <class T>
constexpr ForwardKernels<T> forward_kernels_of{{max_forward<T>, max_forward_by_pair<T>},
                                               {mean_forward<T>, mean_forward_by_pair<T>}};

const PerDtype<ForwardKernels>& forward_of_level() {
  static constexpr PerDtype<ForwardKernels> all{
      forward_kernels_of<float>, forward_kernels_of<double>, forward_kernels_of<Half>,
      forward_kernels_of<BFloat16>};
  return all;
}

}  // namespace mluop::sparse_pool::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::sparse_pool {

const PerIsa<const PerDtype<ForwardKernels>& (*)()> forward_kernels =
    MLUOP_PER_ISA(forward_of_level);

}  // namespace mluop::sparse_pool
#endif
