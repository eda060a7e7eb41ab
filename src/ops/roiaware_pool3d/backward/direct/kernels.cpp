// Lists the gradients that name a point, a vector of elements at a time and without a branch that depends on
// them, and adds the lists one element at a time.
#include "ops/roiaware_pool3d/backward/direct/kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roiaware_pool3d/backward/direct/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/simd-inl.hpp"
#include "ops/roiaware_pool3d/backward/indices-inl.hpp"
#include "ops/roiaware_pool3d/vectors/channels-inl.hpp"
#include "ops/roiaware_pool3d/vectors/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// Compresses the chosen values into `to`, which has room for a whole vector; `count` are chosen.
template <class D, class T, class Real>
HWY_INLINE void append_values(D d, const T* values, hn::Mask<D> chosen, std::int64_t count,
                              Real* to) {
  if constexpr (sizeof(Real) == 4) {
    const hn::Rebind<Real, D> dr;
    append(d, hn::BitCast(d, load_as(dr, values)), chosen, reinterpret_cast<std::int32_t*>(to));
  } else {
    std::int32_t from[index_lanes];
    append(d, hn::Iota(d, 0), chosen, from);
    for (std::int64_t i = 0; i < count; ++i) to[i] = values[from[i]];
  }
}

/// The channels of consecutive elements of rows [voxels,C].
class Channels {
 public:
  explicit HWY_INLINE Channels(std::int32_t C)
      : row_(hn::Set(d, C)), last_(hn::Set(d, C - 1)), step_(hn::Set(d, index_lanes % C)) {
    std::int32_t first[index_lanes];
    for (int i = 0; i < index_lanes; ++i) first[i] = i % C;
    channel_ = hn::LoadU(d, first);
  }

  /// Where the gradients of these points are added.
  HWY_INLINE hn::Vec<hn::ScalableTag<std::int32_t>> elements_of(
      hn::Vec<hn::ScalableTag<std::int32_t>> point) const {
    return hn::Add(hn::Mul(point, row_), channel_);
  }

  HWY_INLINE void advance() {
    channel_ = hn::Add(channel_, step_);
    channel_ = hn::Sub(channel_, hn::IfThenElseZero(hn::Gt(channel_, last_), row_));
  }

 private:
  static constexpr hn::ScalableTag<std::int32_t> d{};
  hn::Vec<hn::ScalableTag<std::int32_t>> row_, last_, step_, channel_;
};

template <class T>
std::int64_t list(const Indices& indices, const T* grad_out, Elements<Compute<T>> to) {
  constexpr std::int64_t ahead = 8192;  // bytes; the hardware prefetcher stops at pages
  const hn::ScalableTag<std::int32_t> d;
  const auto C = static_cast<std::int32_t>(indices.row_size);
  const auto none = hn::Set(d, -1), last = hn::Set(d, indices.last_point);
  Channels channels(C);
  auto bad = hn::Zero(d);
  const std::int64_t count = indices.voxels * C;
  std::int64_t size = 0, i = 0;
  for (; i + index_lanes <= count; i += index_lanes) {
    prefetch(indices.rows + i, ahead);
    const auto point = hn::LoadU(d, indices.rows + i);
    const auto wrong = hn::Or(hn::Lt(point, none), hn::Gt(point, last));
    bad = hn::Or(bad, hn::VecFromMask(d, wrong));
    const auto chosen = hn::Gt(point, none);
    if (!hn::AllFalse(d, chosen)) {
      const std::int64_t more = append(d, channels.elements_of(point), chosen, to.to + size);
      append_values(d, grad_out + i, chosen, more, to.values + size);
      size += more;
    }
    channels.advance();
  }
  if (!hn::AllTrue(d, hn::Eq(bad, hn::Zero(d)))) return -1;
  for (; i < count; ++i) {
    const std::int32_t point = indices.rows[i];
    if (point < -1 || point > indices.last_point) return -1;
    if (point < 0) continue;
    to.to[size] = point * C + static_cast<std::int32_t>(i % C);
    to.values[size++] = to_compute(grad_out[i]);
  }
  return size;
}

template <class Real>
HWY_INLINE void add_elements(const std::int32_t* to, const Real* values, std::int64_t count,
                             Real* sums) {
  for (std::int64_t i = 0; i < count; ++i) sums[to[i]] += values[i];
}

/// Those of the range are brought together first: a branch on each would be mispredicted.
template <class Real>
void add(const Elements<Real>& from, std::int64_t count, Real* sums, std::int64_t begin,
         std::int64_t end) {
  constexpr std::int64_t piece = 512;
  const hn::ScalableTag<std::int32_t> d;
  const auto number = hn::Iota(d, 0);
  const auto first = hn::Set(d, static_cast<std::int32_t>(begin));
  const auto last = hn::Set(d, static_cast<std::int32_t>(end - 1));
  std::int32_t to[piece + elements_slack];
  Real values[piece + elements_slack];
  for (std::int64_t i = 0; i < count; i += piece) {
    const std::int64_t size = std::min(piece, count - i);
    std::int64_t some = 0;
    for (std::int64_t k = 0; k < size; k += index_lanes) {
      const auto element = hn::LoadU(d, from.to + i + k);
      const auto listed = hn::Lt(number, hn::Set(d, static_cast<std::int32_t>(size - k)));
      const auto outside = hn::Or(hn::Lt(element, first), hn::Gt(element, last));
      const auto chosen = hn::AndNot(outside, listed);
      const std::int64_t more = append(d, element, chosen, to + some);
      append_values(d, from.values + i + k, chosen, more, values + some);
      some += more;
    }
    add_elements(to, values, some, sums);
  }
}

template <class Real>
void add_all(const Elements<Real>& from, std::int64_t count, Real* sums) {
  add_elements(from.to, from.values, count, sums);
}

template <class T>
void round_sums(const Compute<T>* from, std::int64_t count, T* to) {
  using Real = Compute<T>;
  for_each_vector<Real, full_lanes<Real>()>(
      count, [=](auto d, std::int64_t i) HWY_ATTR { store_as(d, hn::LoadU(d, from + i), to + i); });
}

template <class T>
constexpr DirectKernels<T> direct_kernels_for() {
  return {list<T>, add<Compute<T>>, add_all<Compute<T>>, round_sums<T>};
}

const PerDtype<DirectKernels>& direct_set() {
  static constexpr PerDtype<DirectKernels> all{
      direct_kernels_for<float>(), direct_kernels_for<double>(), direct_kernels_for<Half>(),
      direct_kernels_for<BFloat16>()};
  return all;
}

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roiaware_pool3d {

const PerIsa<const PerDtype<DirectKernels>& (*)()> direct_kernels = MLUOP_PER_ISA(direct_set);

}  // namespace mluop::roiaware_pool3d
#endif
