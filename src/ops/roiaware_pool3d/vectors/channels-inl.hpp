// Rows of channels cut into vectors; included per target.
#if defined(MLUOPS_ROIAWARE_CHANNELS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_ROIAWARE_CHANNELS_INL_HPP
#undef MLUOPS_ROIAWARE_CHANNELS_INL_HPP
#else
#define MLUOPS_ROIAWARE_CHANNELS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Calls body(d, c) for vectors that start at channel c and together cover `channels`. The last one may
/// overlap its neighbour, for bodies that may repeat a channel; fewer channels than `lanes` make narrower
/// vectors.
template <class Real, int lanes, class Body>
HWY_INLINE void for_each_vector(std::int64_t channels, Body&& body) {
  if constexpr (lanes > 1) {
    if (channels < lanes) return for_each_vector<Real, lanes / 2>(channels, body);
  }
  const hn::CappedTag<Real, lanes> d;
  std::int64_t c = 0;
  for (; c + lanes <= channels; c += lanes) body(d, c);
  if (c < channels) body(d, channels - lanes);
}

/// Calls body(d, c, count) for one or two vectors, `count` of them, that start at channel c; the last ones may
/// overlap their neighbours.
template <class Real, int lanes, class Body>
HWY_INLINE void for_each_pair(std::int64_t channels, Body&& body) {
  constexpr std::integral_constant<int, 1> one;
  constexpr std::integral_constant<int, 2> two;
  if (channels < 2 * lanes) {
    return for_each_vector<Real, lanes>(channels,
                                        [&](auto d, std::int64_t c) HWY_ATTR { body(d, c, one); });
  }
  const hn::CappedTag<Real, lanes> d;
  std::int64_t c = 0;
  for (; c + 2 * lanes <= channels; c += 2 * lanes) body(d, c, two);
  if (c < channels) body(d, channels - 2 * lanes, two);
}

/// The same without overlap, for bodies that add: what is left goes to ever narrower vectors.
template <class Real, int lanes, class Body>
HWY_INLINE void for_each_vector_once(std::int64_t channels, Body&& body, std::int64_t c = 0) {
  const hn::CappedTag<Real, lanes> d;
  for (; c + lanes <= channels; c += lanes) body(d, c);
  if constexpr (lanes > 1) {
    if (c < channels) for_each_vector_once<Real, lanes / 2>(channels, body, c);
  }
}

/// Calls body(d, c, count) for groups of `count` vectors, a constant, that follow each other from channel c
/// on; without overlap. For bodies to which a group costs less than its vectors one by one.
template <class Real, int lanes, int vectors, class Body>
HWY_INLINE void for_each_group_once(std::int64_t channels, Body&& body, std::int64_t c = 0) {
  const hn::CappedTag<Real, lanes> d;
  constexpr std::integral_constant<int, vectors> count;
  for (; c + count * lanes <= channels; c += count * lanes) body(d, c, count);
  if (c == channels) return;
  if constexpr (vectors > 1) {
    for_each_group_once<Real, lanes, vectors / 2>(channels, body, c);
  } else if constexpr (lanes > 1) {
    for_each_group_once<Real, lanes / 2, 1>(channels, body, c);
  }
}

template <class Real>
constexpr int full_lanes() {
  return static_cast<int>(hn::MaxLanes(hn::ScalableTag<Real>()));
}

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
