// Where the neighbours of a site lie in the sorted words of a submanifold convolution.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "ops/sparse_conv/packed_sites.hpp"
#include "ops/sparse_conv/pairs.hpp"

namespace mluop::sparse_conv::pairs {

/// Offsets that are looked up together: one bit each in the mask of a row.
inline constexpr int group_bits = 32;

/// Neighbouring offsets along the last axis, at one place of the other two: the neighbours of a site
/// are a window of `width` cells in some line. Seen from the site's word, the window is in the word
/// `middle` further on or in one next to that, and starts `first` + place cells behind the start of the
/// word before the middle one.
struct Line {
  Wide middle;  // modulo 2^128, so that it may be negative
  int first, width;
  int bit;  // of the mask: the window's cells in ascending order
};

struct Group {
  std::array<Line, group_bits> lines;
  std::array<std::int64_t, group_bits> offsets;  // the kernel offset of each bit
  int line_count = 0, bits = 0;
};

/// The space of a submanifold convolution, its lines cut into words. Behind each line, plane and volume
/// lie empty cells, as far as the kernel reaches: no neighbour beyond an edge is taken for a site.
class SubmanifoldPlan {
 public:
  explicit SubmanifoldPlan(const Problem& problem);

  /// Every word is below this.
  Wide words() const noexcept { return words_; }
  template <class Word>
  Word word(std::int64_t b, std::int64_t z, std::int64_t y, std::int64_t x) const noexcept {
    const auto line = (static_cast<Word>(b) * static_cast<Word>(planes_) + static_cast<Word>(z)) *
                          static_cast<Word>(lines_) +
                      static_cast<Word>(y);
    return static_cast<Word>(origin_) + line * static_cast<Word>(line_words_) +
           static_cast<Word>(x >> place_bits);
  }

  /// Calls use(group) for groups of at most `most_bits` offsets that together hold every offset that can
  /// meet a site; within a group, bits are in the order of the sites they lead to.
  template <class Use>
  void each_group(int most_bits, Use&& use) const {
    Group group;
    each_line(most_bits, [&](Line line, std::int64_t first_offset, std::int64_t step) {
      if (group.bits + line.width > most_bits) {
        use(group);
        group.line_count = group.bits = 0;
      }
      line.bit = group.bits;
      for (int i = 0; i < line.width; ++i) {
        group.offsets[static_cast<std::size_t>(group.bits++)] = first_offset + i * step;
      }
      group.lines[static_cast<std::size_t>(group.line_count++)] = line;
    });
    if (group.bits > 0) use(group);
  }

 private:
  /// How far the offset a of an axis leads.
  std::int64_t shift(const Axis& axis, std::int64_t a) const noexcept {
    return transpose_ ? a - axis.pad : axis.pad - a;
  }
  std::int64_t reach(const Axis& axis) const noexcept;
  Line line_at(std::int64_t plane, std::int64_t line, std::int64_t first_cell, int width) const;

  /// Calls use(line, offset of its first cell, step to the offset of the next cell), the lines in the
  /// order of the sites they lead to.
  template <class Use>
  void each_line(int most_width, Use&& use) const {
    const auto& [D, H, W] = axes_;
    const std::int64_t step = transpose_ ? 1 : -1;
    for (std::int64_t i = 0; i < D.filter * H.filter; ++i) {
      const std::int64_t at = transpose_ ? i : D.filter * H.filter - 1 - i;
      const std::int64_t dz = shift(D, at / H.filter), dy = shift(H, at % H.filter);
      if (std::abs(dz) >= D.input || std::abs(dy) >= H.input) continue;
      for (std::int64_t done = 0; done < W.filter; done += most_width) {
        const std::int64_t width = std::min<std::int64_t>(most_width, W.filter - done);
        const std::int64_t a = transpose_ ? done : W.filter - 1 - done;
        const std::int64_t dx = shift(W, a);
        if (dx >= W.input || dx + width <= -W.input + 1) continue;
        use(line_at(dz, dy, dx, static_cast<int>(width)), at * W.filter + a, step);
      }
    }
  }

  std::array<Axis, 3> axes_;
  bool transpose_;
  std::int64_t planes_, lines_, line_words_;  // with the empty ones behind
  Wide origin_, words_;
};

}  // namespace mluop::sparse_conv::pairs
