// Cells as keys that can be compared and hashed.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ops/voxelization/grid.hpp"

namespace mluop::voxelization {

/// Cell numbers side by side in 32 bits: nearly every grid fits.
using NarrowKey = std::uint32_t;

/// Cell numbers along x, y, z: any grid.
struct WideKey {
  std::int32_t x, y, z;

  friend bool operator==(const WideKey&, const WideKey&) = default;
  friend auto operator<=>(const WideKey&, const WideKey&) = default;
};

/// Where the numbers along y and z begin in a narrow key.
struct KeyFormat {
  int y_shift, z_shift;
};

/// Whether narrow keys hold every cell of the grid.
inline bool fits_narrow(const Cloud& cloud) noexcept {
  return bits_of_axis(cloud, 0) + bits_of_axis(cloud, 1) + bits_of_axis(cloud, 2) <= 32;
}

/// Of a grid that fits. A shift of 32 could only be that of an axis of one cell, whose number is 0.
inline KeyFormat key_format(const Cloud& cloud) noexcept {
  const int y_shift = bits_of_axis(cloud, 0);
  return {std::min(y_shift, 31), std::min(y_shift + bits_of_axis(cloud, 1), 31)};
}

inline WideKey cell_of(NarrowKey key, const KeyFormat& format) noexcept {
  const auto low_bits = [](std::uint32_t value, int bits) { return value & ~(~0u << bits); };
  return {static_cast<std::int32_t>(low_bits(key, format.y_shift)),
          static_cast<std::int32_t>(low_bits(key, format.z_shift) >> format.y_shift),
          static_cast<std::int32_t>(key >> format.z_shift)};
}
inline WideKey cell_of(const WideKey& key, const KeyFormat& /*format*/) noexcept { return key; }

/// The highest bits are mixed best: they choose the bucket, those below them the slot of its table.
inline std::uint64_t hash_of(NarrowKey key) noexcept { return key * 0x9E3779B97F4A7C15u; }
inline std::uint64_t hash_of(const WideKey& key) noexcept {
  const auto low = static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.y)) << 32 |
                   static_cast<std::uint32_t>(key.x);
  const std::uint64_t mixed = low * 0x9E3779B97F4A7C15u;
  return ((mixed ^ mixed >> 32) + static_cast<std::uint32_t>(key.z)) * 0xD6E8FEB86659FD93u;
}

/// The highest `bits` bits of a hash; bits may be 0.
inline std::uint64_t high_bits(std::uint64_t hash, int bits) noexcept {
  return hash >> 1 >> (63 - bits);
}

}  // namespace mluop::voxelization
