// Decisions read from the bytes of a fuzzer: sizes, values, and now and then something absurd.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

namespace mluop::fuzz {

class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  /// The next bytes as a value; zero bits where they have run out.
  template <class T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    std::array<std::uint8_t, sizeof(T)> raw{};
    const std::size_t count = std::min(rest_.size(), sizeof(T));
    std::copy_n(rest_.begin(), count, raw.begin());
    rest_ = rest_.subspan(count);
    T value;
    std::memcpy(&value, raw.data(), sizeof(T));
    return value;
  }

  /// From low to high, both included; at most 256 values.
  int between(int low, int high) { return low + take<std::uint8_t>() % (high - low + 1); }

  template <class T, std::size_t n>
  T one_of(const std::array<T, n>& choices) {
    return choices[take<std::uint8_t>() % n];
  }

  /// True once in 85: rare enough that a call of fifty decisions is often right in all of them.
  bool oddly() { return take<std::uint8_t>() >= 253; }

  /// Mostly `value`, else one beside it, at the ends of its type, or any.
  template <class T>
  T mostly(T value) {
    if (!oddly()) return value;
    constexpr T least = std::numeric_limits<T>::lowest(), most = std::numeric_limits<T>::max();
    switch (between(0, 7)) {
      case 0:
        return T{};
      case 1:
        return static_cast<T>(-1);
      case 2:
        return least;
      case 3:
        return most;
      case 4:
        return value == most ? value : static_cast<T>(value + 1);
      case 5:
        return value == least ? value : static_cast<T>(value - 1);
      case 6:
        return static_cast<T>(take<std::uint16_t>());
      default:
        return take<T>();
    }
  }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace mluop::fuzz
