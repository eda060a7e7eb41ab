// Keys of scores, and the sort by them.
#include "ops/suppression/score_order.hpp"

#include <bit>
#include <type_traits>

namespace mluop::suppression {
namespace {

/// Of the bits of a number whose infinity has the bits `infinity`. Integers only, so that a caller's
/// denormals-are-zero mode changes nothing.
template <class Bits>
Bits descending(Bits bits, Bits infinity) noexcept {
  constexpr Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  const Bits magnitude = static_cast<Bits>(bits & static_cast<Bits>(~sign));
  if (magnitude > infinity) return 0;
  if (magnitude == 0) return static_cast<Bits>(~sign);
  return (bits & sign) != 0 ? bits : static_cast<Bits>(~(bits | sign));
}

}  // namespace

std::uint32_t descending_key(float score) noexcept {
  return descending<std::uint32_t>(std::bit_cast<std::uint32_t>(score), 0x7F800000u);
}
std::uint32_t descending_key(Half score) noexcept {
  return descending<std::uint16_t>(score.bits, 0x7C00u);
}
std::uint32_t descending_key(BFloat16 score) noexcept {
  return descending<std::uint16_t>(score.bits, 0x7F80u);
}
std::uint64_t descending_key(double score) noexcept {
  return descending<std::uint64_t>(std::bit_cast<std::uint64_t>(score), std::uint64_t{0x7FF} << 52);
}

ScoreOrder::ScoreOrder(std::int64_t count, mluOpDataType_t dtype, WorkspaceLayout& layout)
    : count_(count), dtype_(dtype) {
  const bool wide = dtype == MLUOP_DTYPE_DOUBLE;
  narrow_ = layout.add<Keyed<std::uint32_t>>(wide ? 0 : 2 * count);
  wide_ = layout.add<Keyed<std::uint64_t>>(wide ? 2 * count : 0);
  order_ = layout.add<std::int32_t>(count);
}

template <class T>
void ScoreOrder::sort_as(const void* scores, std::byte* base, std::int32_t* order) const {
  using Key = decltype(descending_key(T{}));
  Keyed<Key>* entries;
  if constexpr (std::is_same_v<Key, std::uint64_t>) {
    entries = wide_.in(base);
  } else {
    entries = narrow_.in(base);
  }
  for (std::int64_t i = 0; i < count_; ++i) {
    entries[i] = {descending_key(static_cast<const T*>(scores)[i]), static_cast<std::int32_t>(i)};
  }
  const Keyed<Key>* const sorted = sort_by_key(entries, entries + count_, count_);
  for (std::int64_t i = 0; i < count_; ++i) order[i] = sorted[i].index;
}

const std::int32_t* ScoreOrder::sort(const void* scores, std::byte* base) const {
  std::int32_t* const order = order_.in(base);
  with_floating(dtype_, [&](auto stored) { sort_as<decltype(stored)>(scores, base, order); });
  return order;
}

}  // namespace mluop::suppression
