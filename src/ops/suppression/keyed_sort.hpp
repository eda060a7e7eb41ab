// A sort of indices by unsigned keys.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace mluop::suppression {

template <class Key>
struct Keyed {
  Key key;
  std::int32_t index;
};

/// Sorts `count` entries by key, smallest first; `spare` holds as many. Returns where the result is: one of
/// the two. Entries that come in ascending order of their index leave equal keys in that order.
template <class Key>
Keyed<Key>* sort_by_key(Keyed<Key>* entries, Keyed<Key>* spare, std::int64_t count) {
  constexpr std::int64_t few = 256;  // below, comparing is faster than counting digits
  if (count < few) {
    std::sort(entries, entries + count, [](const Keyed<Key>& a, const Keyed<Key>& b) {
      return a.key != b.key ? a.key < b.key : a.index < b.index;
    });
    return entries;
  }
  constexpr int digit_bits = 8, digits = sizeof(Key);
  std::array<std::array<std::int32_t, 1 << digit_bits>, digits> begins{};
  const auto digit_of = [](Key key, int digit) {
    return static_cast<std::size_t>(key >> (digit * digit_bits) & 0xFF);
  };
  for (std::int64_t i = 0; i < count; ++i) {
    for (int digit = 0; digit < digits; ++digit) ++begins[digit][digit_of(entries[i].key, digit)];
  }
  for (int digit = 0; digit < digits; ++digit) {
    auto& begin = begins[digit];
    if (begin[digit_of(entries[0].key, digit)] == count) continue;  // the same in every key
    std::int32_t sum = 0;
    for (std::int32_t& number : begin) sum += std::exchange(number, sum);
    for (std::int64_t i = 0; i < count; ++i) {
      spare[begin[digit_of(entries[i].key, digit)]++] = entries[i];
    }
    std::swap(entries, spare);
  }
  return entries;
}

}  // namespace mluop::suppression
