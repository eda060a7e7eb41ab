// Which output sites an input site meets.
#pragma once

#include <hwy/base.h>

#include <array>
#include <bit>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "ops/sparse_conv/pairs/divisor.hpp"
#include "ops/sparse_conv/pairs/packed_sites.hpp"
#include "ops/sparse_conv/pairs/pair_lists.hpp"
#include "ops/sparse_conv/pairs/problem.hpp"

namespace mluop::sparse_conv::pairs {

/// What a coordinate meets along an axis: `count` (offset, output) pairs; both advance by constant steps.
struct Reach {
  std::int64_t count, offset, output;
};

/// The outputs of one axis, without trying offsets: those that a coordinate meets are the solutions of
/// output · stride = input + pad - offset · dilation, one in every stride / gcd(stride, dilation)
/// offsets. Transposed, every offset meets one: output = input · stride - pad + offset · dilation.
class AxisReach {
 public:
  AxisReach() = default;
  AxisReach(const Axis& axis, bool transpose);

  Reach at(std::int64_t input) const noexcept;
  /// The largest count of any coordinate.
  std::int64_t most() const noexcept;
  std::int64_t offset_step() const noexcept { return offset_step_; }
  std::int64_t output_step() const noexcept { return output_step_; }

 private:
  Reach between(std::int64_t first, std::int64_t last, std::int64_t offset,
                std::int64_t output) const noexcept;

  Axis axis_;
  bool transpose_ = false;
  std::int64_t offset_step_ = 1, output_step_ = -1;
  std::int64_t inverse_ = 0;  // of dilation / common modulo stride / common
  // The greatest common divisor of stride and dilation, and what one reach divides by besides it.
  Divisor common_, stride_, by_offset_step_, by_output_step_;
};

/// Reaches by coordinate or, along axes longer than there are rows, by row, for kernels of up to 64
/// offsets. The product of a row's three masks has a bit for each offset that meets a site, and the sum
/// of three entries of `cells` is the site.
struct ReachTables {
  static constexpr std::int64_t most_offsets = 64;

  /// What an entry of the last axis meets of a line, if that lies in one word.
  struct Span {
    std::uint64_t word, bits;
  };

  std::array<const std::uint64_t*, 3> masks{};
  std::array<const std::uint64_t*, 3> cells{};  // [entry, offset of the axis]
  const Span* spans = nullptr;
  std::array<std::array<std::uint8_t, 4>, most_offsets>
      offsets{};  // of each axis, by kernel offset
};

/// The sites that rows meet. A site is a word of the output space and a place in it, or, as one number, a
/// cell: lines are as long as their words.
class Walk {
 public:
  explicit Walk(const Problem& problem);

  const Problem& problem() const noexcept { return *problem_; }
  /// The most sites a row can meet.
  std::int64_t most() const noexcept { return axes_[0].most() * axes_[1].most() * axes_[2].most(); }
  std::int64_t line_words() const noexcept { return line_words_; }
  /// Words of the output space.
  Wide words() const noexcept;

  /// Adds the tables to the layout, unless the kernel is too large for them.
  void add_tables(WorkspaceLayout& layout);
  /// Fills the tables and uses them from now on.
  void make_tables(int threads, std::byte* base);

  bool has_tables() const noexcept { return tables_.spans != nullptr; }
  /// The batch of a row and its entries in the tables.
  SiteRow entries_of(std::int64_t j) const noexcept {
    SiteRow row = row_at(*problem_, j);
    const auto number = static_cast<std::int32_t>(j);
    if (by_row_[0]) row.z = number;
    if (by_row_[1]) row.y = number;
    if (by_row_[2]) row.x = number;
    return row;
  }
  /// A bit for each offset through which a row meets a site.
  std::uint64_t offsets_of(const SiteRow& entries) const noexcept {
    return tables_.masks[0][entries.z] * tables_.masks[1][entries.y] * tables_.masks[2][entries.x];
  }
  /// Calls use(word, bits) for each word with sites that the row meets, at times more than once.
  template <class Use>
  HWY_INLINE void each_word_met(const SiteRow& row, Use&& use) const {
    const ReachTables::Span span = tables_.spans[row.x];
    if (HWY_UNLIKELY(span.bits == 0)) {
      each_site_of_tables<std::uint64_t>(row, SingleBit<Use>{use});
      return;
    }
    const auto& [D, H, W] = problem_->axes;
    const std::uint64_t* const planes = tables_.cells[0] + row.z * D.filter;
    const std::uint64_t* const lines = tables_.cells[1] + row.y * H.filter;
    const std::uint64_t first = static_cast<std::uint64_t>(row.b) * volume_cells_;
    std::uint64_t mask = tables_.masks[0][row.z] * tables_.masks[1][row.y];
    for (; mask != 0; mask &= mask - 1) {
      const auto& [z, y, x, unused] =
          tables_.offsets[static_cast<std::size_t>(std::countr_zero(mask))];
      use(((first + planes[z] + lines[y]) >> place_bits) + span.word, span.bits);
    }
  }

