// The arithmetic of reaches.
#include "ops/sparse_conv/pairs/regular/reach.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "runtime/parallel.hpp"

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
  return {last - first + 1, offset + first * offset_step_, output + first * output_step_};
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

Walk::Walk(const Problem& problem)
    : problem_(&problem), line_words_((problem.axes[2].output + 63) >> place_bits) {
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    axes_[i] = AxisReach(problem.axes[i], problem.transpose);
  }
  volume_cells_ = static_cast<std::uint64_t>(problem.axes[0].output) *
                  static_cast<std::uint64_t>(problem.axes[1].output) *
                  static_cast<std::uint64_t>(line_words_ << place_bits);
}

Wide Walk::words() const noexcept {
  return static_cast<Wide>(problem_->batch) * static_cast<Wide>(problem_->axes[0].output) *
         static_cast<Wide>(problem_->axes[1].output) * static_cast<Wide>(line_words_);
}

void Walk::add_tables(WorkspaceLayout& layout) {
  const auto& [D, H, W] = problem_->axes;
  if (problem_->K > ReachTables::most_offsets || D.input + H.input + W.input > problem_->L) return;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    masks_[i] = layout.add<std::uint64_t>(problem_->axes[i].input);
    cells_[i] = layout.add<std::uint64_t>(problem_->axes[i].input * problem_->axes[i].filter);
  }
  spans_ = layout.add<ReachTables::Span>(W.input);
}

/// Without bits if the outputs lie in several words.
ReachTables::Span Walk::span_of(const Reach& reach) const {
  ReachTables::Span span{0, 0};
  for (std::int64_t t = 0; t < reach.count; ++t) {
    const std::int64_t output = reach.output + t * axes_[2].output_step();
    const auto word = static_cast<std::uint64_t>(output >> place_bits);
    if (t > 0 && word != span.word) return {0, 0};
    span = {word, span.bits | std::uint64_t{1} << (output & 63)};
  }
  return span;
}

void Walk::make_tables(int threads, std::byte* base) {
  if (masks_[0].count == 0) return;
  const auto& [D, H, W] = problem_->axes;
  const std::int64_t line = line_words_ << place_bits;
  // How far an offset and an output of each axis are apart.
  const std::int64_t offset_pitch[] = {H.filter * W.filter, W.filter, 1};
  const std::int64_t output_pitch[] = {H.output * line, line, 1};
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    std::uint64_t* const masks = masks_[i].in(base);
    std::uint64_t* const cells = cells_[i].in(base);
    parallel_for(threads, masks_[i].count, 1024, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t z = begin; z < end; ++z) {
        const Reach reach = axes_[i].at(z);
        masks[z] = 0;
        for (std::int64_t t = 0; t < reach.count; ++t) {
          const std::int64_t a = reach.offset + t * axes_[i].offset_step();
          const std::int64_t output = reach.output + t * axes_[i].output_step();
          masks[z] |= std::uint64_t{1} << (a * offset_pitch[i]);
          cells[z * problem_->axes[i].filter + a] =
              static_cast<std::uint64_t>(output * output_pitch[i]);
        }
      }
    });
    tables_.masks[i] = masks;
    tables_.cells[i] = cells;
  }
  ReachTables::Span* const spans = spans_.in(base);
  for (std::int64_t x = 0; x < W.input; ++x) spans[x] = span_of(axes_[2].at(x));
  tables_.spans = spans;
  for (std::int64_t k = 0; k < problem_->K; ++k) {
    tables_.offsets[static_cast<std::size_t>(k)] = {
        static_cast<std::uint8_t>(k / W.filter / H.filter),
        static_cast<std::uint8_t>(k / W.filter % H.filter), static_cast<std::uint8_t>(k % W.filter),
        0};
  }
}

}  // namespace mluop::sparse_conv::pairs
