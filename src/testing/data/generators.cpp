// SplitMix64 and the draws made from it.
#include "testing/data/generators.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace mluop::testing {
namespace {

constexpr std::uint64_t default_seed = 20;
constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15;

/// The finaliser of SplitMix64: a bijection in which every input bit reaches every output bit.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// FNV-1a, because std::hash is another function on every platform.
std::uint64_t hashed(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::uint64_t base_seed() {
  const char* text = std::getenv("MLUOP_TEST_SEED");
  if (text == nullptr) return default_seed;
  const std::string_view digits{text};
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  if (error != std::errc{} || end != digits.data() + digits.size()) {
    throw std::invalid_argument("MLUOP_TEST_SEED must be a number of 64 bits, got \"" +
                                std::string{digits} + "\"");
  }
  return seed;
}

Generator::Generator(std::uint64_t stream)
    : base_(base_seed()),
      stream_(std::to_string(stream)),
      state_(mixed(base_ + golden_gamma) ^ mixed(stream)) {}

Generator::Generator(std::string_view stream)
    : base_(base_seed()),
      stream_('"' + std::string{stream} + '"'),
      state_(mixed(base_ + golden_gamma) ^ mixed(hashed(stream))) {}

std::string Generator::describe() const {
  return "MLUOP_TEST_SEED=" + std::to_string(base_) + ", stream " + stream_;
}

std::uint64_t Generator::next() { return mixed(state_ += golden_gamma); }

double Generator::uniform(double low, double high) {
  const double fraction = static_cast<double>(next() >> 11) * 0x1p-53;
  const double value = low + (high - low) * fraction;
  // The sum may round up to the bound that is excluded.
  return value < high || low == high ? value : std::nextafter(high, low);
}

double Generator::gaussian(double mean, double deviation) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform(0, 1);
  return mean + deviation * sum;
}

std::int64_t Generator::integer(std::int64_t low, std::int64_t high) {
  const auto range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const int unused_bits = std::countl_zero(range | 1);
  // Numbers beyond the range are drawn again: a remainder would favour the small ones.
  std::uint64_t drawn = 0;
  do {
    drawn = next() >> unused_bits;
  } while (drawn > range);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + drawn);
}

void Generator::fill_uniform(HostTensor& tensor, double low, double high) {
  fill(tensor, [&] { return uniform(low, high); });
}

void Generator::fill_gaussian(HostTensor& tensor, double mean, double deviation) {
  fill(tensor, [&] { return gaussian(mean, deviation); });
}

void Generator::fill_integer(HostTensor& tensor, std::int64_t low, std::int64_t high) {
  fill(tensor, [&] { return static_cast<double>(integer(low, high)); });
}

void Generator::sprinkle(HostTensor& tensor, std::span<const double> values, double rate) {
  const auto last = static_cast<std::int64_t>(values.size()) - 1;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    if (chance(rate)) tensor.set(i, values[static_cast<std::size_t>(integer(0, last))]);
  }
}

void Generator::sprinkle_special(HostTensor& tensor, double rate) {
  using Limits = std::numeric_limits<double>;
  const double special[] = {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()};
  sprinkle(tensor, special, rate);
}

}  // namespace mluop::testing
