// Keys of points, written once for every vector width and compiled per instruction set.
#include "ops/voxelization/hard/key_kernel.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/voxelization/hard/key_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/voxelization/cells-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::voxelization::HWY_NAMESPACE {

/// Moves what lies inside to the front of keys and numbers; returns how many that are.
HWY_INLINE std::int64_t pack(const Cells& cells, std::int64_t count, std::uint32_t first,
                             const KeyFormat& format, NarrowKey* keys, std::uint32_t* numbers) {
  const hn::ScalableTag<std::uint32_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  static_assert(lanes_of<std::uint32_t> <= key_slack);
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < count; i += lanes_of<std::uint32_t>) {
    const auto x = hn::Load(di, cells.axis[0] + i);
    const auto inside = hn::RebindMask(d, hn::Gt(x, hn::Set(di, -1)));
    const auto y = hn::BitCast(d, hn::Load(di, cells.axis[1] + i));
    const auto z = hn::BitCast(d, hn::Load(di, cells.axis[2] + i));
    const auto key = hn::Or(hn::BitCast(d, x), hn::Or(hn::ShiftLeftSame(y, format.y_shift),
                                                      hn::ShiftLeftSame(z, format.z_shift)));
    const auto number = hn::Iota(d, first + static_cast<std::uint32_t>(i));
    // Whole vectors: a masked store to memory is slow on some machines.
    hn::StoreU(hn::Compress(key, inside), d, keys + kept);
    hn::StoreU(hn::Compress(number, inside), d, numbers + kept);
    kept += static_cast<std::int64_t>(hn::CountTrue(d, inside));
  }
  return kept;
}

HWY_INLINE std::int64_t pack(const Cells& cells, std::int64_t count, std::uint32_t first,
                             const KeyFormat& /*format*/, WideKey* keys, std::uint32_t* numbers) {
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (cells.axis[0][i] < 0) continue;
    keys[kept] = {cells.axis[0][i], cells.axis[1][i], cells.axis[2][i]};
    numbers[kept++] = first + static_cast<std::uint32_t>(i);
  }
  return kept;
}

template <class T, class Key>
std::int64_t make_keys(const Keying<T, Key>& k) {
  Cells cells;
  std::fill_n(k.counts, std::int64_t{1} << k.bucket_bits, 0u);
  std::int64_t kept = k.begin;
  for (std::int64_t begin = k.begin; begin < k.end; begin += block_points) {
    const std::int64_t count = HWY_MIN(block_points, k.end - begin);
    find_cells(k.points + begin * k.F, count, k.F, k.grid, cells);
    const std::int64_t more = pack(cells, count, static_cast<std::uint32_t>(begin), k.format,
                                   k.keys + kept, k.numbers + kept);
    for (std::int64_t i = kept; i < kept + more; ++i) {
      ++k.counts[high_bits(hash_of(k.keys[i]), k.bucket_bits)];
    }
    kept += more;
  }
  return kept - k.begin;
}

template <class T>
constexpr KeyKernels<T> kernels_for() {
  return {make_keys<T, NarrowKey>, make_keys<T, WideKey>};
}

const PerDtype<KeyKernels>& key_set() {
  static constexpr PerDtype<KeyKernels> all{kernels_for<float>(), kernels_for<double>(),
                                            kernels_for<Half>(), kernels_for<BFloat16>()};
  return all;
}

}  // namespace mluop::voxelization::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::voxelization {

const PerIsa<const PerDtype<KeyKernels>& (*)()> key_kernels = MLUOP_PER_ISA(key_set);

}  // namespace mluop::voxelization
#endif
