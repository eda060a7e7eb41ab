// The stored rows that the next step of a driver will read, as stretches to fetch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ops/carafe/kernels.hpp"
#include "ops/carafe/row_source.hpp"

namespace mluop::carafe {

/// A few stretches; what finds no room is left to the hardware.
class Stretches {
 public:
  template <class T>
  void add_row(const StoredPart<T>& part, std::int64_t y) {
    if (count_ == most) return;
    const T* const first = part.image + y * part.pitch + part.first * part.pixel + part.offset;
    const std::int64_t elements = part.groups == 1 && part.channels < part.pixel
                                      ? (part.columns - 1) * part.pixel + part.channels
                                      : part.columns * part.pixel;
    stretches_[count_++] = {reinterpret_cast<const std::byte*>(first),
                            elements * std::int64_t{sizeof(T)}};
  }

  Fetching fetching() const noexcept { return {stretches_.data(), stretches_.data() + count_}; }

 private:
  static constexpr std::size_t most = 16;
  std::array<Fetching::Stretch, most> stretches_;
  std::size_t count_ = 0;
};

}  // namespace mluop::carafe
