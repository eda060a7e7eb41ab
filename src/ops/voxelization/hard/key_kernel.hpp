// The loop that makes keys of points and counts them by bucket.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "ops/voxelization/hard/keys.hpp"
#include "runtime/isa.hpp"

namespace mluop::voxelization {

/// What vectors may write beyond the last key and number.
inline constexpr std::int64_t key_slack = 16;

/// Points [begin, end) of a cloud. The keys of those inside go to keys[begin] and on, without gaps, their
/// numbers likewise, and counts [2^bucket_bits] says how many of them belong to each bucket. Writes reach up
/// to `end` rounded up to key_slack.
template <class T, class Key>
struct Keying {
  const T* points;
  std::int64_t begin, end, F;
  Grid<Compute<T>> grid;
  KeyFormat format;
  int bucket_bits;
  Key* keys;
  std::uint32_t* numbers;
  std::uint32_t* counts;
};

/// Each returns the number of points inside.
template <class T>
struct KeyKernels {
  std::int64_t (*narrow)(const Keying<T, NarrowKey>& keying);
  std::int64_t (*wide)(const Keying<T, WideKey>& keying);

  std::int64_t operator()(const Keying<T, NarrowKey>& keying) const { return narrow(keying); }
  std::int64_t operator()(const Keying<T, WideKey>& keying) const { return wide(keying); }
};

extern const PerIsa<const PerDtype<KeyKernels>& (*)()> key_kernels;

}  // namespace mluop::voxelization
