// Decodes the bytes of a fuzzer into sizes and values, occasionally invalid ones.
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

  /// The next bytes as a value; padded with zeros at the end.
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

  /// From low to high, inclusive; at most 256 values.
  int between(int low, int high) { return low + take<std::uint8_t>() % (high - low + 1); }

  template <class T, std::size_t n>
  T one_of(const std::array<T, n>& choices) {
    return choices[take<std::uint8_t>() % n];
  }

  /// True with probability 1/85: a call with fifty decisions is then often valid.
  bool oddly() { return take<std::uint8_t>() >= 253; }

  /// Mostly `value`, else a neighbour, a limit of its type, or any value.
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