  /// Calls use(k, word, place) for each kernel offset k through which row j meets an output site. Always
  /// inline, so that it is compiled for the instruction set of its caller.
  template <class Word, class Use>
  HWY_INLINE void each_site(std::int64_t j, Use&& use) const {
    if (sizeof(Word) == sizeof(std::uint64_t) && has_tables()) {
      each_site_of_tables<Word>(entries_of(j), use);
    } else {
      each_site_of_axes<Word>(row_at(*problem_, j), use);
    }
  }

 private:
  template <class Word, class Use>
  HWY_INLINE void each_site_of_tables(const SiteRow& row, Use&& use) const {
    const auto& [D, H, W] = problem_->axes;
    const std::uint64_t* const planes = tables_.cells[0] + row.z * D.filter;
    const std::uint64_t* const lines = tables_.cells[1] + row.y * H.filter;
    const std::uint64_t* const cells = tables_.cells[2] + row.x * W.filter;
    const std::uint64_t first = static_cast<std::uint64_t>(row.b) * volume_cells_;
    for (std::uint64_t mask = offsets_of(row); mask != 0; mask &= mask - 1) {
      const int k = std::countr_zero(mask);
      const auto& [z, y, x, unused] = tables_.offsets[static_cast<std::size_t>(k)];
      const std::uint64_t cell = first + planes[z] + lines[y] + cells[x];
      use(k, static_cast<Word>(cell >> place_bits), static_cast<unsigned>(cell & 63));
    }
  }

  template <class Word, class Use>
  HWY_INLINE void each_site_of_axes(const SiteRow& row, Use&& use) const {
    const Reach plane = axes_[0].at(row.z), line = axes_[1].at(row.y), cell = axes_[2].at(row.x);
    const auto& [D, H, W] = problem_->axes;
    for (std::int64_t i = 0; i < plane.count; ++i) {
      const auto planes = static_cast<Word>(row.b) * static_cast<Word>(D.output) +
                          static_cast<Word>(plane.output + i * axes_[0].output_step());
      const std::int64_t a0 = plane.offset + i * axes_[0].offset_step();
      for (std::int64_t j = 0; j < line.count; ++j) {
        const auto lines = planes * static_cast<Word>(H.output) +
                           static_cast<Word>(line.output + j * axes_[1].output_step());
        const std::int64_t a1 = line.offset + j * axes_[1].offset_step();
        const std::int64_t first = (a0 * H.filter + a1) * W.filter;
        for (std::int64_t l = 0; l < cell.count; ++l) {
          const std::int64_t x = cell.output + l * axes_[2].output_step();
          use(first + cell.offset + l * axes_[2].offset_step(),
              lines * static_cast<Word>(line_words_) + static_cast<Word>(x >> place_bits),
              static_cast<unsigned>(x & 63));
        }
      }
    }
  }

  ReachTables::Span span_of(const Reach& reach) const;
  void fill_table(std::size_t axis, int threads, std::byte* base);

  template <class Use>
  struct SingleBit {
    Use& use;
    HWY_INLINE void operator()(std::int64_t, std::uint64_t word, unsigned place) const {
      use(word, std::uint64_t{1} << place);
    }
  };

  const Problem* problem_;
  std::array<AxisReach, 3> axes_;
  std::int64_t line_words_;
  std::uint64_t volume_cells_;  // of one sample, if 64 bits hold it
  ReachTables tables_;
  std::array<bool, 3> by_row_{};  // which tables have an entry per row
  std::array<Slot<std::uint64_t>, 3> masks_, cells_;
  Slot<ReachTables::Span> spans_;
};

}  // namespace mluop::sparse_conv::pairs
