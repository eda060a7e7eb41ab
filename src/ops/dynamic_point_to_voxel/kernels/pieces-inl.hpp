// Rows of channels in pieces of several vectors; included per target.
#if defined(MLUOPS_DYNAMIC_POINT_PIECES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_DYNAMIC_POINT_PIECES_INL_HPP
#undef MLUOPS_DYNAMIC_POINT_PIECES_INL_HPP
#else
#define MLUOPS_DYNAMIC_POINT_PIECES_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "core/numbers/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::dynamic_point_to_voxel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// `vectors` vectors of channels from `channel`; the last one starts at `last_offset`, where it may overlap its
/// neighbour: a channel computed twice gets the same bits twice.
template <class D, int count>
struct Piece {
  static constexpr int vectors = count;
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static constexpr std::int64_t pitch = vectors * lanes;

  D d;
  std::int64_t channel, last_offset;

  HWY_INLINE std::int64_t at(int k) const {
    return channel + (k == vectors - 1 ? last_offset : k * lanes);
  }
};

/// Rows that are prefetched, with their cache lines: 12 KB ahead, because the hardware cannot predict gathered rows.
template <class Stored, class P>
struct Ahead {
  static constexpr int lines = static_cast<int>(P::pitch * sizeof(Stored) + 63) / 64;
  static constexpr std::int64_t rows = HWY_MIN(192 / lines, 64);

  /// Also the line of the last channel, into which a row may reach wherever it starts.
  static HWY_INLINE void fetch(const P& piece, const Stored* row) {
    const Stored* const from = row + piece.channel;
    HWY_UNROLL(8)
    for (int i = 0; i < lines; ++i) {
      __builtin_prefetch(reinterpret_cast<const char*>(from) + 64 * i);
    }
    __builtin_prefetch(row + piece.at(P::vectors - 1) + P::lanes - 1);
  }
};

/// Channels [channel, channel + width), which fill at least one vector and at most `vectors`.
template <int vectors, class D, class Body>
HWY_INLINE void one_piece(D d, const Body& body, std::int64_t channel, std::int64_t width) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if constexpr (vectors > 1) {
    if (width <= (vectors - 1) * lanes) return one_piece<vectors - 1>(d, body, channel, width);
  }
  body(Piece<D, vectors>{d, channel, width - lanes});
}

/// C channels, which fill at least one vector, in pieces of at most `most` vectors. What remains and is narrower than
/// a vector reaches back into the piece before it.
template <int most, class D, class Body>
HWY_INLINE void all_pieces(D d, const Body& body, std::int64_t C) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t step = most * lanes;
  for (std::int64_t channel = 0; channel < C; channel += step) {
    const std::int64_t left = C - channel, back = left < lanes ? lanes - left : 0;
    one_piece<most>(d, body, channel - back, HWY_MIN(left + back, step));
  }
}

/// Narrows the vector until the channels fill one; two of a narrowed one then hold them.
template <class Real, int lanes, class Body>
HWY_INLINE void narrow_pieces(const Body& body, std::int64_t C) {
  if constexpr (lanes > 1) {
    if (C < lanes) return narrow_pieces<Real, lanes / 2>(body, C);
  }
  all_pieces<2>(hn::CappedTag<Real, lanes>(), body, C);
}

/// Vectors of a row in registers. Below AVX2 two, which halves the time to compile.
inline constexpr int most_vectors = HWY_MAX_BYTES < 32 ? 2 : 8;

/// Calls body(piece) for pieces that together are C channels.
template <class Real, class Body>
HWY_INLINE void for_each_piece(std::int64_t C, const Body& body) {
  const hn::ScalableTag<Real> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  if (C < lanes) return narrow_pieces<Real, HWY_MAX(lanes / 2, 1)>(body, C);
  all_pieces<most_vectors>(d, body, C);
}

/// All ones if a member is of the same voxel as the one before it, else 0.
template <class D>
HWY_INLINE hn::Vec<D> if_same(D d, bool same) {
  const hn::RebindToSigned<D> bits;
  return hn::BitCast(d, hn::Set(bits, same ? -1 : 0));
}

}  // namespace mluop::dynamic_point_to_voxel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
