// How kernels cut channels into pieces of vectors; included per target.
#if defined(MLUOPS_ROI_ALIGN_PIECES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_ROI_ALIGN_PIECES_INL_HPP
#undef MLUOPS_ROI_ALIGN_PIECES_INL_HPP
#else
#define MLUOPS_ROI_ALIGN_PIECES_INL_HPP
#endif

#include <hwy/highway.h>

#include <type_traits>

#include "core/numbers/integers.hpp"
#include "core/numbers/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roi_align::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// Levels whose speed does not matter: fewer unrolled loops to compile.
constexpr bool simple = HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SCALAR;

/// `vectors` vectors of channels from `channel` on; the last begins `last_offset` channels after it and may overlap
/// its neighbour. Whoever stores a piece has loaded all of it before, so that the overlap is stored twice with the
/// same values.
template <int vectors, class D>
struct Piece {
  static constexpr int count = vectors;
  D d;
  std::int64_t channel, last_offset;

  HWY_INLINE std::int64_t offset(int k) const {
    return k == vectors - 1 ? last_offset : k * static_cast<std::int64_t>(hn::Lanes(d));
  }
};

template <int vectors, class D, class Body>
HWY_INLINE void with_last_piece(D d, std::int64_t channel, std::int64_t width, const Body& body) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if constexpr (vectors > 1) {
    if (width <= (vectors - 1) * lanes) {
      return with_last_piece<vectors - 1>(d, channel, width, body);
    }
  }
  body(Piece<vectors, D>{d, channel, width - lanes});
}

/// Calls body(piece) for pieces of at most `most` vectors, at least 2, that cover `channels` channels. A piece is at
/// least a vector wide: of fewer channels than that the vectors are narrower. Pieces have 16, 8 or at most 4
/// vectors: others would only be more code.
template <int most, class D, class Body>
HWY_INLINE void for_wide_pieces(D d, std::int64_t channels, const Body& body) {
  constexpr int few = HWY_MIN(most, 4);
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  std::int64_t at = 0;
  // Nothing is left after a piece, or at least a vector.
  const auto fits = [&](int vectors) {
    return channels - at == vectors * lanes || channels - at >= (vectors + 1) * lanes;
  };
  const auto take = [&]<int vectors>(std::integral_constant<int, vectors>) HWY_ATTR {
    body(Piece<vectors, D>{d, at, (vectors - 1) * lanes});
    at += vectors * lanes;
  };
  while (channels - at > few * lanes) {
    if (most >= 16 && fits(16)) {
      take(std::integral_constant<int, HWY_MIN(most, 16)>());
    } else if (most >= 8 && fits(8)) {
      take(std::integral_constant<int, HWY_MIN(most, 8)>());
    } else if (fits(few)) {
      take(std::integral_constant<int, few>());
    } else {
      take(std::integral_constant<int, few - 1>());
    }
  }
  if (at < channels) with_last_piece<few>(d, at, channels - at, body);
}

template <int most, int lanes, class Real, class Body>
HWY_INLINE void for_pieces(std::int64_t channels, const Body& body) {
  if constexpr (lanes > 1) {
    if (channels < lanes) return for_pieces<most, lanes / 2, Real>(channels, body);
  }
  for_wide_pieces<most>(hn::CappedTag<Real, lanes>(), channels, body);
}

template <class Real>
constexpr int lanes_of = static_cast<int>(hn::MaxLanes(hn::ScalableTag<Real>()));

}  // namespace mluop::roi_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
