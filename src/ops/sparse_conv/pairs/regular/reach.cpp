// The arithmetic of reaches.
#include "ops/sparse_conv/pairs/regular/reach.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "core/numbers/integers.hpp"
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

}  // namespace

AxisReach::AxisReach(const Axis& axis, bool transpose) : axis_(axis), transpose_(transpose) {
  if (transpose_) {
    output_step_ = axis_.dilation;
  } else {
    const std::int64_t common = std::gcd(axis_.stride, axis_.dilation);
    offset_step_ = axis_.stride / common;
    output_step_ = -axis_.dilation / common;
    inverse_ = inverse_modulo(axis_.dilation / common, offset_step_);
    common_ = Divisor(common);
    stride_ = Divisor(axis_.stride);
    by_offset_step_ = Divisor(offset_step_);
  }
  by_output_step_ = Divisor(std::abs(output_step_));
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
  const std::int64_t size = axis_.output;
  if (transpose_) {
    const std::int64_t output = input * axis_.stride - axis_.pad;
    if (output >= size) return {0, 0, 0};
    return between(output < 0 ? by_output_step_.quotient_up(-output) : 0,
                   std::min(axis_.filter - 1, by_output_step_.quotient(size - 1 - output)), 0,
                   output);
  }
  const auto [padded, rest] = common_.divide(static_cast<std::uint64_t>(input + axis_.pad));
  if (rest != 0) return {0, 0, 0};
  const std::int64_t offset = by_offset_step_.remainder(
      static_cast<std::int64_t>(by_offset_step_.divide(padded).remainder) * inverse_);
  const std::int64_t scaled = input + axis_.pad - offset * axis_.dilation;
  if (scaled < 0 || offset >= axis_.filter) return {0, 0, 0};
  const std::int64_t output = stride_.quotient(scaled);  // exact
  const std::int64_t last = std::min(by_output_step_.quotient(output),
                                     by_offset_step_.quotient(axis_.filter - 1 - offset));
  return between(output < size ? 0 : by_output_step_.quotient_up(output - size + 1), last, offset,
                 output);
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
  if (problem_->K > ReachTables::most_offsets) return;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    by_row_[i] = problem_->axes[i].input > problem_->L;
    const std::int64_t entries = std::min(problem_->axes[i].input, problem_->L);
    masks_[i] = layout.add<std::uint64_t>(entries);
    cells_[i] = layout.add<std::uint64_t>(entries * problem_->axes[i].filter);
  }
  spans_ = layout.add<ReachTables::Span>(masks_[2].count);
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

/// Fills the tables of an axis; rows have been checked.
void Walk::fill_table(std::size_t axis, int threads, std::byte* base) {
  const auto& [D, H, W] = problem_->axes;
  const std::int64_t line = line_words_ << place_bits;
  // How far an offset and an output of the axis are apart.
  const std::int64_t offset_pitch =
      std::array{H.filter * W.filter, W.filter, std::int64_t{1}}[axis];
  const std::int64_t output_pitch = std::array{H.output * line, line, std::int64_t{1}}[axis];
  std::uint64_t* const masks = masks_[axis].in(base);
  std::uint64_t* const cells = cells_[axis].in(base);
  ReachTables::Span* const spans = axis == 2 ? spans_.in(base) : nullptr;
  const AxisReach& reach_of = axes_[axis];
  parallel_for(threads, masks_[axis].count, 1024, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t entry = begin; entry < end; ++entry) {
      std::int64_t input = entry;
      if (by_row_[axis]) {
        const SiteRow row = row_at(*problem_, entry);
        input = std::array{row.z, row.y, row.x}[axis];
      }
      const Reach reach = reach_of.at(input);
      std::uint64_t mask = 0;
      for (std::int64_t t = 0; t < reach.count; ++t) {
        const std::int64_t a = reach.offset + t * reach_of.offset_step();
        const std::int64_t output = reach.output + t * reach_of.output_step();
        mask |= std::uint64_t{1} << (a * offset_pitch);
        cells[entry * problem_->axes[axis].filter + a] =
            static_cast<std::uint64_t>(output * output_pitch);
      }
      masks[entry] = mask;
      if (spans != nullptr) spans[entry] = span_of(reach);
    }
  });
  tables_.masks[axis] = masks;
  tables_.cells[axis] = cells;
}

void Walk::make_tables(int threads, std::byte* base) {
  if (masks_[0].count == 0) return;
  const auto& [D, H, W] = problem_->axes;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) fill_table(axis, threads, base);
  tables_.spans = spans_.in(base);
  auto* offset = tables_.offsets.data();
  for (std::int64_t z = 0; z < D.filter; ++z) {
    for (std::int64_t y = 0; y < H.filter; ++y) {
      for (std::int64_t x = 0; x < W.filter; ++x) {
        *offset++ = {static_cast<std::uint8_t>(z), static_cast<std::uint8_t>(y),
                     static_cast<std::uint8_t>(x), 0};
      }
    }
  }
}

}  // namespace mluop::sparse_conv::pairs
