// Division by a number that is known before the loop, without a division in the loop.
#pragma once

#include <cstdint>

namespace mluop::sparse_conv::pairs {

/// Multiplies by ⌊(2^64 - 1) / divisor⌋ instead: the quotient is then at most 1 too small. A 64-bit
/// division takes 40 to 90 cycles on many CPUs, and a row needs several.
class Divisor {
 public:
  Divisor() = default;
  /// `divisor` is at least 1.
  explicit Divisor(std::int64_t divisor)
      : divisor_(static_cast<std::uint64_t>(divisor)),
        reciprocal_(divisor == 1 ? ~std::uint64_t{0} : ~std::uint64_t{0} / divisor_) {}

  struct Result {
    std::uint64_t quotient, remainder;
  };
  Result divide(std::uint64_t value) const noexcept {
    if (divisor_ == 1) return {value, 0};  // most strides and dilations are
    const auto product = static_cast<unsigned __int128>(value) * reciprocal_;
    const auto quotient = static_cast<std::uint64_t>(product >> 64);
    const std::uint64_t remainder = value - quotient * divisor_;
    return remainder < divisor_ ? Result{quotient, remainder}
                                : Result{quotient + 1, remainder - divisor_};
  }
  /// The same of a value that is not negative.
  std::int64_t quotient(std::int64_t value) const noexcept {
    return static_cast<std::int64_t>(divide(static_cast<std::uint64_t>(value)).quotient);
  }
  std::int64_t remainder(std::int64_t value) const noexcept {
    return static_cast<std::int64_t>(divide(static_cast<std::uint64_t>(value)).remainder);
  }
  std::int64_t quotient_up(std::int64_t value) const noexcept {
    return quotient(value + static_cast<std::int64_t>(divisor_) - 1);
  }

 private:
  std::uint64_t divisor_ = 1, reciprocal_ = ~std::uint64_t{0};
};

}  // namespace mluop::sparse_conv::pairs
