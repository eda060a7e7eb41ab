// Seeded test data that is the same on every platform.
//
// The engine and every draw are written out here because the standard library fixes only its
// engines: std::uniform_real_distribution and its kin give other numbers in each implementation.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "testing/data/host_tensor.hpp"

namespace mluop::testing {

/// MLUOP_TEST_SEED, or a fixed number when it is not set; throws std::invalid_argument when it is
/// not a decimal number of 64 bits.
std::uint64_t base_seed();

/// SplitMix64. A generator is determined by the base seed and its stream, a number or a name.
class Generator {
 public:
  explicit Generator(std::uint64_t stream);
  explicit Generator(std::string_view stream);

  /// How to repeat this data, as a user would type it: "MLUOP_TEST_SEED=20, stream 3".
  std::string describe() const;
  std::uint64_t seed() const { return base_; }

  /// 64 random bits.
  std::uint64_t next();
  /// In [low, high); low when both are equal.
  double uniform(double low, double high);
  /// Twelve uniform numbers summed: a bell within six deviations, and, unlike what takes a
  /// logarithm, the same bits with every maths library.
  double gaussian(double mean, double deviation);
  /// In [low, high], each with the same probability.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  /// True with the given probability.
  bool chance(double probability) { return uniform(0, 1) < probability; }

  /// Fill every element in order; values are rounded to the tensor's dtype.
  void fill_uniform(HostTensor& tensor, double low, double high);
  void fill_gaussian(HostTensor& tensor, double mean, double deviation);
  void fill_integer(HostTensor& tensor, std::int64_t low, std::int64_t high);
  /// Replaces each element, with probability `rate`, by one of `values`.
  void sprinkle(HostTensor& tensor, std::span<const double> values, double rate);
  /// The same with NaN, infinity and minus infinity.
  void sprinkle_special(HostTensor& tensor, double rate);

 private:
  std::uint64_t base_;
  std::string stream_;
  std::uint64_t state_;
};

/// Sets every element in order to what `draw()` returns.
template <class Draw>
void fill(HostTensor& tensor, Draw&& draw) {
  std::array<double, 512> drawn;
  for (std::int64_t i = 0; i < tensor.count(); i += std::ssize(drawn)) {
    const std::int64_t count = std::min(std::ssize(drawn), tensor.count() - i);
    const auto some = std::span(drawn).first(static_cast<std::size_t>(count));
    for (double& value : some) value = draw();
    tensor.assign_from(i, some);
  }
}

}  // namespace mluop::testing
