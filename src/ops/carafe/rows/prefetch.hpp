// The stored rows that the next row of a sweep reads, as ranges to prefetch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ops/carafe/rows/row_source.hpp"
#include "ops/carafe/rows/rows.hpp"

namespace mluop::carafe {

/// At most 16 ranges; further rows are left to the hardware prefetcher.
class PrefetchList {
 public:
  template <class T>
  void add_row(const StoredPart<T>& part, std::int64_t y) {
    if (count_ == most) return;
    const T* const first = part.image + y * part.pitch + part.first * part.pixel + part.offset;
    const std::int64_t elements = part.groups == 1 && part.channels < part.pixel
                                      ? (part.columns - 1) * part.pixel + part.channels
                                      : part.columns * part.pixel;
    ranges_[count_++] = {reinterpret_cast<const std::byte*>(first),
                         elements * std::int64_t{sizeof(T)}};
  }

  Prefetch prefetch() const noexcept { return {ranges_.data(), ranges_.data() + count_}; }

 private:
  static constexpr std::size_t most = 16;
  std::array<Prefetch::Range, most> ranges_;
  std::size_t count_ = 0;
};

}  // namespace mluop::carafe
