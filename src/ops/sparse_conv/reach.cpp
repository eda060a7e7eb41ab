// The arithmetic of reaches.
#include "ops/sparse_conv/reach.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace mluop::sparse_conv::pairs {
namespace {

/// x with x · value = 1 modulo `modulus`, both without a common divisor; 0 modulo 1.
std::int64_t inverse_modulo(std::int64_t value, std::int64_t modulus) {
  std::int64_t rest = modulus, next_rest = value % modulus, factor = 0, next_factor = 1;
  while (next_rest != 0) {
    const std::int64_t quotient = rest / next_rest;
    rest = std::exchange(next_rest, rest - quotient * next_rest);
    factor = std::exchange(next_factor, factor - quotient * next_factor);
  }
  return modulus == 1 ? 0 : (factor % modulus + modulus) % modulus;
}

std::int64_t ceil_div(std::int64_t value, std::int64_t divisor) {
  return value / divisor + (value % divisor > 0);
}
std::int64_t floor_div(std::int64_t value, std::int64_t divisor) {
  return value / divisor - (value % divisor < 0);
}

}  // namespace

AxisReach::AxisReach(const Axis& axis, bool transpose) : axis_(axis), transpose_(transpose) {
  if (transpose_) {
    output_step_ = axis_.dilation;
    return;
  }
  divisor_ = std::gcd(axis_.stride, axis_.dilation);
  offset_step_ = axis_.stride / divisor_;
  output_step_ = -axis_.dilation / divisor_;
  inverse_ = inverse_modulo(axis_.dilation / divisor_, offset_step_);
}

std::int64_t AxisReach::most() const noexcept {
  return std::min(ceil_div(axis_.filter, offset_step_),
                  ceil_div(axis_.output, std::abs(output_step_)));
}

/// The solutions number `first` to `last`, counted from the given one.
Reach AxisReach::between(std::int64_t first, std::int64_t last, std::int64_t offset,
                         std::int64_t output) const noexcept {
  if (first > last) return {0, 0, 0};
  return {static_cast<std::int32_t>(last - first + 1),
          static_cast<std::int32_t>(offset + first * offset_step_),
          static_cast<std::int32_t>(output + first * output_step_)};
}

Reach AxisReach::at(std::int64_t input) const noexcept {
  if (transpose_) {
    const std::int64_t output = input * axis_.stride - axis_.pad;
    const std::int64_t last = floor_div(axis_.output - 1 - output, axis_.dilation);
    return between(std::max<std::int64_t>(0, ceil_div(-output, axis_.dilation)),
                   std::min(axis_.filter - 1, last), 0, output);
  }
  const std::int64_t padded = input + axis_.pad;
  if (padded % divisor_ != 0) return {0, 0, 0};
  const std::int64_t offset = padded / divisor_ % offset_step_ * inverse_ % offset_step_;
  const std::int64_t scaled = padded - offset * axis_.dilation;
  if (scaled < 0) return {0, 0, 0};
  const std::int64_t output = scaled / axis_.stride;  // exact
  const std::int64_t last =
      std::min(output / -output_step_, floor_div(axis_.filter - 1 - offset, offset_step_));
  return between(std::max<std::int64_t>(0, ceil_div(output - axis_.output + 1, -output_step_)),
                 last, offset, output);
}

Walk::Walk(const Problem& call)
    : problem(&call), line_words((call.axes[2].output + 63) >> place_bits) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    axes[i] = AxisReach(call.axes[i], call.transpose);
  }
}

Wide Walk::lines() const noexcept {
  return static_cast<Wide>(problem->batch) * static_cast<Wide>(problem->axes[0].output) *
         static_cast<Wide>(problem->axes[1].output);
}

}  // namespace mluop::sparse_conv::pairs
