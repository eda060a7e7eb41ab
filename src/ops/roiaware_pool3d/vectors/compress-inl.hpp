// Chosen lanes brought together; included per target.
//
// Highway 1.0 writes the table of its AVX2 Compress inside a function, and GCC copies that kilobyte to
// the stack at every call: a hundred cycles. Here the table is where it can be read.
#if defined(MLUOPS_ROIAWARE_COMPRESS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_ROIAWARE_COMPRESS_INL_HPP
#undef MLUOPS_ROIAWARE_COMPRESS_INL_HPP
#else
#define MLUOPS_ROIAWARE_COMPRESS_INL_HPP
#endif

#include <hwy/highway.h>

#include <array>
#include <cstdint>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Numbers of points or voxels in lanes as wide as those of D: double holds them exactly.
template <class D>
using Numbers = std::conditional_t<sizeof(hn::TFromD<D>) == 8, D, hn::RebindToSigned<D>>;

template <class D>
HWY_INLINE auto widened(D /*d*/, hn::Vec<hn::Rebind<std::int32_t, D>> numbers) {
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return hn::PromoteTo(Numbers<D>(), numbers);
  } else {
    return numbers;
  }
}

template <class D>
HWY_INLINE auto narrowed(D /*d*/, hn::Vec<Numbers<D>> numbers) {
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return hn::DemoteTo(hn::Rebind<std::int32_t, D>(), numbers);
  } else {
    return numbers;
  }
}

#if HWY_TARGET == HWY_AVX2
/// For every set of eight lanes, their numbers.
using LanesOfSets = std::array<std::array<std::uint8_t, 8>, 256>;

constexpr LanesOfSets make_lanes_of_sets() {
  LanesOfSets lanes{};
  for (std::size_t set = 0; set < lanes.size(); ++set) {
    std::size_t size = 0;
    for (std::uint8_t lane = 0; lane < 8; ++lane) {
      if ((set >> lane & 1u) != 0) lanes[set][size++] = lane;
    }
  }
  return lanes;
}

alignas(64) inline constexpr LanesOfSets lanes_of_sets = make_lanes_of_sets();
#endif

/// Compresses the chosen of `numbers` into `to` and returns how many. Writes a whole vector; its other lanes
/// are undefined.
template <class D>
HWY_INLINE std::int64_t append(D d, hn::Vec<hn::Rebind<std::int32_t, D>> numbers,
                               hn::Mask<D> chosen, std::int32_t* to) {
  const hn::Rebind<std::int32_t, D> d32;
#if HWY_TARGET == HWY_AVX2
  std::uint8_t set[8];
  hn::StoreMaskBits(d, chosen, set);
  const auto lanes =
      hn::PromoteTo(d32, hn::LoadU(hn::Rebind<std::uint8_t, D>(), lanes_of_sets[set[0]].data()));
  hn::StoreU(hn::TableLookupLanes(numbers, hn::IndicesFromVec(d32, lanes)), d32, to);
#else
  const auto packed = hn::Compress(widened(d, numbers), hn::RebindMask(Numbers<D>(), chosen));
  hn::StoreU(narrowed(d, packed), d32, to);
#endif
  return static_cast<std::int64_t>(hn::CountTrue(d, chosen));
}

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
